package pipeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
)

// TestOverlongContext: a value that every event repeats is bounded, whichever it is; the
// record that has it is kept as an event that says so, and nothing beside it is lost.
func TestOverlongContext(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for name, c := range map[string]struct{ records, says string }{
		"folder":   {`{"e":"user","id":"u1","cwd":"/%s","branch":"main","t":"Use tabs instead of spaces."}`, "its folder has 5001 bytes"},
		"branch":   {`{"e":"user","id":"u1","cwd":"/w","branch":"%s","t":"Use tabs instead of spaces."}`, "its branch has 5000 bytes"},
		"session":  {`{"e":"user","id":"u1","s":"%s","t":"Use tabs instead of spaces."}`, "its session has 5000 bytes"},
		"thread":   {`{"e":"user","id":"u1","th":"%s","t":"Use tabs instead of spaces."}`, "its thread has 5000 bytes"},
		"id":       {`{"e":"user","id":"%s","t":"Use tabs instead of spaces."}`, "its id has 5000 bytes"},
		"original": {`{"e":"user","id":"u1","copy":"%s","t":"Use tabs instead of spaces."}`, "its original has 5000 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			set, err := pipeline.NewSet(pipeline.Options{})
			if err != nil {
				t.Fatal(err)
			}
			st := set.Open(script{}, core.StreamInfo{}, "/t/0.jsonl")
			var said []string
			st.OnEvent(func(ev *core.Event) {
				if u, ok := ev.Body.(*core.Unknown); ok {
					said = append(said, u.Reason)
				}
				if n := len(ev.Session) + len(ev.Thread) + len(ev.ID) + len(ev.CopyOf); n > 200 {
					t.Errorf("ids of %d bytes", n)
				}
			})
			feed(st, fmt.Sprintf(c.records, long))
			decisions := 0
			for _, n := range set.Take() {
				if _, ok := n.Body.(*core.Decision); ok {
					decisions++
				}
				if n.Project != nil && len(n.Project.Cwd)+len(n.Project.Git.Branch) > 100 {
					t.Error("the node has the overlong value")
				}
			}
			if decisions != 1 {
				t.Errorf("%d decisions, want 1", decisions)
			}
			if len(said) != 1 || !strings.Contains(said[0], c.says) {
				t.Errorf("events say %q, want one with %q", said, c.says)
			}
			if stats := st.Stats(); stats.Malformed != 1 || !strings.Contains(stats.FirstMalformed.Reason, c.says) {
				t.Errorf("stats are %+v", stats)
			}
		})
	}
}

// TestOverlongIDsMeet: a rewind finds the turn whose id is overlong.
func TestOverlongIDsMeet(t *testing.T) {
	long := strings.Repeat("x", 5000)
	held := run(t, fmt.Sprintf(`{"e":"user","id":"%s","t":"Use tabs instead of spaces."}
{"e":"user","id":"u1","t":"Use Postgres instead of MySQL."}
{"e":"rewind","id":"r","to":"%s","seq":1}
`, long, long))
	gone := 0
	for _, n := range held {
		if d, ok := n.Body.(*core.Decision); ok && d.SupersededBy != "" {
			gone++
		}
	}
	if gone != 1 {
		t.Errorf("%d decisions are taken back, want 1", gone)
	}
}

// TestOverlongPath: an edit of a path that no system has is none, and its record is kept.
func TestOverlongPath(t *testing.T) {
	held := run(t, `{"e":"user","id":"u1","t":"Use tabs instead of spaces."}
{"e":"call","c":"c1","n":"Edit"}
{"e":"edit","c":"c1","path":"`+strings.Repeat("x", 5000)+`","lines":"+a\n"}
{"e":"result","c":"c1"}
{"e":"call","c":"c2","n":"Edit"}
{"e":"edit","c":"c2","path":"f.go","lines":"+a\n"}
{"e":"result","c":"c2"}
`)
	if n := count(held, "episode"); n != 1 {
		t.Errorf("%d episodes, want 1", n)
	}
}

// TestOverlongEdit: an edit that is over the limit is an event that says so and keeps the beginning of
// its record; one of just the limit is an edit.
func TestOverlongEdit(t *testing.T) {
	const header = len("--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n")
	edit := func(size int) string {
		return `{"e":"edit","c":"c1","path":"a.go","lines":"-a\n+` + strings.Repeat("x", size-header-len("-a\n+\n")) + `\n"}`
	}
	const most = 200_000
	for name, c := range map[string]struct {
		size, edits int
		says        string
	}{
		"at":   {most, 1, ""},
		"over": {most + 1, 0, "an edit of 200001 bytes, over the limit of 200000: not taken for one"},
	} {
		t.Run(name, func(t *testing.T) {
			set, err := pipeline.NewSet(pipeline.Options{MaxEdit: most})
			if err != nil {
				t.Fatal(err)
			}
			st := set.Open(script{}, core.StreamInfo{}, "/t/0.jsonl")
			edits, says := 0, ""
			st.OnEvent(func(ev *core.Event) {
				switch b := ev.Body.(type) {
				case *core.FileEdit:
					if edits++; len(b.Diff.Unified) != most {
						t.Errorf("the diff has %d bytes", len(b.Diff.Unified))
					}
				case *core.Unknown:
					if says = b.Reason; len(b.Raw.Bytes()) != 64<<10 {
						t.Errorf("%d bytes of the record are kept", len(b.Raw.Bytes()))
					}
				}
			})
			feed(st, edit(c.size))
			if edits != c.edits || says != c.says {
				t.Errorf("%d edits, and %q", edits, says)
			}
		})
	}
}
