package encode_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/redact"
)

// TestSecretOfOneStringIsCutFromAll has nodes and events with a secret that only
// one of their strings gives away.
func TestSecretOfOneStringIsCutFromAll(t *testing.T) {
	const secret = "Zk39dkeLLq02mfTz8"
	engine, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := &encode.Encoder{Scrubber: engine}
	object := func(text string) core.Raw {
		d := new(jsondoc.Doc)
		if _, err := d.Parse([]byte(text)); err != nil {
			t.Fatal(err)
		}
		return core.RawValue(d.Root())
	}
	part := "rotate " + secret[:9]
	for name, write := range map[string]func() ([]byte, error){
		"name of a memory": func() ([]byte, error) {
			return e.Node(nil, &core.Node{Body: &core.Conversation{
				Text: `{"id":"` + secret + `","content":"the staging password is '` + secret + `'"}`, Memory: &core.MemoryAccess{Key: secret, Store: secret},
			}})
		},
		"strings of an edit": func() ([]byte, error) {
			return e.Node(nil, &core.Node{Body: &core.Episode{Diff: core.Diff{
				Path: "a.env", Old: new(secret), New: new("rotated"), Unified: "--- a.env\n+++ a.env\n@@ -1 +1 @@\n-DB_PASSWORD=" + secret + "\n+DB_PASSWORD=rotated\n",
			}}})
		},
		"piece of a secret in an edit": func() ([]byte, error) {
			return e.Node(nil, &core.Node{Body: &core.Episode{Diff: core.Diff{
				Path: "a.env", Old: new("A=1\nDB_PASSWORD=" + secret[:9]), New: new(secret[9:] + "\nB=2"),
				Unified: "--- a.env\n+++ a.env\n@@ -1,2 +1,2 @@\n A=1\n-DB_PASSWORD=" + secret + "\n+DB_PASSWORD=" + secret + "\n+B=2\n",
			}}})
		},
		"confirmation": func() ([]byte, error) {
			return e.Node(nil, &core.Node{Body: &core.Decision{
				Epitome: core.Whole("Rotate to " + secret + "."), Confirmation: "yes, the password is '" + secret + "'", Turn: core.Whole(part),
			}})
		},
		"arguments of a call": func() ([]byte, error) {
			return e.Event(nil, &core.Event{Body: &core.ToolCall{
				Name: "run", Args: object(`{"note":"` + secret + `","list":["x ` + secret + `"],"env":"DB_PASSWORD=` + secret + `"}`),
			}})
		},
		"member that says what it is": func() ([]byte, error) {
			return e.Event(nil, &core.Event{Body: &core.ToolCall{
				Name: "run", Args: object(`{"note":"` + secret + `","password":"` + secret + `"}`),
			}})
		},
		"options of a question": func() ([]byte, error) {
			return e.Event(nil, &core.Event{Body: &core.ToolResult{Choices: []core.Choice{{
				Question: "Keep password='" + secret + "'?", Options: []core.Option{{Text: secret}}, Answer: secret,
			}}}})
		},
	} {
		out, err := write()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := new(jsondoc.Doc).Parse(out); err != nil {
			t.Errorf("%s: %v in %s", name, err, out)
		}
		for _, piece := range []string{secret[:9], secret[9:]} {
			if name != "confirmation" && bytes.Contains(out, []byte(piece)) || name == "confirmation" && bytes.Contains(out, []byte(secret)) {
				t.Errorf("%s: leaks: %s", name, out)
			}
		}
	}
}

// TestWordsAreNoEchoes: what was cut as a password may be a word, and the word
// stays where it is none. So do ids, which must be the same everywhere.
func TestWordsAreNoEchoes(t *testing.T) {
	engine, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := &encode.Encoder{Scrubber: engine}
	out, err := e.Node(nil, &core.Node{Session: "Zk39dkeLLq02mfTz8", Body: &core.Decision{
		Epitome: core.Whole("Use production."), Confirmation: `password: "production", password: "Zk39dkeLLq02mfTz8"`,
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"epitome":"Use production."`, `"session_id":"Zk39dkeLLq02mfTz8"`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s has no %s", out, want)
		}
	}
	if n := strings.Count(string(out), "[REDACTED:password]"); n != 2 {
		t.Errorf("%d passwords were cut in %s", n, out)
	}
}
