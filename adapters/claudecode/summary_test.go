package claudecode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// summarize parses lines of a transcript.
func summarize(t testing.TB, path, data string) []string {
	t.Helper()
	var got []string
	events(t, path, []byte(data), func(ev *core.Event) { got = append(got, adaptertest.Summary(ev)) })
	return got
}

// session is a transcript being written in a test: each record gets an id and
// hangs on the one before.
type session struct {
	version string
	n       int
	b       strings.Builder
}

// add writes a record that hangs on the last one.
func (s *session) add(fields string) *session {
	parent := "null"
	if s.n > 0 {
		parent = fmt.Sprintf(`"r%d"`, s.n)
	}
	return s.on(parent, fields)
}

// on writes a record that hangs on the given one.
func (s *session) on(parent, fields string) *session {
	s.n++
	if s.version == "" {
		s.version = "2.1.220"
	}
	fmt.Fprintf(&s.b, `{"parentUuid":%s,"isSidechain":false,"cwd":"/w","sessionId":"s","version":"%s","gitBranch":"main","uuid":"r%d",%s}`+"\n",
		parent, s.version, s.n, fields)
	return s
}

// line writes a line as it is.
func (s *session) line(line string) *session {
	s.b.WriteString(line + "\n")
	return s
}

// user is a user record with a text.
func user(text string) string {
	return fmt.Sprintf(`"type":"user","message":{"role":"user","content":%q}`, text)
}

// says is an assistant record with a text.
func says(text string) string {
	return fmt.Sprintf(`"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"text","text":%q}]}`, text)
}

// calls is an assistant record with a call.
func calls(id, name, input string) string {
	return fmt.Sprintf(`"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"%s","name":"%s","input":%s}]}`, id, name, input)
}

// answers is a user record with the result of a call, and more members.
func answers(id, content, more string) string {
	return fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s","content":%s}]}%s`, id, content, more)
}

// fails is a user record with the failed result of a call.
func fails(id, text string) string {
	return fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s","is_error":true,"content":%q}]}`, id, text)
}

// check holds the events of a session, from the first human turn on, against
// what is wanted.
func (s *session) check(t *testing.T, want ...string) {
	t.Helper()
	got := summarize(t, "projects/w/s.jsonl", s.b.String())
	if len(got) > 0 && strings.HasPrefix(got[0], "start ") {
		got = got[1:]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s\nof\n%s", diff, s.b.String())
	}
}
