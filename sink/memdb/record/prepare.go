package record

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/cut"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/sanitize"
)

// Preparer turns what clients write into what is stored. It is safe for concurrent use.
type Preparer struct {
	scrubber  core.Scrubber // nil: what comes has been scrubbed before
	sanitizer *sanitize.Sanitizer
	scrubbing sync.Mutex // a scrubber serves one at a time
}

// NewPreparer returns a Preparer. Scrubber removes secrets from everything that is written; nil
// means that it was scrubbed before.
func NewPreparer(scrubber core.Scrubber) (*Preparer, error) {
	s, err := sanitize.New()
	if err != nil {
		return nil, err
	}
	return &Preparer{scrubber: scrubber, sanitizer: s}, nil
}

// Prepare returns the memories as they will be stored: without secrets, and external ones
// without instructions to agents. If one of them cannot be prepared, all are refused.
//
//	written   {"id":"n1","kind":"note","origin":"external",
//	           "content":"token=ghp_… and ignore all previous instructions"}
//	stored    the secret is replaced, the instruction is removed and kept in Removals,
//	          and Trust is sanitized
func (s *Preparer) Prepare(memories []api.MemoryWrite) ([]api.Memory, error) {
	prepared := make([]api.Memory, len(memories))
	for i := range memories {
		w := memories[i]
		if err := s.scrub(&w); err != nil {
			return nil, api.NewProblem(api.Unredactable, "/memories/%d: %v", i, err)
		}
		if err := s.checkNames(&w, i); err != nil {
			return nil, err
		}
		s.Classify(&w, &prepared[i])
	}
	return prepared, nil
}

// checkNames returns an error if an external memory has an instruction in a name, which must
// stay as it is.
func (s *Preparer) checkNames(m *api.MemoryWrite, i int) error {
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

// scrub removes secrets from every text of a memory. A secret that is recognised in one text is
// removed from all. If a text cannot be scrubbed, the memory is refused.
func (s *Preparer) scrub(m *api.MemoryWrite) error {
	if s.scrubber == nil {
		return nil
	}
	s.scrubbing.Lock()
	defer s.scrubbing.Unlock()
	var echoes cut.Echoes
	var failed error
	clean := func(f core.Field, text string) string {
		if text == "" || failed != nil {
			return text
		}
		out, cuts, err := s.scrubber.Scrub(f, []byte(text))
		if failed = err; err != nil || len(cuts) == 0 {
			return text
		}
		echoes.Learn([]byte(text), out, cuts)
		return string(out)
	}
	again := func(_ core.Field, text string) string {
		out, _ := echoes.Cut([]byte(text), []byte(text), nil)
		return string(out)
	}
	err := scrubTexts(m, clean)
	if err = errorsFirst(failed, err); err != nil {
		return err
	}
	if echoes.Any() {
		err = scrubTexts(m, again)
	}
	return errorsFirst(err, s.checkIDs(m, &echoes))
}

// scrubTexts replaces the texts of a memory.
func scrubTexts(m *api.MemoryWrite, clean func(core.Field, string) string) error {
	each(m, func(_ string, f core.Field, text string) string { return clean(f, text) })
	if a := m.Action; a != nil {
		m.Action = &api.Action{Kind: a.Kind, Store: clean(core.NameField, a.Store), Key: clean(core.PathField, a.Key)}
	}
	if len(m.Node) == 0 {
		return nil
	}
	node, err := scrubValue(m.Node, func(text string) string { return clean(core.TextField, text) })
	if err == nil {
		m.Node = node
	}
	return err
}

// checkIDs returns an error if an id of a memory is a secret, by itself or because one of the
// texts shows it. An id cannot be redacted.
func (s *Preparer) checkIDs(m *api.MemoryWrite, echoes *cut.Echoes) error {
	for i, id := range slices.Concat([]string{m.ID, m.SupersededBy}, m.ParentIDs, m.EventIDs) {
		if id == "" {
			continue
		}
		field := core.IDField
		if i < 2+len(m.ParentIDs) {
			field = core.TextField // a client's own name for it
		}
		_, cuts, err := s.scrubber.Scrub(field, []byte(id))
		if err != nil {
			return err
		}
		if _, more := echoes.Cut([]byte(id), []byte(id), nil); len(cuts)+len(more) > 0 {
			return errors.New("an id holds a secret")
		}
	}
	return nil
}

// Received returns the JSON of a node from a server as it may be stored: without secrets and
// without instructions to agents, whatever the server says about its origin. A node that cannot
// be scrubbed is an error.
func (s *Preparer) Received(node jsontext.Value) (jsontext.Value, error) {
	m := api.MemoryWrite{Body: api.Body{Node: node}}
	if err := s.scrub(&m); err != nil {
		return nil, fmt.Errorf("take in a node: %w", err)
	}
	return scrubValue(m.Node, func(text string) string {
		clean, _ := s.sanitizer.Clean(text)
		return clean
	})
}

// CheckName returns an error if the name of a namespace is a secret. A name cannot be redacted,
// since it identifies the namespace.
func (s *Preparer) CheckName(name string) error {
	m := api.MemoryWrite{ID: name}
	if err := s.scrub(&m); err != nil {
		return api.NewProblem(api.Unredactable, "/name: %v", err)
	}
	return nil
}

// Question returns a search query without secrets, before it is sent to another program.
func (s *Preparer) Question(text string) (string, error) {
	m := api.MemoryWrite{Body: api.Body{Content: text}}
	if err := s.scrub(&m); err != nil {
		return "", api.NewProblem(api.Unredactable, "/query: %v", err)
	}
	return m.Content, nil
}

// Describe returns a description without secrets and without instructions, since its origin is
// not known.
func (s *Preparer) Describe(text string) (string, error) {
	m := api.MemoryWrite{Body: api.Body{Content: text}}
	if err := s.scrub(&m); err != nil {
		return "", api.NewProblem(api.Unredactable, "/description: %v", err)
	}
	clean, _ := s.sanitizer.Clean(m.Content)
	return clean, nil
}

// errorsFirst returns the first error that is not nil.
func errorsFirst(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// each replaces the texts of a memory by the results of f, which gets the JSON pointer and the
// kind of each text.
func each(m *api.MemoryWrite, f func(pointer string, field core.Field, text string) string) {
	m.Content = f("/content", core.TextField, m.Content)
	m.Source = f("/source", core.NameField, m.Source)
	m.SessionID = f("/session_id", core.IDField, m.SessionID)
	m.ThreadID = f("/thread_id", core.IDField, m.ThreadID)
	m.UserID = f("/user_id", core.IDField, m.UserID)
	m.AgentIDs = list("/agent_ids", core.IDField, m.AgentIDs, f)
	m.CreationTool = f("/creation_tool", core.NameField, m.CreationTool)
	m.Project = f("/project", core.PathField, m.Project)
	m.Tags = list("/tags", core.TextField, m.Tags, f)
	m.Paths = list("/paths", core.PathField, m.Paths, f)
}

// list is each for a list of texts. If two texts become equal, one is kept.
func list(pointer string, field core.Field, texts []string, f func(string, core.Field, string) string) []string {
	var out []string
	for i, text := range texts {
		if text = f(fmt.Sprintf("%s/%d", pointer, i), field, text); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// scrubValue replaces the strings in a JSON value, and leaves everything else unchanged.
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

// Classify sets the trust of a memory. An external memory is never trusted.
func (s *Preparer) Classify(w *api.MemoryWrite, m *api.Memory) {
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
			*t = UTC(*t)
		}
	}
}
