package server

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
)

func (s *Server) health(w http.ResponseWriter, r *http.Request) error {
	head, err := s.options.Store.Head(r.Context())
	if err != nil {
		return err
	}
	return give(w, http.StatusOK, &api.Health{
		Status: "ok", Version: s.options.Version, Store: s.options.Store.Kind(), Length: head.Length, Head: head.String(),
	})
}

func (s *Server) putNamespace(w http.ResponseWriter, r *http.Request) error {
	if err := may(r, access.Admin, r.PathValue("name")); err != nil {
		return err
	}
	var put api.NamespacePut
	if err := take(r, &put); err != nil {
		return err
	}
	n, created, err := s.options.Store.PutNamespace(r.Context(), r.PathValue("name"), put)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return give(w, status, &n)
}

func (s *Server) patchNamespace(w http.ResponseWriter, r *http.Request) error {
	if err := may(r, access.Admin, r.PathValue("name")); err != nil {
		return err
	}
	var patch api.NamespacePatch
	if err := take(r, &patch); err != nil {
		return err
	}
	n, err := s.options.Store.PatchNamespace(r.Context(), r.PathValue("name"), patch)
	if err != nil {
		return err
	}
	return give(w, http.StatusOK, &n)
}

func (s *Server) deleteNamespace(w http.ResponseWriter, r *http.Request) error {
	if err := may(r, access.Admin, r.PathValue("name")); err != nil {
		return err
	}
	purge := false
	if text := r.URL.Query().Get("purge"); text != "" {
		var err error
		if purge, err = strconv.ParseBool(text); err != nil {
			return api.NewProblem(api.BadRequest, "purge is true or false")
		}
	}
	if err := s.options.Store.DeleteNamespace(r.Context(), r.PathValue("name"), purge); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Server) write(w http.ResponseWriter, r *http.Request) error {
	if err := may(r, access.Write, r.PathValue("name")); err != nil {
		return err
	}
	body, err := read(r)
	if err != nil {
		return err
	}
	batch, single, err := parse(body)
	if err != nil {
		return err
	}
	if err = mayWrite(r, r.PathValue("name"), batch.Memories); err != nil {
		return err
	}
	results, err := s.options.Store.Write(r.Context(), r.PathValue("name"), batch.Memories)
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

// isBatch reports whether an object has memories, as far as it can be read: what
// is no JSON at all will be said by who decodes it. It reads no further than there.
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

// namespaceOf is the namespace in which a call by id looks, and in which its caller
// needs a right. There is none that is meant if none is named.
func namespaceOf(r *http.Request, right access.Right) (string, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if names := query["namespace"]; err == nil && len(names) == 1 && names[0] != "" {
		return names[0], may(r, right, names[0])
	}
	return "", api.NewProblem(api.BadRequest, "name the namespace of the memory, once: ?namespace=")
}

func (s *Server) get(w http.ResponseWriter, r *http.Request) error {
	namespace, err := namespaceOf(r, access.Read)
	if err != nil {
		return err
	}
	a, err := s.options.Store.Get(r.Context(), namespace, r.PathValue("id"))
	if err != nil {
		return err
	}
	return give(w, http.StatusOK, &a)
}

func (s *Server) forget(w http.ResponseWriter, r *http.Request) error {
	namespace, err := namespaceOf(r, access.Forget)
	if err != nil {
		return err
	}
	if err := s.options.Store.Forget(r.Context(), namespace, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Server) search(w http.ResponseWriter, r *http.Request) error {
	var request api.SearchRequest
	if err := take(r, &request); err != nil {
		return err
	}
	if err := may(r, access.Read, request.Namespaces...); err != nil {
		return err
	}
	found, err := s.options.Store.Search(r.Context(), request)
	if err != nil {
		return err
	}
	return give(w, http.StatusOK, &found)
}

func (s *Server) provenance(w http.ResponseWriter, r *http.Request) error {
	namespace, err := namespaceOf(r, access.Read)
	if err != nil {
		return err
	}
	a, err := s.options.Store.Provenance(r.Context(), namespace, r.PathValue("id"))
	if err != nil {
		return err
	}
	return give(w, http.StatusOK, &a)
}

func (s *Server) verify(w http.ResponseWriter, r *http.Request) error {
	if err := may(r, access.Admin, access.Everywhere); err != nil {
		return err
	}
	report, err := s.options.Store.Verify(r.Context())
	if err != nil {
		return err
	}
	return give(w, http.StatusOK, &report)
}
