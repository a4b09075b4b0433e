package core_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
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
	n := core.Node{Body: &core.Decision{
		Epitome: within(turn, "Never print it."), Options: options, Turn: core.Whole(turn),
		Markers: []core.Marker{{Rule: "r", Text: other + ".", Offset: strings.Index(turn, other)}, {Rule: "r", Text: "Never", Offset: strings.Index(turn, "Never")}},
	}}
	got, err := (&core.Encoder{Scrubber: engine}).Node(nil, &n)
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
		"marker of a turn":   &core.Conversation{Text: "a turn", Markers: []core.Marker{{Text: words}}},
		"marker beside":      &core.Conversation{Text: words, Markers: []core.Marker{{Text: words, Offset: 2}}},
		"marker of no turn":  &core.Decision{Markers: []core.Marker{{Text: words}}},
		"marker before turn": &core.Decision{Turn: core.Whole(words), Markers: []core.Marker{{Text: words, Offset: -1}}},
	} {
		for _, scrubber := range []core.Scrubber{nil, strip(canary)} {
			_, err := (&core.Encoder{Scrubber: scrubber}).Node(nil, &core.Node{Body: body})
			if err == nil || strings.Contains(err.Error(), words) {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
}
