package encode_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/redact"
)

// within is the first place of a part in a text.
func within(whole, part string) core.Fragment {
	return core.Fragment{Text: part, Whole: whole, Offset: strings.Index(whole, part)}
}

// TestFragmentIsJudgedInItsWhole plants secrets that only the words around them
// give away, and fragments of the text that cover them, begin in them, or stand
// beside them.
func TestFragmentIsJudgedInItsWhole(t *testing.T) {
	const secret, other = "Zk39dkeLLq02mfTz8", "Qk39dkeLLq02mfTz1"
	const turn = "Use password " + secret + " for staging instead of password " + other + ". Never print it."
	engine, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	options := []core.Considered{
		{Fragment: within(turn, secret), Chosen: true},
		{Fragment: within(turn, other)},
		{Fragment: within(turn, secret[4:]+" for staging")},
		{Fragment: within(turn, "password "+other[:8])},
		{Fragment: within(turn, "staging")},
	}
	lines := core.Title{
		{Fragment: within(turn, "staging instead of password "+other)},
		{Joint: " → ", Fragment: within(turn, secret)},
		{Joint: " (not: ", Fragment: within(turn, other[5:])},
		{Joint: ")"},
		{Joint: " [", Fragment: within(turn, "Never print it.")},
		{Joint: "]"},
	}
	n := core.Node{Body: &core.Decision{
		Title: lines, Epitome: within(turn, "Never print it."), Options: options, Turn: core.Whole(turn),
		Markers: []core.Marker{{Rule: "r", Text: other + ".", Offset: strings.Index(turn, other)}, {Rule: "r", Text: "Never", Offset: strings.Index(turn, "Never")}},
	}}
	got, err := (&encode.Encoder{Scrubber: engine}).Node(nil, &n)
	if err != nil {
		t.Fatal(err)
	}
	for _, piece := range []string{secret[:6], secret[8:], other[:6], other[8:]} {
		if bytes.Contains(got, []byte(piece)) {
			t.Errorf("a piece of a secret leaks: %s", got)
		}
	}
	v := doc(t, string(got))
	var texts []string
	for o := range v.Get("considered_options").Elems() {
		texts = append(texts, o.Get("text").Str())
	}
	const mark = "[REDACTED:password]"
	want := []string{mark, mark, mark + " for staging", "password " + mark, "staging"}
	if fmt.Sprint(texts) != fmt.Sprint(want) || v.Get("epitome").Str() != "Never print it." {
		t.Errorf("options %q, epitome %q", texts, v.Get("epitome").Str())
	}
	if got, want := v.Get("title").Str(), "staging instead of password "+mark+" → "+mark+" (not: "+mark+") [Never print it.]"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
	clean, _, err := engine.Scrub(core.TextField, []byte(turn))
	if err != nil {
		t.Fatal(err)
	}
	for m := range v.Get("markers").Elems() {
		at, _ := m.Get("offset").Int()
		if text := m.Get("matched_text").Str(); !bytes.HasPrefix(clean[at:], []byte(text)) {
			t.Errorf("marker %q does not stand at %d of %q", text, at, clean)
		}
	}
}

