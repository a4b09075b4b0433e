package encode_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/redact"
)

// TestStringsBesideNames has values in which a secret is given away by what stands beside it.
// It goes, and nothing else does.
func TestStringsBesideNames(t *testing.T) {
	engine, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	enc := encode.Encoder{Scrubber: engine}
	const secret, short = "qmf7Xw2LpR9aTzK4vB8nYc3D", "k7Q2m9x"
	for from, want := range map[string]string{
		`["login","--password","` + secret + `"]`:                                    `["login","--password","[REDACTED:password]"]`,
		`["login","--password","` + short + `"]`:                                     `["login","--password","[REDACTED:password]"]`,
		`{"command":["curl","-u","admin:` + secret + `","https://example.com"]}`:     `{"command":["curl","-u","[REDACTED:user_password]","https://example.com"]}`,
		`["mysql","-u","root","-p` + secret + `","shop"]`:                            `["mysql","-u","root","-p[REDACTED:password]","shop"]`,
		`["docker", "login", "-u", "ann", "-p", "` + secret + `"]`:                   `["docker","login","-u","ann","-p","[REDACTED:password]"]`,
		`{"env":[{"name":"DB_PASSWORD","value":"` + secret + `"}],"n":1}`:            `{"env":[{"name":"DB_PASSWORD","value":"[REDACTED:password]"}],"n":1}`,
		`{"a":["b","c\"d\\",1.5,null,true,"\u00e9"],"--port":["--password","8080"]}`: `{"a":["b","c\"d\\",1.5,null,true,"é"],"--port":["--password","8080"]}`,
	} {
		var doc jsondoc.Doc
		if _, err := doc.Parse([]byte(from)); err != nil {
			t.Fatal(err)
		}
		got, err := enc.Event(nil, &core.Event{Session: "s", Body: &core.ToolCall{CallID: "c", Name: "shell", Args: core.RawValue(doc.Root())}})
		if err != nil || !json.Valid(got) || !bytes.Contains(got, []byte(`"args":`+want+`}`)) {
			t.Errorf("of %s: %v\n%s", from, err, got)
		}
	}
}

// cutter cuts every stretch between brackets of its own.
type cutter struct{}

func (cutter) Scrub(_ core.Field, s []byte) (clean []byte, cuts []core.Cut, err error) {
	for at := 0; ; {
		n := bytes.Index(s[at:], []byte("<<"))
		end := bytes.Index(s[at:], []byte(">>"))
		if n < 0 || end < n {
			return append(clean, s[at:]...), cuts, nil
		}
		clean = append(append(clean, s[at:at+n]...), "[X]"...)
		cuts = append(cuts, core.Cut{At: at + n, Len: end + 2 - n, With: 3})
		at += end + 2
	}
}

// FuzzBeside cuts out of values what begins in one string and ends in another. What is left is
// JSON of the same form, without what was cut.
func FuzzBeside(f *testing.F) {
	f.Add([]byte(`["a<<","b",{"c":">>d"}]`))
	f.Add([]byte(`["a<<\n","\"b",12,{"c<<":"\u003e\\>>d"}, 7 , "<<x>>"]`))
	f.Add([]byte(`{"<<":[true,null,-1.5e3],"x":"\ud83d\ude00>>\\"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var doc, again jsondoc.Doc
		if n, err := doc.Parse(data); err != nil || n != len(data) {
			return
		}
		enc := encode.Encoder{Scrubber: cutter{}}
		got, err := enc.Event(nil, &core.Event{Session: "s", Body: &core.ToolCall{CallID: "c", Name: "n", Args: core.RawValue(doc.Root())}})
		if err != nil || !json.Valid(got) {
			t.Fatalf("%v: %s", err, got)
		}
		if _, err = again.Parse(got); err != nil {
			t.Fatal(err)
		}
		args := again.Root().Path("body", "args")
		if was, is := shape(doc.Root()), shape(args); was != is {
			t.Fatalf("was %s, is %s", was, is)
		}
		if _, cuts, _ := (cutter{}).Scrub(core.TextField, args.AppendCompact(nil)); len(cuts) > 0 {
			t.Fatalf("it is still there: %s", args.Raw())
		}
	})
}

// shape is what holds a value together.
func shape(v jsondoc.Value) string {
	var b strings.Builder
	switch v.Kind() {
	case jsondoc.Array:
		for e := range v.Elems() {
			b.WriteString(shape(e) + ",")
		}
		return "[" + b.String() + "]"
	case jsondoc.Object:
		for _, e := range v.Fields() {
			b.WriteString(shape(e) + ",")
		}
		return "{" + b.String() + "}"
	default:
		return "."
	}
}
