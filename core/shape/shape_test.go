package shape_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/shape"
)

const table = `# by hand
kind type
opaque input
named files
release version
version 1.0.0 1.1.0
variant old :talk>legacy
variant new :talk
:talk type text parts version files legacy
:talk>parts:say type text
:talk>parts:do type input
:talk>files{} size
:end type
`

// census looks at records, one a line.
func census(t *testing.T, records string) *shape.Census {
	t.Helper()
	known, err := shape.Parse([]byte(table))
	if err != nil {
		t.Fatal(err)
	}
	c := known.Census()
	for line := range strings.Lines(records) {
		var doc jsondoc.Doc
		if _, err := doc.Parse([]byte(line)); err != nil {
			t.Fatal(err)
		}
		c.Record(doc.Root())
	}
	return c
}

// TestPlaced: the value of a change is held to what is known of the place to which
// its path leads.
func TestPlaced(t *testing.T) {
	const table = `kind kind
opaque draft v
release version
placed v k
version 1
- k n v draft turns title
->turns id parts version
->turns>parts:say kind text
->turns>state at
`
	tests := []struct{ name, record, want string }{
		{"the whole, of which all is known", `{"n":0,"v":{"title":"x","turns":[{"id":1,"parts":[{"kind":"say","text":"y"}]}]}}`, ""},
		{"the whole, with a new member", `{"n":0,"v":{"mood":"x"}}`, "member mood"},
		{"an element, with a new member", `{"n":2,"k":["turns"],"v":[{"id":1,"mood":2}]}`, "member turns.mood"},
		{"an element of an element, of a new kind", `{"n":2,"k":["turns",3,"parts"],"v":[{"kind":"sing"}],"i":0}`, "kind turns.parts:sing, member i"},
		{"a new member of an element", `{"n":1,"k":["turns",0,"mood"],"v":1}`, "member turns.mood"},
		{"a plain member that holds an object now", `{"n":1,"k":["title"],"v":{"a":1}}`, "member title{}"},
		{"something in a plain member", `{"n":1,"k":["title","of"],"v":1}`, "member title{}"},
		{"a version", `{"n":1,"k":["turns",0,"version"],"v":"2"}`, "version 2"},
		{"something in data", `{"n":1,"k":["draft","text"],"v":"x"}`, ""},
		{"what is removed", `{"n":3,"k":["turns",0,"mood"]}`, "member turns.mood"},
		{"an element whose kind a path does not say", `{"n":1,"k":["turns",0,"parts",1,"text"],"v":"x"}`, ""},
	}
	for _, tt := range tests {
		known, err := shape.Parse([]byte(table))
		if err != nil {
			t.Fatal(err)
		}
		var doc jsondoc.Doc
		if _, err := doc.Parse([]byte(tt.record)); err != nil {
			t.Fatal(err)
		}
		c := known.Census()
		c.Record(doc.Root())
		var got []string
		for _, u := range slices.SortedFunc(maps.Keys(c.Unseen()), shape.Unseen.Compare) {
			got = append(got, u.String())
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if _, err := shape.Parse([]byte("placed v\n")); err == nil {
		t.Error("a value without a path was taken")
	}
}

func TestCensus(t *testing.T) {
	const known = `{"type":"talk","version":"1.0.0","text":"a","parts":[{"type":"do","input":{"any":{"thing":1}}},{"text":"b","type":"say"}],"files":{"/w/a.go":{"size":1},"x":{"size":2}}}`
	tests := []struct {
		name, records, variant string
		want                   map[shape.Unseen]int64
	}{
		{"all is known", known + "\n" + `{"type":"end"}`, "new", nil},
		{"an older variant", `{"type":"talk","legacy":true}`, "old", nil},
		{"of none", `{"type":"end"}`, "", nil},
		{"a new kind of record, twice", `{"type":"song"}` + "\n" + `{"type":"song","x":{"y":1}}`, "", map[shape.Unseen]int64{{What: "kind", Name: "song"}: 2}},
		{"a new kind of part", `{"type":"talk","parts":[{"type":"sing"}]}`, "new", map[shape.Unseen]int64{{What: "kind", Name: "talk.parts:sing"}: 1}},
		{
			"new members, also where names are data", `{"type":"talk","mood":"good","files":{"a":{"size":1,"mode":2}}}`, "new",
			map[shape.Unseen]int64{{What: "member", Name: "talk.mood"}: 1, {What: "member", Name: "talk.files{}.mode"}: 1},
		},
		{"a plain member holds an object now", `{"type":"talk","text":{"a":1}}`, "new", map[shape.Unseen]int64{{What: "member", Name: "talk.text{}"}: 1}},
		{"a new version", `{"type":"talk","version":"2.0.0"}` + "\n" + known, "new", map[shape.Unseen]int64{{What: "version", Name: "2.0.0"}: 1}},
		{"names that may be data are not shown", `{"type":"talk","the secret / is":1}`, "new", map[shape.Unseen]int64{{What: "member", Name: "talk.?"}: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := census(t, tt.records)
			got := c.Unseen()
			if len(got) == 0 {
				got = nil
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("unseen (-want +got):\n%s", diff)
			}
			if v := c.Variant(); v != tt.variant {
				t.Errorf("variant %q, want %q", v, tt.variant)
			}
		})
	}
}

// TestFingerprint: what the members hold, in which order they stand and how many
// records there are does not show; a member more does.
func TestFingerprint(t *testing.T) {
	same := []string{
		`{"type":"talk","text":"a"}` + "\n" + `{"type":"end"}`,
		`{"type":"end"}` + "\n" + `{"text":"b","type":"talk"}` + "\n" + `{"type":"talk","text":null}`,
	}
	first := census(t, same[0]).Fingerprint()
	if second := census(t, same[1]).Fingerprint(); second != first || len(first) != 16 {
		t.Errorf("%q and %q", first, second)
	}
	for _, other := range []string{`{"type":"talk","text":"a","mood":1}`, `{"type":"talk","text":"a","parts":[]}`, `{"type":"talk"}`} {
		if f := census(t, other+"\n"+`{"type":"end"}`).Fingerprint(); f == first {
			t.Errorf("%s has the same", other)
		}
	}
}

// TestBounded: a transcript that makes up names does not fill the memory.
func TestBounded(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, `{"type":"talk","m%d":1}`+"\n", i)
	}
	b.WriteString(strings.Repeat(`{"type":"talk","parts":`, 100) + "[]" + strings.Repeat("}", 100) + "\n")
	met := census(t, b.String()).Unseen()
	if len(met) > 300 || met[shape.Unseen{What: "member", Name: "…"}] < 700 {
		t.Errorf("%d names, %d without one", len(met), met[shape.Unseen{What: "member", Name: "…"}])
	}
}

func TestParseErrors(t *testing.T) {
	for bad, want := range map[string]string{
		"variant x":   "line 1: a variant has a name and a path",
		"kind a\nx y": `line 2: read path "x": "x" is no part of one`,
		":a> y":       `line 1: read path ":a>": ">" is no part of one`,
	} {
		if _, err := shape.Parse([]byte(bad)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", bad, err, want)
		}
	}
}