// TestFragmentWithoutItsWholeIsRefused has fragments that do not stand where they
// say: a node with one must not be written, scrubbed or not, and the error must not
// show the text.
func TestFragmentWithoutItsWholeIsRefused(t *testing.T) {
	const words = "hunter words"
	decision := func(f core.Fragment) core.NodeBody { return &core.Decision{Epitome: f} }
	for name, body := range map[string]core.NodeBody{
		"no whole":           decision(core.Fragment{Text: words}),
		"another whole":      decision(core.Fragment{Text: words, Whole: "something else that is long enough"}),
		"elsewhere":          decision(core.Fragment{Text: words, Whole: "the " + words, Offset: 3}),
		"before the whole":   decision(core.Fragment{Text: words, Whole: words, Offset: -1}),
		"behind the whole":   decision(core.Fragment{Text: words, Whole: words, Offset: 100}),
		"option":             &core.Decision{Options: []core.Considered{{Fragment: core.Fragment{Text: words}}}},
		"title":              &core.Decision{Title: core.Title{{Fragment: core.Fragment{Text: words}}}},
		"joint of words":     &core.Decision{Title: core.Title{{Joint: words}}},
		"marker of a turn":   &core.Conversation{Text: "a turn", Markers: []core.Marker{{Text: words}}},
		"marker beside":      &core.Conversation{Text: words, Markers: []core.Marker{{Text: words, Offset: 2}}},
		"marker of no turn":  &core.Decision{Markers: []core.Marker{{Text: words}}},
		"marker before turn": &core.Decision{Turn: core.Whole(words), Markers: []core.Marker{{Text: words, Offset: -1}}},
	} {
		for _, scrubber := range []core.Scrubber{nil, strip(canary)} {
			_, err := (&encode.Encoder{Scrubber: scrubber}).Node(nil, &core.Node{Body: body})
			if err == nil || strings.Contains(err.Error(), words) {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
}

// TestTitleIsScrubbedAsALine has pieces that are no secret where they stand, and one
// beside each other.
func TestTitleIsScrubbedAsALine(t *testing.T) {
	const value = "Zk39dkeLLq02mfTz8"
	said, turn := "Which password?", "take "+value+" then"
	engine, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := core.Node{Body: &core.Decision{
		Epitome: within(turn, "then"),
		Title:   core.Title{{Fragment: within(said, "password")}, {Joint: " ", Fragment: within(turn, value)}},
	}}
	got, err := (&encode.Encoder{Scrubber: engine}).Node(nil, &n)
	if err != nil {
		t.Fatal(err)
	}
	if title := doc(t, string(got)).Get("title").Str(); title != "password [REDACTED:password]" {
		t.Errorf("title %q", title)
	}
}

// TestTitleIsOneLine has a title of pieces with blanks and line ends.
func TestTitleIsOneLine(t *testing.T) {
	const turn = "Use\r\n\tthe   queue.\nAlways."
	n := core.Node{Body: &core.Decision{Title: core.Title{{Fragment: core.Whole(turn)}, {Joint: " …"}}}}
	for _, c := range []struct {
		encoder encode.Encoder
		want    string
	}{
		{encode.Encoder{}, "Use the queue. Always. …"},
		{encode.Encoder{Scrubber: strip("queue")}, "Use the [gone]. Always. …"},
		{encode.Encoder{NoContent: true}, ""},
	} {
		got, err := c.encoder.Node(nil, &n)
		if err != nil {
			t.Fatal(err)
		}
		if title := doc(t, string(got)).Get("title").Str(); title != c.want {
			t.Errorf("title %q, want %q", title, c.want)
		}
	}
}

// counting counts the bytes that a Scrubber is asked about.
type counting struct {
	core.Scrubber
	bytes int
}

func (c *counting) Scrub(f core.Field, s []byte) ([]byte, []core.Cut, error) {
	c.bytes += len(s)
	return c.Scrubber.Scrub(f, s)
}

// TestTurnIsScrubbedOnce encodes a long turn with many decisions: what they share is
// scrubbed once, and each node is what it is alone.
func TestTurnIsScrubbedOnce(t *testing.T) {
	for _, secret := range []string{"", "Use password Zk39dkeLLq02mfTz8 for staging. "} {
		turn := secret + strings.Repeat("Use cursors instead of offsets. ", 1000) + "Keep it."
		other := secret + "I would take cursors. Shall I?"
		nodes := []core.Node{{Body: &core.Conversation{Text: turn}}}
		for range 50 {
			nodes = append(nodes, core.Node{Body: &core.Decision{
				Epitome: within(turn, "Keep it."), Title: core.Title{{Fragment: within(other, "Shall I?")}}, Turn: core.Whole(turn),
			}})
		}
		engine, err := redact.New(redact.Options{})
		if err != nil {
			t.Fatal(err)
		}
		count := &counting{Scrubber: engine}
		encoder := &encode.Encoder{Scrubber: count}
		for i := range nodes {
			got, err := encoder.Node(nil, &nodes[i])
			if err != nil {
				t.Fatal(err)
			}
			alone, err := (&encode.Encoder{Scrubber: engine}).Node(nil, &nodes[i])
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, alone) {
				t.Fatalf("node %d is\n%s\nalone it is\n%s", i, got, alone)
			}
		}
		if most := 2 * len(turn); count.bytes > most {
			t.Errorf("%d bytes were scrubbed for a turn of %d with %d decisions", count.bytes, len(turn), len(nodes)-1)
		}
	}
}
