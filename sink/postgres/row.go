package postgres

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/internal/pg"
)

// column is a column of nodes, and how its value follows from a node. A nil value is NULL.
type column struct {
	name string
	of   func(node jsondoc.Value) any
}

// columns returns all columns but id, digest, words and json, which follow from the line as a
// whole.
func columns() []column {
	return []column{
		{"n", func(v jsondoc.Value) any {
			t, err := time.Parse(time.RFC3339Nano, v.Get("timestamp").Str())
			if err != nil {
				return int64(-1)
			}
			return t.UnixMilli()
		}},
		{"kind", must("node")},
		{"source", must("source")},
		{"session", must("session_id")},
		{"thread", must("thread_id")},
		{"seq", whole("seq")},
		{"timestamp", text("timestamp")},
		{"project", func(v jsondoc.Value) any {
			if root := clean(v.Path("project", "repo_root").Str()); root != "" {
				return root
			}
			return clean(v.Path("project", "cwd").Str())
		}},
		{"cwd", text("project", "cwd")},
		{"branch", either(text("git", "branch"), text("project", "git", "branch"))},
		{"sha", either(text("git", "sha"), text("project", "git", "sha"))},
		{"speaker", only("conversation", text("speaker"))},
		{"is_ban", only("decision", func(v jsondoc.Value) any { return v.Get("is_ban").Bool() })},
		{"decided_by", only("decision", text("decided_by"))},
		{"superseded_by", only("decision", text("superseded_by"))},
		{"path", only("episode", must("path"))},
		{"old_path", only("episode", text("diff", "old_path"))},
		{"base", only("episode", func(v jsondoc.Value) any { return baseOf(clean(v.Get("path").Str())) })},
		{"change", only("episode", text("diff", "change"))},
		{"added", only("episode", whole("diff", "added_lines"))},
		{"removed", only("episode", whole("diff", "removed_lines"))},
		{"tool", only("episode", text("tool"))},
		{"call_id", only("episode", text("call_id"))},
		{"from_id", only("binding", must("from"))},
		{"to_id", only("binding", must("to"))},
		{"relation", only("binding", text("relation"))},
		{"evidence", only("binding", text("evidence"))},
		{"memory_action", text("memory", "action")},
		{"memory_store", ofMemory("store")},
		{"memory_key", ofMemory("key")},
		{"title", only("decision", either(text("title"), text("epitome")))},
		{"text", either(text("text"), either(text("epitome"), text("diff", "unified")))},
		{"confirmation", only("decision", text("confirmation"))},
		{"considered_options", only("decision", func(v jsondoc.Value) any {
			if options := v.Get("considered_options"); options.Exists() {
				return string(options.Raw())
			}
			return nil
		})},
	}
}

// clean returns a text as PostgreSQL takes it: each character U+0000 becomes U+FFFD.
func clean(s string) string { return strings.ReplaceAll(s, "\x00", "\ufffd") }

// baseOf returns the last element of a path of any system.
func baseOf(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// text returns a function that reads a text at a path of the node, NULL if it is missing or
// empty.
func text(path ...string) func(jsondoc.Value) any {
	return func(v jsondoc.Value) any {
		if s := clean(v.Path(path...).Str()); s != "" {
			return s
		}
		return nil
	}
}

// must returns a function that reads a text at a path of the node, "" if it is missing.
func must(path ...string) func(jsondoc.Value) any {
	return func(v jsondoc.Value) any { return clean(v.Path(path...).Str()) }
}

// whole returns a function that reads a whole number at a path of the node, 0 if it is missing.
func whole(path ...string) func(jsondoc.Value) any {
	return func(v jsondoc.Value) any {
		n, _ := v.Path(path...).Int()
		return n
	}
}

// only returns a function that is NULL for nodes of other kinds.
func only(kind string, of func(jsondoc.Value) any) func(jsondoc.Value) any {
	return func(v jsondoc.Value) any {
		if v.Get("node").Is(kind) {
			return of(v)
		}
		return nil
	}
}

// either returns a function that reads the first of two values, or the second if that is NULL.
func either(a, b func(jsondoc.Value) any) func(jsondoc.Value) any {
	return func(v jsondoc.Value) any {
		if is := a(v); is != nil {
			return is
		}
		return b(v)
	}
}

// ofMemory returns a function that reads a member of a call about a memory, NULL for all other
// nodes.
func ofMemory(name string) func(jsondoc.Value) any {
	return func(v jsondoc.Value) any {
		if v.Path("memory", "action").Str() == "" {
			return nil
		}
		return clean(v.Path("memory", name).Str())
	}
}

// names returns the columns in the order in which a row has them.
func names() []string {
	all := []string{"id", "digest", "json", "words"}
	for _, c := range columns() {
		all = append(all, c.name)
	}
	return all
}

// searchBytes is how many bytes of a text can be searched for: its beginning.
const searchBytes = 4096

// row returns the values of a line in the order of names. The line must be a whole node with
// the id that came with it.
func (s *Sink) row(l *sink.Line) ([]any, error) {
	n, err := s.doc.Parse(l.JSON)
	if err != nil {
		return nil, fmt.Errorf("read node %s: %w", l.ID, err)
	}
	root := s.doc.Root()
	if n != len(l.JSON) || !root.Get("schema").Is(core.NodeSchema) {
		return nil, fmt.Errorf("read node %s: it is not a %s", l.ID, core.NodeSchema)
	}
	if !root.Get("id").Is(l.ID) {
		return nil, fmt.Errorf("read node %s: it calls itself %s", l.ID, root.Get("id").Raw())
	}
	sum := sha256.Sum256(l.JSON)
	row := []any{l.ID, sum[:16], string(l.JSON), pg.Vector(wordsOf(root), nil)}
	for _, c := range s.columns {
		row = append(row, c.of(root))
	}
	return row, nil
}

// wordsOf returns the text by which a node is found: what was said, a decision's title, words
// and options, or an edit's path.
func wordsOf(v jsondoc.Value) string {
	switch v.Get("node").Str() {
	case "conversation":
		return pg.Cut(v.Get("text").Str(), searchBytes)
	case "decision":
		all := []string{v.Get("title").Str(), v.Get("epitome").Str()}
		for option := range v.Get("considered_options").Elems() {
			all = append(all, option.Get("text").Str())
		}
		return pg.Cut(strings.Join(all, "\n"), searchBytes)
	case "episode":
		return v.Get("path").Str()
	}
	return ""
}
