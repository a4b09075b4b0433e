package adapters_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// TestLists has every adapter read a record that is a list of words, which no tool writes. What is
// kept of it is kept whole: the second word shows that the third is a password.
func TestLists(t *testing.T) {
	for _, a := range adapters.All() {
		for _, record := range []string{`["login","--password","lavender"]`, `[{"role":"user"},"--password","lavender"]`, `[["--password","lavender"]]`} {
			doc := new(jsondoc.Doc)
			if _, err := doc.Parse([]byte(record)); err != nil {
				t.Fatal(err)
			}
			a.NewParser(core.StreamInfo{Path: "/home/dev/x.jsonl"}).Parse(core.Record{Bytes: []byte(record), Doc: doc, At: core.Location{File: "x", Line: 1}}, func(ev *core.Event) {
				if u, ok := ev.Body.(*core.Unknown); ok {
					text, _ := u.Raw.Text()
					if raw := text + string(u.Raw.Value().Raw()); strings.Contains(raw, "lavender") && !strings.Contains(raw, "--password") {
						t.Errorf("%s of %s: keeps %s by itself", a.Tool(), record, raw)
					}
				}
			})
		}
	}
}
