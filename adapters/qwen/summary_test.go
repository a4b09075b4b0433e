package qwen_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// log is a transcript being written in a test: each record gets a uuid and hangs
// on the one before.
type log struct {
	path string
	n    int
	b    strings.Builder
}

// add writes a record that hangs on the last one.
func (l *log) add(fields string) *log {
	if l.n == 0 {
		return l.on("null", fields)
	}
	return l.on(fmt.Sprintf(`"r%d"`, l.n), fields)
}

// on writes a record that hangs on the given one.
func (l *log) on(parent, fields string) *log {
	l.n++
	return l.record(fmt.Sprintf("r%d", l.n), parent, fields)
}

// record writes a record with a given uuid.
func (l *log) record(uuid, parent, fields string) *log {
	return l.line(fmt.Sprintf(`{"uuid":%q,"parentUuid":%s,"sessionId":"s","timestamp":"2026-06-01T10:00:00.000Z","cwd":"/w","version":"0.24.4",%s}`, uuid, parent, fields))
}

// line writes a line as it is.
func (l *log) line(line string) *log {
	l.b.WriteString(line + "\n")
	return l
}

// user is a prompt of one part.
func user(text string) string { return userOf(`[{"text":`+quoted(text)+`}]`, "") }

// userOf is a record of type user, with more members.
func userOf(parts, more string) string {
	return `"type":"user","message":{"role":"user","parts":` + parts + `}` + more
}

// says is a response of the model.
func says(text string) string { return responds(`[{"text":`+quoted(text)+`}]`, "") }

func responds(parts, more string) string {
	return `"type":"assistant","model":"m1","message":{"role":"model","parts":` + parts + `}` + more
}

// calls is a response with a call.
func calls(id, name, args string) string {
	return responds(fmt.Sprintf(`[{"functionCall":{"id":%q,"name":%q,"args":%s}}]`, id, name, args), "")
}

// answers is the result of a call.
func answers(id, name, told, status, more string) string {
	return fmt.Sprintf(`"type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":%q,"name":%q,"response":{"output":%s}}}]},`+
		`"toolCallResult":{"callId":%q,"status":%q%s}`, id, name, quoted(told), id, status, more)
}

// system is a notice of the client.
func system(subtype, payload string) string {
	return fmt.Sprintf(`"type":"system","subtype":%q,"systemPayload":%s`, subtype, payload)
}

// quoted writes a string as JSON, as the client does.
func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// summarize parses a transcript.
func summarize(t testing.TB, path, data string) []string {
	t.Helper()
	var got []string
	events(t, path, []byte(data), func(ev *core.Event) { got = append(got, adaptertest.Summary(ev)) })
	return got
}

// check holds the events of a log after its start against what is wanted.
func (l *log) check(t *testing.T, want ...string) {
	t.Helper()
	path := l.path
	if path == "" {
		path = ".qwen/projects/-w/chats/s.jsonl"
	}
	check(t, path, l.b.String(), want...)
}

func check(t *testing.T, path, data string, want ...string) {
	t.Helper()
	got := summarize(t, path, data)
	if len(got) > 0 && strings.HasPrefix(got[0], "start") {
		got = got[1:]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s\nof\n%s", diff, data)
	}
}
