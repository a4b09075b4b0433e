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
