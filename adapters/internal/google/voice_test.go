package google_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/internal/stream"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// quoted writes a string as JSON, as the clients do.
func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// body is a string as written in JSON, without the quotes.
func body(s string) []byte {
	q := quoted(s)
	return []byte(q[1 : len(q)-1])
}

func value(t testing.TB, data string) jsondoc.Value {
	t.Helper()
	var doc jsondoc.Doc
	if _, err := doc.Parse([]byte(data)); err != nil {
		t.Fatal(err)
	}
	return doc.Root()
}

func TestJudge(t *testing.T) {
	tests := []struct {
		text string
		want google.Voice
	}{
		{"", google.Person},
		{"Fix it.", google.Person},
		{"<b>bold</b> is not bold", google.Person},
		{"<", google.Person},
		{"[x] done, what next?", google.Person},
		{"/w/a.go has a bug", google.Person},
		{"/ is the root", google.Person},
		{"/Users is big", google.Person},
		{"/compress", google.Command},
		{"/memory add Use tabs.", google.Command},
		{"  /chat save x", google.Command},
		{"<session_context>\nx", google.Context},
		{"\n\n<session_context>\nx", google.Context},
		{"<state_snapshot>x", google.Summary},
		{"<hook_context>x</hook_context>", google.Client},
		{"<system-reminder>x", google.Client},
		{"This is the Qwen Code. We are setting up the context for our chat.", google.Context},
		{"This is the Gemini CLI, is it?", google.Person},
		{"I ran the following shell command:\n```sh\nls\n```", google.Client},
		{"I ran the following shell command: ls. It fails.", google.Person},
		{"See @a.go\n\n--- Content from referenced files ---\nx", google.Mixed},
		{"User hints:\n<user_input>\nx\n</user_input>", google.Mixed},
	}
	for _, tt := range tests {
		if got := google.Judge(body(tt.text)); got != tt.want {
			t.Errorf("%q: got %d, want %d", tt.text, got, tt.want)
		}
	}
}

func TestUnmix(t *testing.T) {
	tests := []struct{ text, said, put string }{
		{"Fix it.", "Fix it.", ""},
		{"See @a\n--- Content from referenced files ---\nx", "See @a", "--- Content from referenced files ---\nx"},
		{"User hints:\n<user_input>\nUse tabs.\n</user_input>\nmore", "Use tabs.", "User hints:\n\nmore"},
		{"User hints:\n<user_input>\nnot closed", "User hints:\n<user_input>\nnot closed", ""},
		{"\n[User message received during tool execution]: Stop.", "Stop.", ""},
	}
	for _, tt := range tests {
		if said, put := google.Unmix(tt.text); said != tt.said || put != tt.put {
			t.Errorf("%q: got %q and %q", tt.text, said, put)
		}
	}
}

func TestWorkspace(t *testing.T) {
	const mark = "- **Workspace Directories:**\n  - "
	tests := []struct{ text, want string }{
		{mark + "/w\n  - /x", "/w"},
		{mark + `C:\new\tab` + "\nmore", `C:\new\tab`},
		{mark + "/w", "/w"},
		{strings.Repeat("x", 2000) + mark + strings.Repeat("/long", 20), ""}, // cut off in the middle
		{"working in the directory: /w/a b\nHere", "/w/a b"},
		{"nothing", ""},
	}
	for _, tt := range tests {
		if got := google.Workspace(value(t, quoted(tt.text))); got != tt.want {
			t.Errorf("%.60q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestMoment(t *testing.T) {
	for text, want := range map[string]string{
		"2026-06-01T10:00:00.123Z":      "2026-06-01T10:00:00.123Z",
		"2026-06-01T10:00:00Z":          "2026-06-01T10:00:00Z",
		"2026-06-01T12:00:00.000+02:00": "2026-06-01T10:00:00Z",
		"2026-02-30T10:00:00.000Z":      "",
		"2026-06-01T10:00:61.000Z":      "",
		"2026-06-01X10:00:00.000Z":      "",
		"yesterday":                     "",
	} {
		got := stream.Time(value(t, quoted(text)))
		if want == "" && got.IsZero() {
			continue
		}
		if g := strings.Replace(got.String(), ".000Z", "Z", 1); g != want {
			t.Errorf("%s: got %s, want %s", text, g, want)
		}
	}
	if !stream.Time(value(t, "17")).IsZero() {
		t.Error("a number is taken for a time")
	}
}

func TestNames(t *testing.T) {
	var n stream.Names
	if got := n.Of(value(t, `"a\nb"`)); got != "a\nb" {
		t.Errorf("got %q", got)
	}
	if got := n.Of(value(t, `17`)); got != "" {
		t.Errorf("got %q", got)
	}
	if got := n.Joined("system/", strings.Repeat("x", 500)); len(got) != 507 {
		t.Errorf("got %d bytes", len(got))
	}
	v := value(t, `"read_file"`)
	n.Of(v)
	if allocs := testing.AllocsPerRun(10, func() { n.Of(v) }); allocs > 0 {
		t.Errorf("a known name costs %v allocations", allocs)
	}
}

func parsed(data string) (jsondoc.Value, bool) {
	var doc jsondoc.Doc
	if _, err := doc.Parse([]byte(data)); err != nil {
		return jsondoc.Value{}, false
	}
	return doc.Root(), true
}
