package gemini_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// log is a transcript being written in a test.
type log struct {
	path  string
	lines []string
}

// started is a log with its header.
func started() *log {
	return new(log).line(`{"sessionId":"s","projectHash":"h","startTime":"2026-06-01T10:00:00.000Z","lastUpdated":"2026-06-01T10:00:00.000Z","kind":"main"}`)
}

// line writes a line as it is.
func (l *log) line(line string) *log {
	l.lines = append(l.lines, line)
	return l
}

// message is a message of a type, with more members.
func message(id, kind, more string) string {
	return fmt.Sprintf(`{"id":%q,"timestamp":"2026-06-01T10:00:01.000Z","type":%q,%s}`, id, kind, more)
}

// user is a prompt of one part.
func user(id, text string) string {
	return message(id, "user", fmt.Sprintf(`"content":[{"text":%s}]`, quoted(text)))
}

// says is a message of the model, with more members.
func says(id, text, more string) string {
	return message(id, "gemini", fmt.Sprintf(`"content":%s,"model":"m1"%s`, quoted(text), more))
}

// calls are the tool calls of a message.
func calls(list ...string) string { return `,"toolCalls":[` + strings.Join(list, ",") + `]` }

// did is a call that ended.
func did(id, name, args, status, told, more string) string {
	return fmt.Sprintf(`{"id":%q,"name":%q,"args":%s,"status":%q,"timestamp":"2026-06-01T10:00:02.000Z",`+
		`"result":[{"functionResponse":{"id":%q,"name":%q,"response":{"output":%s}}}]%s}`, id, name, args, status, id, name, quoted(told), more)
}

// does is a call that has not ended.
func does(id, name, args, status string) string {
	return fmt.Sprintf(`{"id":%q,"name":%q,"args":%s,"status":%q,"timestamp":"2026-06-01T10:00:02.000Z"}`, id, name, args, status)
}

// list is a line that replaces all messages.
func list(messages ...string) string {
	return `{"$set":{"messages":[` + strings.Join(messages, ",") + `]}}`
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

// document is a session of one document.
func document(messages ...string) string {
	return `{"sessionId":"s","projectHash":"h","startTime":"2026-01-01T10:00:00.000Z","lastUpdated":"2026-01-01T10:00:00.000Z","messages":[` +
		strings.Join(messages, ",") + `]}`
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
		path = ".gemini/tmp/w/chats/session-2026-06-01T10-00-s.jsonl"
	}
	check(t, path, strings.Join(l.lines, "\n")+"\n", want...)
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
