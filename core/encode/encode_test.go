package encode_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/jsondoc"
)

func at(line int64) core.Location {
	return core.Location{File: "/t/x.jsonl", Offset: 100 * line, Line: line}
}

func TestEncodeNode(t *testing.T) {
	head := core.Node{
		ID: "id1", Source: core.Codex, Session: "s", Seq: 7, Time: core.ParseTime("2026-06-22T12:00:00.5+02:00"),
		Project: &core.Project{Cwd: "/repo", Git: core.Git{Branch: "main"}}, Fact: core.Observed,
		Provenance: []core.Location{at(2), {File: "/t/state.db", Row: "m1"}},
	}
	const prefix = `{"schema":"memscribe.node/v1","node":"KIND","id":"id1","source":"codex","session_id":"s","seq":7,` +
		`"timestamp":"2026-06-22T10:00:00.5Z","project":{"cwd":"/repo","git":{"branch":"main"}},"fact_status":"observed",` +
		`"provenance":[{"file":"/t/x.jsonl","byte_offset":200,"line_no":2},{"file":"/t/state.db","row":"m1"}],`
	marker := []core.Marker{{Rule: "en.choice.use", Category: core.DecisionVerb, Text: "use", Offset: 7}}
	tests := []struct {
		body core.NodeBody
		want string
	}{
		{
			&core.Conversation{Text: "Let's \"use\" X\n", Speaker: core.User, Turns: core.TurnRange{Start: 7, End: 8}, Markers: marker},
			`"text":"Let's \"use\" X\n","speaker":"user","turn_range":{"start":7,"end":8},` +
				`"markers":[{"rule_id":"en.choice.use","category":"decision_verb","matched_text":"use","offset":7}]}`,
		},
		{
			&core.Decision{
				Epitome: core.Whole("use X"), Title: core.Title{{Fragment: core.Whole("which? ")}, {Joint: "→ ", Fragment: core.Whole("use X")}}, Score: 87, DecidedBy: "user",
				Options:      []core.Considered{{Fragment: core.Fragment{Text: "X", Whole: "use X", Offset: 4}, Chosen: true}, {Fragment: core.Whole("Y")}},
				Confirmation: "yes", SupersededBy: "r", Turns: core.TurnRange{Start: 7, End: 7},
			},
			`"epitome":"use X","title":"which? → use X","considered_options":[{"text":"X","chosen":true},{"text":"Y","chosen":false}],"score":87,"is_ban":false,` +
				`"decided_by":"user","confirmation":"yes","superseded_by":"r","turn_range":{"start":7,"end":7},"markers":[]}`,
		},
		{
			&core.Episode{EpisodeID: "e", CallID: "c", Tool: "Edit", Git: core.Git{SHA: "abc"}, Diff: core.Diff{
				Path: "a.go", OldPath: "b.go", Old: new(""), New: new("x"), Unified: "--- a\n", Added: 1, Change: core.Rename,
			}},
			`"path":"a.go","diff":{"path":"a.go","old_path":"b.go","old":"","new":"x","unified":"--- a\n","added_lines":1,` +
				`"removed_lines":0,"change":"rename"},"git":{"sha":"abc"},"episode_id":"e","call_id":"c","tool":"Edit"}`,
		},
		{
			&core.Binding{
				From: "f", To: "t", Relation: core.Produced, Evidence: core.SameArc,
				Prov: core.Prov{UsedSession: "s", UsedDecision: "f", GeneratedBy: "s2", Use: core.Unix(0), Gen: core.Unix(1)},
			},
			`"from":"f","to":"t","relation":"produced","evidence":"same_arc","prov":{"used_session":"s","used_decision":"f",` +
				`"was_generated_by_session":"s2","t_use":"1970-01-01T00:00:00Z","t_gen":"1970-01-01T00:00:01Z"}}`,
		},
	}
	for _, tt := range tests {
		n := head
		n.Body = tt.body
		t.Run(n.Name(), func(t *testing.T) {
			got, err := new(encode.Encoder).Node(nil, &n)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Replace(prefix, "KIND", n.Name(), 1) + tt.want
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func doc(t testing.TB, s string) jsondoc.Value {
	t.Helper()
	d := new(jsondoc.Doc)
	if _, err := d.Parse([]byte(s)); err != nil {
		t.Fatal(err)
	}
	return d.Root()
}

func TestEncodeEvent(t *testing.T) {
	raw := doc(t, `{ "b" : [ 1.50, "x\u0041" ] }`)
	tests := []struct {
		body core.Body
		want string
	}{
		{&core.SessionStart{Model: "m", ToolVersion: "1"}, `"git":{},"model":"m","tool_version":"1"`},
		{
			&core.UserTurn{Text: core.Token(doc(t, `"a\n"`)), Parts: []core.Part{
				{Kind: core.TextPart, Text: core.Plain("a")},
				{Kind: core.ImagePart, MediaType: "image/png"},
				{Kind: core.OtherPart, Raw: core.RawValue(raw)},
			}},
			`"text":"a\n","parts":[{"type":"text","text":"a"},{"type":"image","media_type":"image/png"},` +
				`{"type":"other","raw":{"b":[1.50,"xA"]}}]`,
		},
		{
			&core.AssistantTurn{Text: core.Plain("a"), Model: "m", Usage: &core.Usage{Input: 1, Output: 2, CacheRead: 3, CacheCreation: 4}},
			`"text":"a","model":"m","usage":{"input_tokens":1,"output_tokens":2,"cache_read_tokens":3,"cache_creation_tokens":4},"parts":[]`,
		},
		{&core.ToolCall{CallID: "c", Name: "n", Args: core.RawValue(raw)}, `"call_id":"c","name":"n","args":{"b":[1.50,"xA"]}`},
		{
			&core.ToolResult{
				CallID: "c", OK: true, Output: core.RawString("o"), Verdict: core.Rejected, Reason: core.Plain("no"),
				Choices: []core.Choice{{Question: "q", Options: []core.Option{{Text: "x", Chosen: true}}, Answer: "a"}},
			},
			`"call_id":"c","ok":true,"output":"o","choices":[{"question":"q","options":[{"text":"x","chosen":true}],"answer":"a"}],` +
				`"verdict":"rejected","reason":"no"`,
		},
		{
			&core.FileEdit{CallID: "c", Diff: core.Diff{Path: "p", Change: core.Create}},
			`"call_id":"c","diff":{"path":"p","unified":"","added_lines":0,"removed_lines":0,"change":"create"}`,
		},
		{&core.Compaction{Start: 1, End: 2, Summary: core.Plain("s")}, `"replaced":{"start":1,"end":2},"summary":"s"`},
		{&core.Compaction{}, `"summary":""`},
		{&core.Rewind{ToEvent: "e"}, `"to_event":"e"`},
		{&core.SessionEnd{Reason: "r"}, `"reason":"r"`},
		{&core.Unknown{RawType: "t", Raw: core.RawBytes([]byte("\xff{")), Reason: "no"}, `"raw_type":"t","reason":"no","raw_base64":"/3s="`},
	}
	for _, tt := range tests {
		ev := core.Event{Source: core.ClaudeCode, Session: "s", ID: "e", Body: tt.body, At: at(1)}
		t.Run(ev.Name(), func(t *testing.T) {
			got, err := new(encode.Encoder).Event(nil, &ev)
			if err != nil {
				t.Fatal(err)
			}
			want := `{"schema":"memscribe.event/v1","event":"` + ev.Name() + `","id":"e","source":"claude_code","session_id":"s","seq":0,` +
				`"project":{},"body":{` + tt.want + `},"provenance":{"file":"/t/x.jsonl","byte_offset":100,"line_no":1}}`
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// strip is a Scrubber that cuts one word wherever it stands.
type strip string

func (w strip) Scrub(_ core.Field, s []byte) ([]byte, []core.Cut, error) {
	var out []byte
	var cuts []core.Cut
	for at := 0; ; {
		i := bytes.Index(s[at:], []byte(w))
		if i < 0 {
			return append(out, s[at:]...), cuts, nil
		}
		out = append(append(out, s[at:at+i]...), "[gone]"...)
		cuts = append(cuts, core.Cut{At: at + i, Len: len(w), With: len("[gone]")})
		at += i + len(w)
	}
}

// fill puts s into every string, and something into everything else, that can be
// reached from v.
func fill(v reflect.Value, s string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(s)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), s)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), s)
		fill(v.Index(1), s)
	case reflect.Struct:
		switch v.Type() {
		case reflect.TypeFor[core.Text]():
			v.Set(reflect.ValueOf(core.Plain(s)))
		case reflect.TypeFor[core.Raw]():
			d := new(jsondoc.Doc)
			if _, err := d.Parse([]byte(`{"` + s + `":["` + s + `",{"k":"x` + s + `"}]}`)); err != nil {
				panic(err)
			}
			v.Set(reflect.ValueOf(core.RawValue(d.Root())))
		case reflect.TypeFor[core.Piece]():
			v.Set(reflect.ValueOf(core.Piece{Joint: " → ", Fragment: core.Whole(s)}))
		case reflect.TypeFor[core.Fragment]():
			v.Set(reflect.ValueOf(core.Whole(s)))
		case reflect.TypeFor[core.Marker]():
			v.Set(reflect.ValueOf(core.Marker{Rule: s, Category: core.Category(s), Text: s})) // the turn is s, too
		case reflect.TypeFor[core.Time]():
		default:
			for _, field := range v.Fields() {
				fill(field, s)
			}
		}
	case reflect.Uint64, reflect.Int64, reflect.Int, reflect.Uint8:
		if v.CanInt() {
			v.SetInt(2)
		} else {
			v.SetUint(2)
		}
	}
}

// enums are the fields whose values are Memscribe's own words.
func restore(v any) {
	switch b := v.(type) {
	case *core.UserTurn:
		parts(b.Parts)
	case *core.AssistantTurn:
		parts(b.Parts)
	}
}

func parts(ps []core.Part) {
	kinds := []core.PartKind{core.TextPart, core.OtherPart}
	for i := range ps {
		ps[i].Kind = kinds[i%2]
	}
}

const canary = "CANARYcanary0123456789"

// TestEveryStringIsScrubbed plants a secret in every field of every event and
// node: none may come out.
func TestEveryStringIsScrubbed(t *testing.T) {
	bodies := []core.Body{
		&core.SessionStart{}, &core.UserTurn{}, &core.AssistantTurn{}, &core.ToolCall{}, &core.ToolResult{},
		&core.FileEdit{}, &core.Compaction{}, &core.Rewind{}, &core.SessionEnd{}, &core.Unknown{},
	}
	if len(bodies) != len(core.EventNames()) {
		t.Fatal("a kind of event is not tested")
	}
	for _, b := range bodies {
		fill(reflect.ValueOf(b).Elem(), canary)
		restore(b)
		var ev core.Event
		fill(reflect.ValueOf(&ev).Elem(), canary)
		ev.Body, ev.Source = b, core.Codex
		checkScrubbed(t, ev.Name(), func(e *encode.Encoder) ([]byte, error) { return e.Event(nil, &ev) })
	}
	for _, b := range []core.NodeBody{&core.Conversation{}, &core.Decision{}, &core.Episode{}, &core.Binding{}} {
		fill(reflect.ValueOf(b).Elem(), canary)
		var n core.Node
		fill(reflect.ValueOf(&n).Elem(), canary)
		n.Body = b
		checkScrubbed(t, n.Name(), func(e *encode.Encoder) ([]byte, error) { return e.Node(nil, &n) })
	}
}

func checkScrubbed(t *testing.T, name string, write func(*encode.Encoder) ([]byte, error)) {
	t.Helper()
	open, err := write(new(encode.Encoder))
	if err != nil || !bytes.Contains(open, []byte(canary)) {
		t.Fatalf("%s: the canary is not there to be found: %v %s", name, err, open)
	}
	clean, err := write(&encode.Encoder{Scrubber: strip(canary)})
	if err != nil || bytes.Contains(clean, []byte(canary)) {
		t.Errorf("%s: leaks: %v %s", name, err, clean)
	}
	if _, err := new(jsondoc.Doc).Parse(clean); err != nil {
		t.Errorf("%s: %v in %s", name, err, clean)
	}
}

// TestNoContent plants a text in every field that holds content.
func TestNoContent(t *testing.T) {
	n := core.Node{
		ID: "i", Provenance: []core.Location{{File: canary}}, Project: &core.Project{Cwd: canary, Git: core.Git{Branch: canary}},
		Body: &core.Decision{
			Epitome: core.Whole(canary), Confirmation: canary, Options: []core.Considered{{Fragment: core.Whole(canary)}}, Turn: core.Whole(canary),
			Markers: []core.Marker{{Rule: "r", Text: canary}},
		},
	}
	got, err := (&encode.Encoder{NoContent: true}).Node(nil, &n)
	if err != nil || bytes.Contains(got, []byte(canary)) {
		t.Errorf("leaks: %v %s", err, got)
	}
	ev := core.Event{ID: "i", Body: &core.ToolCall{CallID: "c", Name: "n", Args: core.RawString(canary)}, At: core.Location{File: canary}}
	got, err = (&encode.Encoder{NoContent: true}).Event(nil, &ev)
	if err != nil || bytes.Contains(got, []byte(canary)) {
		t.Errorf("leaks: %v %s", err, got)
	}
	if !bytes.Contains(got, []byte(`"args":null`)) {
		t.Errorf("%s: want null args", got)
	}
}

// TestOffsetsFitTheScrubbedText moves a marker along with the text before it.
func TestOffsetsFitTheScrubbedText(t *testing.T) {
	text := "key " + canary + ", use Postgres"
	n := core.Node{Body: &core.Conversation{Text: text, Markers: []core.Marker{
		{Rule: "r", Text: "use", Offset: strings.Index(text, "use")},
		{Rule: "within", Text: canary[3:8], Offset: strings.Index(text, canary) + 3},
		{Rule: "into", Text: "key " + canary[:5], Offset: 0},
		{Rule: "out of", Text: canary[5:] + ",", Offset: strings.Index(text, canary) + 5},
	}}}
	got, err := (&encode.Encoder{Scrubber: strip(canary)}).Node(nil, &n)
	if err != nil {
		t.Fatal(err)
	}
	v := doc(t, string(got))
	if bytes.Contains(got, []byte(canary[3:8])) {
		t.Errorf("a marker has what was cut: %s", got)
	}
	scrubbed := v.Get("text").Str()
	for m := range v.Get("markers").Elems() {
		off, _ := m.Get("offset").Int()
		if !strings.HasPrefix(scrubbed[off:], m.Get("matched_text").Str()) {
			t.Errorf("offset %d of %q is not %q", off, scrubbed, m.Get("matched_text").Str())
		}
	}
}

type failing struct{}

func (failing) Scrub(core.Field, []byte) ([]byte, []core.Cut, error) {
	return nil, nil, errors.New("out of budget")
}

// TestFailClosed: what a Scrubber could not read does not come out.
func TestFailClosed(t *testing.T) {
	n := core.Node{ID: canary, Body: &core.Conversation{Text: canary}}
	got, err := (&encode.Encoder{Scrubber: failing{}}).Node(nil, &n)
	if err == nil || bytes.Contains(got, []byte(canary)) {
		t.Errorf("err %v, output %s", err, got)
	}
}

func TestTime(t *testing.T) {
	tests := []struct{ in, want string }{
		{"2026-06-22T10:00:00.123Z", "2026-06-22T10:00:00.123Z"},
		{"2026-06-22T10:00:00Z", "2026-06-22T10:00:00Z"},
		{"2026-06-22T10:00:00.100000Z", "2026-06-22T10:00:00.100000Z"},
		{"2026-06-22T12:30:00+02:30", "2026-06-22T10:00:00Z"},
		{"2026-06-22T10:00:00.1234567891234Z", "2026-06-22T10:00:00.123456789Z"},
		{"yesterday", ""},
		{"", ""},
		{"0001-01-01T00:00:00Z", ""},
	}
	for _, tt := range tests {
		if got := core.ParseTime(tt.in).String(); got != tt.want {
			t.Errorf("ParseTime(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := core.UnixMilli(1_700_000_000_001).String(); got != "2023-11-14T22:13:20.001Z" {
		t.Errorf("UnixMilli = %q", got)
	}
	for _, bad := range []core.Time{core.UnixMilli(-1), core.Unix(1 << 62), core.UnixMilli(1 << 62), core.Unix(-5)} {
		if !bad.IsZero() {
			t.Errorf("%v is no time", bad)
		}
	}
}

func TestNodeID(t *testing.T) {
	id := core.NodeID("decision", core.Codex, "a", "bc")
	if id != core.NodeID("decision", core.Codex, "a", "bc") || len(id) != len("decision:")+32 {
		t.Errorf("id %q", id)
	}
	for _, other := range []string{
		core.NodeID("decision", core.Codex, "ab", "c"), core.NodeID("decision", core.ClaudeCode, "a", "bc"),
		core.NodeID("episode", core.Codex, "a", "bc"),
	} {
		if other == id {
			t.Errorf("%q names two things", id)
		}
	}
}

func TestCallIdentity(t *testing.T) {
	original := core.Event{Session: "s1", CallScope: "record"}
	fork := core.Event{Session: "s2", CallScope: "record"}
	if original.CallIdentity("call_1") != fork.CallIdentity("call_1") {
		t.Error("a call is another one in a copy of its record")
	}
	if (&core.Event{Session: "s1"}).CallIdentity("call_1") == (&core.Event{Session: "s2"}).CallIdentity("call_1") {
		t.Error("a counted call id means something only in its session")
	}
	first, second := core.Event{Session: "s1", ID: "e1"}, core.Event{Session: "s1", ID: "e2"}
	if first.CallIdentity("") == second.CallIdentity("") {
		t.Error("edits of which no call is known are one edit")
	}
}
