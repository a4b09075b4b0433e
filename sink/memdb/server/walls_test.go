package server_test

import "testing"

// TestNamespacesAreWalls has two namespaces hold a memory of the same id. Neither
// blocks, shows or forgets what the other holds.
func TestNamespacesAreWalls(t *testing.T) {
	p := start(t)
	p.want("PUT", "/v1/namespaces/a", `{}`, 201)
	p.want("PUT", "/v1/namespaces/b", `{}`, 201)
	p.want("POST", "/v1/namespaces/b/memories", `{"id":"same","kind":"note","content":"of b"}`, 200, `"created"`)

	p.want("GET", "/v1/memories/same?namespace=a", "", 404)
	p.want("GET", "/v1/provenance/same?namespace=a", "", 404)
	p.want("DELETE", "/v1/memories/same?namespace=a", "", 404)
	p.want("POST", "/v1/namespaces/a/memories", `{"id":"same","kind":"note","content":"of a"}`, 200, `"created"`)
	p.want("GET", "/v1/memories/same?namespace=a", "", 200, `"of a"`, `"verified"`)
	p.want("GET", "/v1/memories/same?namespace=b", "", 200, `"of b"`, `"verified"`)
	p.want("POST", "/v1/namespaces/a/memories", `{"id":"same","kind":"note","content":"of a, again"}`, 200, `"updated"`)

	p.want("DELETE", "/v1/memories/same?namespace=a", "", 204)
	p.want("GET", "/v1/memories/same?namespace=a", "", 410)
	p.want("GET", "/v1/memories/same?namespace=b", "", 200, `"of b"`)
	p.want("POST", "/v1/namespaces/b/memories", `{"id":"same","kind":"note","content":"of b, again"}`, 200, `"updated"`)
	p.want("POST", "/v1/provenance/verify", "", 200, `"ok":true`)
	p.want("DELETE", "/v1/namespaces/a?purge=true", "", 204)
	p.want("GET", "/v1/memories/same?namespace=b", "", 200, `"of b, again"`, `"verified"`)
	p.want("POST", "/v1/provenance/verify", "", 200, `"ok":true`)

	for _, path := range []string{"/v1/memories/same", "/v1/provenance/same", "/v1/memories/same?namespace=", "/v1/memories/same?namespace=a&namespace=b"} {
		p.want("GET", path, "", 422, "namespace")
	}
	p.want("DELETE", "/v1/memories/same", "", 422, "namespace")
}
