package redact_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/redact"
)

// canaries fill every string of a value, each with another canary.
type canaries struct {
	make func(n int) string
	all  []string
}

func (c *canaries) next() string {
	s := c.make(len(c.all))
	c.all = append(c.all, s)
	return s
}

// token is a canary that is a secret.
func token(n int) string {
	sum := sha256.Sum256(fmt.Append(nil, "canary", n))
	return "ghp_" + hex.EncodeToString(sum[:18])
}

// words is a canary that is a text and no secret.
func words(n int) string { return fmt.Sprintf("canary%d sings", n) }

func (c *canaries) fill(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Interface().(type) {
	case core.Text:
		v.Set(reflect.ValueOf(core.Plain(c.next())))
		return
	case core.Raw:
		v.Set(reflect.ValueOf(core.RawValue(c.value(t))))
		return
	case core.Time, []core.Marker:
		return
	case core.Fragment:
		v.Set(reflect.ValueOf(core.Whole(c.next())))
		return
	case core.Piece:
		v.Set(reflect.ValueOf(core.Piece{Joint: " → ", Fragment: core.Whole(c.next())}))
		return
	case []core.Part:
		v.Set(reflect.ValueOf(c.parts(t)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(c.next())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		c.fill(t, v.Elem())
	case reflect.Struct:
		for _, field := range v.Fields() {
			c.fill(t, field)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			c.fill(t, v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Interface: // a body, which is filled on its own
	default:
		v.SetZero()
	}
}

// value is a value of JSON with strings in every place.
func (c *canaries) value(t *testing.T) jsondoc.Value {
	t.Helper()
	text := fmt.Sprintf(`{%q:[%q,{"command":%q}],"in":{"json":%q}}`, c.next(), c.next(), c.next(), `{"key":"`+c.next()+`"}`)
	d := new(jsondoc.Doc)
	if _, err := d.Parse([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return d.Root()
}

func (c *canaries) markers(turn string) []core.Marker {
	return []core.Marker{{Rule: c.next(), Category: core.Category(c.next()), Text: turn}}
}

func (c *canaries) parts(t *testing.T) []core.Part {
	t.Helper()
	var all []core.Part
	for _, kind := range []core.PartKind{core.TextPart, core.ThinkingPart, core.ToolUsePart, core.ToolResultPart, core.ImagePart, core.OtherPart} {
		p := core.Part{Text: core.Plain(c.next()), CallID: c.next(), Name: c.next(), MediaType: c.next()}
		p.Kind, p.Raw = kind, core.RawValue(c.value(t))
		all = append(all, p)
	}
	return all
}

// encodeAll encodes an event or node of each kind, filled with canaries.
func encodeAll(t *testing.T, c *canaries, e *encode.Encoder) string {
	t.Helper()
	var out []byte
	add := func(b []byte, err error) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(b, '\n')
	}
	for _, body := range []core.Body{
		&core.SessionStart{}, &core.UserTurn{}, &core.AssistantTurn{}, &core.ToolCall{}, &core.ToolResult{},
		&core.FileEdit{}, &core.Compaction{}, &core.Rewind{}, &core.SessionEnd{}, &core.Unknown{},
	} {
		c.fill(t, reflect.ValueOf(body).Elem())
		var ev core.Event
		c.fill(t, reflect.ValueOf(&ev).Elem())
		ev.Body = body
		add(e.Event(out, &ev))
	}
	for _, raw := range []core.Raw{core.RawString(c.next()), core.RawBytes([]byte(c.next())), core.RawBytes([]byte(c.next() + " \xff"))} {
		add(e.Event(out, &core.Event{Body: &core.Unknown{Raw: raw}}))
	}
	for _, body := range []core.NodeBody{&core.Conversation{}, &core.Decision{}, &core.Episode{}, &core.Binding{}} {
		c.fill(t, reflect.ValueOf(body).Elem())
		switch b := body.(type) { // markers are parts of their turns
		case *core.Conversation:
			b.Markers = c.markers(b.Text)
		case *core.Decision:
			b.Markers = c.markers(b.Turn.Text)
		}
		var n core.Node
		c.fill(t, reflect.ValueOf(&n).Elem())
		n.Body = body
		add(e.Node(out, &n))
	}
	return string(out)
}

// TestCanaries plants a secret in every string of every event and node: none may
// come out, with content or without. In the same output, not scrubbed, they do:
// the test sees what it looks for.
func TestCanaries(t *testing.T) {
	if n := len(core.EventNames()); n != 10 {
		t.Errorf("there are %d kinds of event: the test knows 10", n)
	}
	plain := &canaries{make: token}
	out := encodeAll(t, plain, &encode.Encoder{})
	seen := 0
	for _, s := range plain.all {
		if strings.Contains(out, s) {
			seen++
		}
	}
	if seen < 100 {
		t.Fatalf("of %d canaries %d come out of an encoder that does not scrub", len(plain.all), seen)
	}
	for _, noContent := range []bool{false, true} {
		c := &canaries{make: token}
		out := encodeAll(t, c, &encode.Encoder{Scrubber: engine(t, redact.Options{}), NoContent: noContent})
		for i, s := range c.all {
			if strings.Contains(out, s[4:20]) || strings.Contains(out, s[20:]) {
				t.Errorf("canary %d (%s) leaks, without content %v", i, s, noContent)
			}
		}
		if n := strings.Count(out, "[REDACTED:github_pat]"); n < seen/4 {
			t.Errorf("there are %d placeholders for %d canaries", n, seen)
		}
	}
}

// TestNoText plants words, which are no secret: without content not one of them
// may come out, of any field.
func TestNoText(t *testing.T) {
	for _, scrubber := range []core.Scrubber{nil, engine(t, redact.Options{})} {
		c := &canaries{make: words}
		out := encodeAll(t, c, &encode.Encoder{Scrubber: scrubber, NoContent: true})
		if i := strings.Index(out, "sings"); i >= 0 {
			t.Errorf("a text leaks: …%s…", out[max(0, i-80):i+20])
		}
		if strings.Contains(out, "canary") {
			t.Error("a word of a text leaks")
		}
	}
}
