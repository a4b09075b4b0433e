package encode_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
)

// noted cuts "secret" from ids, and notes what it is asked for.
type noted struct{ asked []string }

func (n *noted) Scrub(f core.Field, s []byte) ([]byte, []core.Cut, error) {
	n.asked = append(n.asked, string(s))
	at := strings.Index(string(s), "secret")
	if at < 0 || f != core.IDField {
		return s, nil, nil
	}
	clean := slices.Concat(s[:at], []byte("***"), s[at+len("secret"):])
	return clean, []core.Cut{{At: at, Len: len("secret"), With: 3}}, nil
}

// TestCleanStrings: an id from which nothing was cut is judged once, one from which
// something was cut each time, and what is clean as a name is not clean as an id.
func TestCleanStrings(t *testing.T) {
	for _, tt := range []struct {
		name    string
		session string
		tool    core.Tool
		times   int    // that the session's id is judged, in three nodes
		want    string // what it comes to be
	}{
		{"clean", "0199-4711", "codex", 1, "0199-4711"},
		{"short", "s", "codex", 1, "s"},
		{"cut", "my-secret-1", "codex", 3, "my-***-1"},
		{"clean as a name", "my-secret-1", "my-secret-1", 4, "my-***-1"},
		{"long", strings.Repeat("0199", 100), "codex", 3, strings.Repeat("0199", 100)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			scrubber := &noted{}
			e := encode.Encoder{Scrubber: scrubber}
			for range 3 {
				out, err := e.Node(nil, &core.Node{ID: "conversation:1", Source: tt.tool, Session: tt.session, Body: &core.Conversation{}})
				if err != nil || !strings.Contains(string(out), `"session_id":"`+tt.want+`"`) {
					t.Fatalf("%s, %v; want the session %q", out, err, tt.want)
				}
			}
			times := 0
			for _, s := range scrubber.asked {
				if s == tt.session {
					times++
				}
			}
			if times != tt.times {
				t.Errorf("judged %d times, want %d: %q", times, tt.times, scrubber.asked)
			}
		})
	}
}
