package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/internal/config"
)

func schema() *config.Schema {
	var s config.Schema
	s.Add(
		config.Key{Name: "capture.tools", Kind: config.Texts, Choices: []string{"codex", "claude_code"}},
		config.Key{Name: "capture.tool.*.env.*"},
		config.Key{Name: "sink.kind", Choices: []string{"ndjson", "sqlite"}},
		config.Key{Name: "sink.keep", Kind: config.Span},
		config.Key{Name: "sink.batch", Kind: config.Int},
		config.Key{Name: "log.verbose", Kind: config.Bool},
		config.Key{Name: "redact.rules[].id"},
		config.Key{Name: "redact.rules[].keywords", Kind: config.Texts},
		config.Key{Name: "redact.rules[].entropy", Kind: config.Number},
	)
	return &s
}

func TestCheck(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"all of it", "[capture]\ntools = ['codex']\n[capture.tool.codex.env]\nCODEX_HOME = '/x'\n[sink]\nkeep='36h'\nbatch=3\n" +
			"[[redact.rules]]\nid='a'\nentropy=3\n[[redact.rules]]\nkeywords=['x']\n", ""},
		{"unknown", "[sink]\nkinf = 'ndjson'\n", `f.toml:2:1: unknown key "sink.kinf"; did you mean "sink.kind"?`},
		{"unknown table", "\n[sinks]\nkind = 'ndjson'\n", `f.toml:2:2: unknown key "sinks"; did you mean "sink"?`},
		{"in the wrong table", "tools = ['codex']\n", `f.toml:1:1: unknown key "tools"; did you mean "capture.tools"?`},
		{"nothing like it", "[sink]\nabcdefgh = 1\n", `f.toml:2:1: unknown key "sink.abcdefgh"; known are batch, keep, kind`},
		{"dotted", "sink.kinf = 'x'\n", `f.toml:1:6: unknown key "sink.kinf"; did you mean "sink.kind"?`},
		{"inline", "sink = {kind = 'ndjson', keeep = '1s'}\n", `f.toml:1:26: unknown key "sink.keeep"; did you mean "sink.keep"?`},
		{"quoted", "[sink]\n'a.b' = 1\n", `f.toml:2:1: unknown key "sink.\"a.b\""; known are batch, keep, kind`},
		{"choice", "[sink]\nkind = 'sqlit'\n", `f.toml:2:1: sink.kind: unknown value "sqlit"; did you mean "sqlite"?`},
		{"choice in a list", "[capture]\ntools = [\n  'codex',\n  # the other\n  'claude-code',\n]\n", `f.toml:5:3: capture.tools: unknown value "claude-code"; did you mean "claude_code"?`},
		{"no list", "[capture]\ntools = 'codex'\n", `f.toml:2:1: capture.tools: want a list of texts, have text; write ["codex"]`},
		{"number in a list", "[capture]\ntools = ['codex', 3]\n", `f.toml:2:19: capture.tools: want a list of texts, have a number in it`},
		{"no number", "[sink]\nbatch = 'x'\n", `f.toml:2:1: sink.batch: want a whole number, have text`},
		{"fraction", "[sink]\nbatch = 1.5\n", `f.toml:2:1: sink.batch: want a whole number, have a number`},
		{"not finite", "[[redact.rules]]\nentropy = inf\n", `f.toml:2:1: redact.rules[0].entropy: want a number, have a number`},
		{"no time", "[sink]\nkeep = '3 days'\n", `f.toml:2:1: sink.keep: "3 days" is no time; write it as "90s", "15m" or "1h30m"`},
		{"date", "[log]\nverbose = 2020-01-01\n", `f.toml:2:1: log.verbose: want true or false, have a date`},
		{"one bracket", "[redact.rules]\nid = 'x'\n", `f.toml:1:9: redact.rules is a list of tables, not a table; write [[redact.rules]] with two brackets`},
		{"two brackets", "[[sink]]\nkind = 'ndjson'\n", `f.toml:1:3: sink is a table, not a list; write [sink] and its settings below`},
		{"list of texts", "[redact]\nrules = ['x']\n", `f.toml:2:10: redact.rules is a list of tables, not of text; write [[redact.rules]] with two brackets`},
		{"in the second table", "[[redact.rules]]\nid = 'a'\n[[redact.rules]]\nidd = 'b'\n", `f.toml:4:1: unknown key "redact.rules[1].idd"; did you mean "redact.rules[1].id"?`},
		{"table in a list element", "[[redact.rules]]\n[redact.rules.x]\ny = 1\n", `f.toml:2:15: unknown key "redact.rules[0].x"; did you mean "redact.rules[0].id"?`},
		{"several", "a = 1\n[sink]\nb = 2\n", "f.toml:1:1: unknown key \"a\"; known are capture, log, redact, sink\nf.toml:3:1: unknown key \"sink.b\"; known are batch, keep, kind"},
		{"syntax", "[sink]\nkind = \n", "f.toml:2:8: "},
		{"twice", "[sink]\nkind = 'ndjson'\nkind = 'ndjson'\n", "f.toml:3:1: "},
		{"table twice", "[sink]\n[log]\n[sink]\n", "f.toml:3:"},
		{"not UTF-8", "[sink]\nkind = '\xff'\n", "f.toml:2:9: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := config.Parse("f.toml", []byte(tt.text))
			if err == nil {
				err = schema().Check(d).Err()
			}
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("got %v", err)
			case tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.want)):
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestDocument(t *testing.T) {
	d, err := config.Parse("f.toml", []byte("\ufeff[x.'a.b']\ny = 1.5\n[[l]]\nn = 'one'\n[[l]]\nn = 'two'\nm = ['p', 'q']\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Number(config.Join(config.Join("x", "a.b"), "y")); got != 1.5 {
		t.Errorf("number %v", got)
	}
	if d := cmp.Diff([]string{"l[0]", "l[1]"}, d.Tables("l")); d != "" {
		t.Error(d)
	}
	if got := d.Text("l[1].n"); got != "two" {
		t.Errorf("text %q", got)
	}
	if d := cmp.Diff([]string{"p", "q"}, d.Texts("l[1].m")); d != "" {
		t.Error(d)
	}
	if got := d.At("l[1].m[1]").String(); got != "f.toml:7:11" {
		t.Errorf("at %s", got)
	}
	if got := d.At("l[1].none").String(); got != "f.toml:5:3" {
		t.Errorf("what is not there would be at %s", got)
	}
	for _, path := range []string{"none", "l[2]", "l[x]", "l[0].n.m", "x.y.z", "l[0].n[0]"} {
		if d.Has(path) || d.Text(path) != "" || d.Texts(path) != nil || d.Number(path) != 0 {
			t.Errorf("%s is there", path)
		}
	}
}

func TestNearest(t *testing.T) {
	for word, want := range map[string]string{"tols": "tools", "otlp": "otlp", "oltp": "otlp", "something": "", "": ""} {
		if got := config.Nearest(word, []string{"tools", "roots", "otlp"}); got != want {
			t.Errorf("nearest to %q is %q, want %q", word, got, want)
		}
	}
}

// FuzzParse holds any file to this: no panic, and every problem names a place
// that is in the file, and says something.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "[sink]\nkind = 'sqlite'\n", "[[redact.rules]]\nid='a'\nkeywords=['b', 3]\n", "a.b.c = {d = [1, {e = 2}]}\n",
		"[a]\n[a.b]\n[[a.c]]\n[[a.c.d]]\n", "'' = 1\n\"\\u0000\".x = 2\n", "[capture.tool.\"x.y\".env]\nA = 'b'\n", "sink.keep = '1s'\n[sink]\n",
		"x = [[[[[[[[]]]]]]]]\n", "\ufeffa=1", "[sink", "[[redact.rules]]\n[redact.rules]\n", "a=\"\"\"\n\\\n\"\"\"\r\nb=nan", "redact.rules=[{id='x'}]\n[[redact.rules]]\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := 1 + strings.Count(string(data), "\n")
		check := func(err error) {
			var found config.Problems
			if err == nil {
				return
			}
			if !errors.As(err, &found) {
				t.Fatalf("%v is not Problems", err)
			}
			for _, p := range found {
				if p.Place.File != "f.toml" || p.Place.Line < 1 || p.Place.Line > lines || p.Place.Col < 1 || p.Message == "" {
					t.Fatalf("problem without a place: %v", p)
				}
			}
		}
		d, err := config.Parse("f.toml", data)
		if check(err); err != nil {
			return
		}
		s := schema()
		check(s.Check(d).Err())
		for _, at := range d.Tables("redact.rules") {
			d.Texts(at + ".keywords")
			d.Number(at + ".entropy")
		}
	})
}
