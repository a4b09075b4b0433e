package hookconfig_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/io/hookconfig"
)

const mark = " hook --tool claude_code"

func entries() []hookconfig.Entry {
	return []hookconfig.Entry{
		{Event: "Stop", JSON: `{"hooks":[{"type":"command","command":"/bin/memscribe hook --tool claude_code"}]}`},
		{Event: "SessionEnd", JSON: `{"hooks":[{"type":"command","command":"/bin/memscribe hook --tool claude_code"}]}`},
	}
}

const (
	block = `"hooks": [
          {
            "type": "command",
            "command": "/bin/memscribe hook --tool claude_code"
          }
        ]`
	group = `{
        ` + block + `
      }`
)

func TestAdd(t *testing.T) {
	tests := []struct{ name, before, after string }{
		{"no file", "", "{\n  \"hooks\": {\n    \"Stop\": [\n      " + group + "\n    ],\n    \"SessionEnd\": [\n      " + group + "\n    ]\n  }\n}\n"},
		{
			"comments, order and what is there stay", `{
  // mine
  "model": "opus", /* best */
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "say done"}]} // beep
    ]
  },
  "env": {"A": "b"}
}
`, `{
  // mine
  "model": "opus", /* best */
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "say done"}]}, // beep
      ` + group + `
    ],
    "SessionEnd": [
      ` + group + `
    ]
  },
  "env": {"A": "b"}
}
`,
		},
		{
			"on one line", `{"a":1}`,
			`{"a":1,"hooks": {"Stop": [{"hooks": [{"type": "command","command": "/bin/memscribe hook --tool claude_code"}]}],"SessionEnd": [{"hooks": [{"type": "command","command": "/bin/memscribe hook --tool claude_code"}]}]}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := hookconfig.Add([]byte(tt.before), mark, entries())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.after, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, err := hookconfig.Add(got, mark, entries())
			if err != nil || string(again) != string(got) {
				t.Errorf("added twice: %v\n%s", err, again)
			}
			n, same, err := hookconfig.Has(got, mark, entries())
			if n != 2 || !same || err != nil {
				t.Errorf("has %d, %t, %v", n, same, err)
			}
		})
	}
}

// TestRoundTrip puts hooks into settings of many layouts and takes them out again:
// not a byte is different.
func TestRoundTrip(t *testing.T) {
	for _, text := range []string{
		"{\n  \"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"b\": [1, 2]\n}", "{\"a\":1}", "{\r\n    \"a\": 1\r\n}\r\n",
		"{\n  \"a\": 1, // one\n  // the end\n}\n", "// head\n{\n  \"a\": 1\n  // tail\n}\n// foot\n",
		"{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": []}\n    ]\n  }\n}\n",
		"{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"command\": \"x\"}]}, // mine\n    ],\n  },\n}\n",
		"{\n  \"hooks\": {\n    \"Other\": []\n  },\n  \"z\": null\n}\n",
		"{\n  \"hooks\": {\"Stop\": [{\"command\": \"x\"}], \"SessionEnd\": [{\"command\": \"y\"}]}\n}\n",
	} {
		added, err := hookconfig.Add([]byte(text), mark, entries())
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if n, _, err := hookconfig.Has(added, mark, entries()); n != 2 || err != nil {
			t.Errorf("%q: has %d, %v", text, n, err)
		}
		removed, ok, err := hookconfig.Remove(added, mark)
		if err != nil || !ok {
			t.Errorf("%q: removed %t, %v", text, ok, err)
		}
		if diff := cmp.Diff(text, string(removed)); diff != "" {
			t.Errorf("%q, in between\n%s\n(-want +got):\n%s", text, added, diff)
		}
	}
}

func TestRemove(t *testing.T) {
	const shared = `{"hooks":{"Stop":[{"hooks":[{"command":"x"},{"command":"y hook --tool claude_code"}]}]}}`
	got, ok, err := hookconfig.Remove([]byte(shared), mark)
	if want := `{"hooks":{"Stop":[{"hooks":[{"command":"x"}]}]}}`; err != nil || !ok || string(got) != want {
		t.Errorf("got %s, %t, %v", got, ok, err)
	}
	for _, none := range []string{`{}`, `{"hooks":{"Stop":[]}}`, `{"hooks":7}`, `{"hooks":{"Stop":{}}}`} {
		if got, ok, err := hookconfig.Remove([]byte(none), mark); err != nil || ok || string(got) != none {
			t.Errorf("%s: got %s, %t, %v", none, got, ok, err)
		}
	}
}

func TestWrong(t *testing.T) {
	for _, text := range []string{`[]`, `{"hooks":[]}`, `{"hooks":{"Stop":{}}}`} {
		if _, err := hookconfig.Add([]byte(text), mark, entries()); !errors.Is(err, hookconfig.ErrForm) {
			t.Errorf("%s: got %v", text, err)
		}
	}
	if _, err := hookconfig.Add([]byte(`{`), mark, entries()); err == nil {
		t.Error("half an object")
	}
}

// FuzzRoundTrip takes out of any settings what it put in.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("{\n  \"a\": 1, // one\n}\n"))
	f.Add([]byte("{\"hooks\":{\"Stop\":[ ]}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		added, err := hookconfig.Add(text, mark, entries())
		if err != nil {
			return
		}
		if again, err := hookconfig.Add(added, mark, entries()); err != nil || string(again) != string(added) {
			t.Errorf("added twice, it differs: %v", err)
		}
		if _, _, err := hookconfig.Remove(added, mark); err != nil {
			t.Error(err)
		}
	})
}
