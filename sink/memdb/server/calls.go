package server

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// health answers GET /v1/health. With ?at= it says whether the chain has had that
// head.
func (s *Server) health(w http.ResponseWriter, r *http.Request) error {
	kind, head, err := s.calls.Health(r.Context())
	if err != nil {
		return err
	}
	h := api.Health{Status: "ok", Version: s.options.Version, Store: kind, Length: head.Length, Head: head.String()}
	if text := r.URL.Query().Get("at"); text != "" {
		seq, err := strconv.ParseInt(text, 10, 64)
		if err != nil || seq < 1 {
			return api.NewProblem(api.BadRequest, "at is the number of an entry, from 1 on")
		}
		if h.At, err = s.calls.HashAt(r.Context(), seq); err != nil {
			return err
		}
	}
	return give(w, http.StatusOK, &h)
}

// putNamespace answers PUT /v1/namespaces/{name}: 201 if it is new.
func (s *Server) putNamespace(w http.ResponseWriter, r *http.Request) error {
	var put api.NamespacePut
	if err := take(r, &put); err != nil {
		return err
	}
	n, created, err := s.calls.PutNamespace(r.Context(), r.PathValue("name"), put)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return give(w, status, &n)
}

// patchNamespace answers PATCH /v1/namespaces/{name}.
func (s *Server) patchNamespace(w http.ResponseWriter, r *http.Request) error {
	var patch api.NamespacePatch
	if err := take(r, &patch); err != nil {
		return err
	}
	n, err := s.calls.PatchNamespace(r.Context(), r.PathValue("name"), patch)
	if err != nil {
		return err
	}
	return give(w, http.StatusOK, &n)
}

// deleteNamespace answers DELETE /v1/namespaces/{name}; ?purge=true deletes its
// memories too.
func (s *Server) deleteNamespace(w http.ResponseWriter, r *http.Request) error {
	purge := false
	if text := r.URL.Query().Get("purge"); text != "" {
		var err error
		if purge, err = strconv.ParseBool(text); err != nil {
			return api.NewProblem(api.BadRequest, "purge is true or false")
		}
	}
	if err := s.calls.DeleteNamespace(r.Context(), r.PathValue("name"), purge); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// write answers POST /v1/namespaces/{name}/memories, for one memory or a batch.
func (s *Server) write(w http.ResponseWriter, r *http.Request) error {
	body, err := read(r)
	if err != nil {
		return err
	}
	batch, single, err := parse(body)
	if err != nil {
		return err
	}
	results, err := s.calls.Write(r.Context(), r.PathValue("name"), batch.Memories)
	if err != nil {
		return err
	}
	if single {
		return give(w, http.StatusOK, &results[0])
	}
	return give(w, http.StatusOK, &api.BatchResult{Results: results})
}

// parse reads a memory or a batch.
func parse(body []byte) (batch api.Batch, single bool, err error) {
	if isBatch(body) {
		return batch, false, api.Decode(body, &batch)
	}
	var one api.MemoryWrite
	err = api.Decode(body, &one)
	return api.Batch{Memories: []api.MemoryWrite{one}}, true, err
}

// isBatch reports whether a JSON object has the member memories. It reads only as far as
// necessary; a text that is not JSON is reported when it is decoded.
func isBatch(body []byte) bool {
	d := jsontext.NewDecoder(bytes.NewReader(body))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return false
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return false
		}
		if name.String() == "memories" {
			return true
		}
		if d.SkipValue() != nil {
			return false
		}
	}
	return false
}

// namespaceOf returns the namespace of a call by id, from the query. It must be given: there is
// no default.
func namespaceOf(r *http.Request) (string, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if names := query["namespace"]; err == nil && len(names) == 1 && names[0] != "" {
		return names[0], nil
	}
	return "", api.NewProblem(api.BadRequest, "name the namespace of the memory, once: ?namespace=")
}

// get answers GET /v1/memories/{id}?namespace=.
func (s *Server) get(w http.ResponseWriter, r *http.Request) error {
	namespace, err := namespaceOf(r)
	if err != nil {
		return err
	}
	a, err := s.calls.Get(r.Context(), namespace, r.PathValue("id"))
	if err != nil {
		return err
	}
	return give(w, http.StatusOK, &a)
}

// forget answers DELETE /v1/memories/{id}?namespace=.
func (s *Server) forget(w http.ResponseWriter, r *http.Request) error {
	namespace, err := namespaceOf(r)
	if err != nil {
		return err
	}
	if err := s.calls.Forget(r.Context(), namespace, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// search answers POST /v1/search.
func (s *Server) search(w http.ResponseWriter, r *http.Request) error {
	var request api.SearchRequest
	if err := take(r, &request); err != nil {
		return err
	}
	found, err := s.calls.Search(r.Context(), request)
	if err != nil {
		return err
	}
	return give(w, http.StatusOK, &found)
}

// provenance answers GET /v1/provenance/{id}?namespace=.
func (s *Server) provenance(w http.ResponseWriter, r *http.Request) error {
	namespace, err := namespaceOf(r)
	if err != nil {
		return err
	}
	a, err := s.calls.Provenance(r.Context(), namespace, r.PathValue("id"))
	if err != nil {
		return err
	}
	return give(w, http.StatusOK, &a)
}

// verify answers POST /v1/provenance/verify with the first bad entry, if there is
// one.
func (s *Server) verify(w http.ResponseWriter, r *http.Request) error {
	report, err := s.calls.Verify(r.Context())
	if err != nil {
		return err
	}
	return give(w, http.StatusOK, &report)
}
