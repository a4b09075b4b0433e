package store

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/sink/memdb/api"
)

// prepare makes of what a client wrote what will be stored: without secrets, and
// without orders to agents in what came from outside. Others write meanwhile.
func (s *Store) prepare(memories []api.MemoryWrite) ([]api.Memory, error) {
	prepared := make([]api.Memory, len(memories))
	for i := range memories {
		w := memories[i]
		if err := s.scrub(&w); err != nil {
			return nil, api.NewProblem(api.Unredactable, "/memories/%d: %v", i, err)
		}
		if err := s.checkNames(&w, i); err != nil {
			return nil, err
		}
		s.classify(&w, &prepared[i])
	}
	return prepared, nil
}

// checkNames refuses what came from outside and gives orders in a name that must
// stay as it is.
func (s *Store) checkNames(m *api.MemoryWrite, i int) error {
	if m.Origin == api.Internal {
		return nil
	}
	names := slices.Concat([]string{m.ID, m.SupersededBy}, m.ParentIDs, m.EventIDs)
	if m.Action != nil {
		names = append(names, m.Action.Store, m.Action.Key)
	}
	for _, name := range names {
		if _, removals := s.sanitizer.Clean(name); len(removals) > 0 {
			return api.NewProblem(api.BadRequest, "/memories/%d: an id or a name in it gives orders to an agent (%s)", i, removals[0].Rule)
		}
	}
	return nil
}

// scrub takes secrets out of every text of a memory. If one cannot be searched
// for secrets, the memory is not taken.
func (s *Store) scrub(m *api.MemoryWrite) error {
	if s.options.Scrubber == nil {
		return nil
	}
	s.scrubbing.Lock()
	defer s.scrubbing.Unlock()
	var failed error
	clean := func(f core.Field, text string) string {
		if text == "" || failed != nil {
			return text
		}
		out, cuts, err := s.options.Scrubber.Scrub(f, []byte(text))
		if failed = err; err != nil || len(cuts) == 0 {
			return text
		}
		return string(out)
	}
	each(m, func(_ string, f core.Field, text string) string { return clean(f, text) })
	if a := m.Action; a != nil {
		m.Action = &api.Action{Kind: a.Kind, Store: clean(core.NameField, a.Store), Key: clean(core.PathField, a.Key)}
	}
	if failed != nil || len(m.Node) == 0 {
		return failed
	}
	node, err := scrubValue(m.Node, func(text string) string { return clean(core.TextField, text) })
	if err == nil {
		m.Node = node
	}
	return errorsFirst(failed, err)
}

func errorsFirst(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// each replaces the texts of a memory by what f makes of them; f is told where
// they stand and what they are.
func each(m *api.MemoryWrite, f func(pointer string, field core.Field, text string) string) {
	m.Content = f("/content", core.TextField, m.Content)
	m.Source = f("/source", core.NameField, m.Source)
	m.SessionID = f("/session_id", core.IDField, m.SessionID)
	m.ThreadID = f("/thread_id", core.IDField, m.ThreadID)
	m.Project = f("/project", core.PathField, m.Project)
	m.Tags = list("/tags", core.TextField, m.Tags, f)
	m.Paths = list("/paths", core.PathField, m.Paths, f)
}

// list is each for a list. What becomes the same twice stands once.
func list(pointer string, field core.Field, texts []string, f func(string, core.Field, string) string) []string {
	var out []string
	for i, text := range texts {
		if text = f(fmt.Sprintf("%s/%d", pointer, i), field, text); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// scrubValue replaces the strings in a JSON value, and leaves everything else.
func scrubValue(v jsontext.Value, clean func(string) string) (jsontext.Value, error) {
	out := make([]byte, 0, len(v))
	at := 0
	for at < len(v) {
		if v[at] != '"' {
			out = append(out, v[at])
			at++
			continue
		}
		end := at + 1
		for v[end] != '"' {
			if v[end] == '\\' {
				end++
			}
			end++
		}
		end++
		text, err := jsontext.AppendUnquote(nil, v[at:end])
		if err != nil {
			return nil, err
		}
		if cleaned := clean(string(text)); cleaned != string(text) {
			if out, err = jsontext.AppendQuote(out, cleaned); err != nil {
				return nil, err
			}
		} else {
			out = append(out, v[at:end]...)
		}
		at = end
	}
	return out, nil
}

// classify gives a memory its trust. What came from outside is never trusted.
func (s *Store) classify(w *api.MemoryWrite, m *api.Memory) {
	if w.Origin == api.Internal {
		*m = api.Memory{ID: w.ID, Body: w.Body, Trust: api.Trusted}
	} else {
		copied := *w
		*m = api.Memory{Trust: api.Untrusted}
		each(&copied, func(pointer string, _ core.Field, text string) string {
			clean, removals := s.sanitizer.Clean(text)
			for _, r := range removals {
				m.Removals = append(m.Removals, api.Removal{Field: pointer, Rule: r.Rule, Offset: r.Offset, Removed: []byte(r.Text)})
			}
			return clean
		})
		m.ID, m.Body = copied.ID, copied.Body
		m.Origin = api.External
		if len(m.Removals) > 0 {
			m.Trust = api.Sanitized
		}
	}
	for _, t := range []*string{&m.ValidAt, &m.InvalidAt} {
		if *t != "" {
			*t = utc(*t)
		}
	}
}
