package secrets_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/eval/secrets"
)

// TestFloors holds the engine to figures a little below what was measured: below
// them, redaction has become worse.
func TestFloors(t *testing.T) {
	const (
		coreTier    = 0.98 // of the secrets, taken out
		wideTier    = 0.899
		negative    = 0.002 // of the look-alikes, damaged
		placeholder = 0.142
	)
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "secrets", "bench.jsonl.gz"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no ../shared/secrets/bench.jsonl.gz: the cases are not part of the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cases, err := secrets.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	e, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := secrets.Evaluate(e, cases)
	if err != nil {
		t.Fatal(err)
	}
	if testing.Verbose() {
		if err := r.Write(os.Stdout); err != nil {
			t.Fatal(err)
		}
	}
	for _, sh := range secrets.Shapes() {
		for tier, floor := range map[string]float64{"core": coreTier, "wide": wideTier} {
			if got := r.Recall[tier+"/"+sh.Name].Share(); got < floor {
				t.Errorf("%s as %s: %.4f of the secrets are taken out, want %.4f", tier, sh.Name, got, floor)
			}
		}
		for kind, ceiling := range map[string]float64{secrets.Negative: negative, secrets.Placeholder: placeholder} {
			if got := r.Damaged[kind+"/"+sh.Name].Share(); got > ceiling {
				t.Errorf("%s as %s: %.4f are damaged, want at most %.4f", kind, sh.Name, got, ceiling)
			}
		}
	}
}

// cutter cuts every run of x.
type cutter struct{}

func (cutter) Scrub(_ core.Field, s []byte) ([]byte, []core.Cut, error) {
	var cuts []core.Cut
	var out []byte
	for i := 0; i < len(s); {
		n := 0
		for i+n < len(s) && s[i+n] == 'x' {
			n++
		}
		if n == 0 {
			out = append(out, s[i])
			i++
			continue
		}
		cuts = append(cuts, core.Cut{At: i, Len: n, With: 1})
		out = append(out, '-')
		i += n
	}
	return out, cuts, nil
}

const sample = `{"text":"key xxxx","secret_spans":[{"start":4,"end":8,"type":"whole"}],"tier":"core","kind":"positive","cat":"tp"}
{"text":"key xxab ü","secret_spans":[{"start":4,"end":8,"type":"half"}],"tier":"core","kind":"positive","cat":"tp"}
{"text":"key xabc","secret_spans":[{"start":4,"end":8,"type":"leak"}],"tier":"wide","kind":"positive","cat":"tp"}
{"text":"x","secret_spans":[],"tier":"core","kind":"negative","cat":"neg:code"}
{"text":"a \"quoted\" word","secret_spans":[],"tier":"core","kind":"negative","cat":"neg:code"}
{"text":"abc","secret_spans":[],"tier":"core","kind":"placeholder","cat":"rule-fp:a"}
`

func TestEvaluate(t *testing.T) {
	cases, err := secrets.Read(strings.NewReader(sample))
	if err != nil {
		t.Fatal(err)
	}
	r, err := secrets.Evaluate(cutter{}, cases)
	if err != nil {
		t.Fatal(err)
	}
	n := len(secrets.Shapes())
	for key, want := range map[string]secrets.Tally{
		"core": {Hit: 2 * n, All: 2 * n}, "wide": {All: n}, "core/json-twice": {Hit: 2, All: 2}, "wide/ansi-words": {All: 1},
	} {
		if d := cmp.Diff(&want, r.Recall[key]); d != "" {
			t.Errorf("recall of %s: %s", key, d)
		}
	}
	for key, want := range map[string]secrets.Tally{
		"negative": {Hit: n, All: 2 * n}, "negative/json": {Hit: 1, All: 2}, "placeholder": {All: n},
	} {
		if d := cmp.Diff(&want, r.Damaged[key]); d != "" {
			t.Errorf("damage of %s: %s", key, d)
		}
	}
	if len(r.Missed) != 1 || r.Missed[0].Type != "leak" || len(r.Touched) != 1 || r.Touched[0].Case.Text != "x" {
		t.Errorf("missed %+v, touched %+v", r.Missed, r.Touched)
	}
	var out bytes.Buffer
	if err := r.Write(&out); err != nil || !strings.Contains(out.String(), "wide/plain") || !strings.Contains(out.String(), "leak") {
		t.Errorf("the report lacks a figure (%v):\n%s", err, &out)
	}
}

func TestRead(t *testing.T) {
	var zipped bytes.Buffer
	zw := gzip.NewWriter(&zipped)
	if _, err := zw.Write([]byte(sample)); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	if all, err := secrets.Read(&zipped); err != nil || len(all) != 6 {
		t.Errorf("gzipped: %d cases, %v", len(all), err)
	}
	for _, bad := range []string{"{", `{"text":"abc","secret_spans":[{"start":2,"end":9}]}`, `{"text":"abc","secret_spans":[{"start":2,"end":2}]}`} {
		if _, err := secrets.Read(strings.NewReader(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
