package segment

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/decide"
)

// TestLeadsTo: a sentence whose title is the decision behind it is no decision beside it.
func TestLeadsTo(t *testing.T) {
	const text = "We need to address an oversight. Store all timestamps in UTC and show them in local time. Use tabs."
	at := func(sentence string) decide.Decided {
		return decide.Decided{Turn: text, Epitome: sentence, Offset: strings.Index(text, sentence)}
	}
	lead, utc, tabs := at("We need to address an oversight."), at("Store all timestamps in UTC and show them in local time."), at("Use tabs.")
	for _, c := range []struct {
		name   string
		d      decide.Decided
		others []decide.Decided
		want   bool
	}{
		{"leads to a decision", lead, []decide.Decided{utc, tabs}, true},
		{"leads to none", lead, []decide.Decided{tabs}, false},
		{"says something", utc, []decide.Decided{tabs}, false},
	} {
		d := Decision{Decided: c.d}
		d.titleOfTurn("")
		if got := d.leadsTo(c.others); got != c.want {
			t.Errorf("%s: %v with the title %+v", c.name, got, d.Title)
		}
	}
}

// TestIsSaidTwice: an offer and the words that take it up are one decision, if the title of these has the offer.
func TestIsSaidTwice(t *testing.T) {
	const before = "The page is there. Shall I link it from the index of the manual?"
	for _, c := range []struct {
		name, turn, own string
		offerGoes, goes bool
	}{
		{"more than a yes", "Yes, and make sure that the link stands above the list of commands.", "", true, false},
		{"no more than a yes", "Yeah, let's give it a try with that.", "", false, true},
		{"more than a yes, with names of its own", "Yes, write the tests of the parser and of the printer first, one file each, under testdata.", "", true, false},
		{"something else", "Yes please. The port is 8080 by default, in every service of ours.", "The port is 8080 by default, in every service of ours.", false, false},
	} {
		offer := Decision{Decided: decide.Decided{Turn: c.turn, EpitomeInAssistant: true, Offset: strings.Index(before, "Shall"), Epitome: "Shall I link it from the index of the manual?"}}
		own := Decision{Decided: decide.Decided{Turn: c.turn, Epitome: c.turn}}
		if c.own != "" {
			own.Offset, own.Epitome = strings.Index(c.turn, c.own), c.own
		}
		offer.titleOfTurn(before)
		own.titleOfTurn(before)
		all := []*Decision{&offer, &own}
		if got := offer.isSaidTwice(all); got != c.offerGoes {
			t.Errorf("%s: the offer: %v", c.name, got)
		}
		if got := own.isSaidTwice(all); got != c.goes {
			t.Errorf("%s: the person's words: %v with the title %+v", c.name, got, own.Title)
		}
	}
}

// TestAdopt: the words that take up an offer have it in front of their title.
func TestAdopt(t *testing.T) {
	const before = "Shall I link it from the index of the manual?"
	const turn = "Yes, write the tests of the parser and of the printer first, one file each, under testdata."
	offer := &Decision{Decided: decide.Decided{Turn: turn, EpitomeInAssistant: true, Epitome: before}}
	own := &Decision{Decided: decide.Decided{Turn: turn, Epitome: turn}}
	all := []*Decision{offer, own}
	for _, d := range all {
		d.titleOfTurn(before)
	}
	own.adopt(all, before)
	var b strings.Builder
	for _, p := range own.Title {
		text := turn
		if p.InBefore {
			text = own.Said
		}
		b.WriteString(p.Joint + p.In(text))
	}
	if want := before + " → " + turn; b.String() != want {
		t.Errorf("title %q, not %q", b.String(), want)
	}
}
