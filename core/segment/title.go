package segment

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/prose"
	"github.com/memscribe/memscribe/core/title"
	"github.com/memscribe/memscribe/core/topic"
)

// titleOfTurn sets the title of a decision of a turn. Said is set to the assistant's
// words before the turn if the title uses them.
func (d *Decision) titleOfTurn(before string) {
	d.Title = title.Of(&title.Input{
		Turn: d.Turn, Before: before, Epitome: d.span(), InBefore: d.EpitomeInAssistant,
		Options: d.Options, Markers: d.Markers,
	})
	for _, p := range d.Title {
		if p.InBefore {
			d.Said = before
		}
	}
}

// leadsTo reports whether a decision only announces a later one of the turn: "We need to
// address an oversight." Its title then consists of the other decision's words.
func (d *Decision) leadsTo(others []decide.Decided) bool {
	if len(d.Title) == 0 || d.Title[0].InBefore || d.Title[0].Start < d.Offset+len(d.Epitome) || d.EpitomeInAssistant {
		return false
	}
	return slices.ContainsFunc(others, func(o decide.Decided) bool {
		return !o.EpitomeInAssistant && o.Offset <= d.Title[0].Start && d.Title[0].Start < o.Offset+len(o.Epitome)
	})
}

// isSaidTwice reports whether a decision repeats another one of the turn: the one is an offer
// of the assistant, the other the words that accept it, and one title has both. The person's
// words are kept if they say more than a yes, else the offer.
//
//	Shall I add a page? → yes, and link it from the index of the manual    the person's words
//	Shall I add a page? → yeah, let's give it a try                        the offer
func (d *Decision) isSaidTwice(all []*Decision) bool {
	return slices.ContainsFunc(all, func(o *Decision) bool {
		if d.EpitomeInAssistant {
			return o.takesUp(d) && o.saysMore()
		}
		return d.takesUp(o) && !d.saysMore()
	})
}

// takesUp reports whether a person's words and an offer of the assistant are in one title.
func (d *Decision) takesUp(offer *Decision) bool {
	if d.EpitomeInAssistant || !offer.EpitomeInAssistant {
		return false
	}
	return d.titleHas(offer) || offer.titleHas(d)
}

// titleHas reports whether the title has words of another decision.
func (d *Decision) titleHas(o *Decision) bool {
	return slices.ContainsFunc(d.Title, func(p title.Part) bool {
		return p.InBefore == o.EpitomeInAssistant && p.Start < p.End && p.Start < o.Offset+len(o.Epitome) && o.Offset < p.End
	})
}

// adopt puts the offer that a person's words accept at the beginning of their title, if the
// title does not have it yet.
func (d *Decision) adopt(all []*Decision, before string) {
	for _, o := range all {
		if !d.takesUp(o) || !d.saysMore() || slices.ContainsFunc(d.Title, func(p title.Part) bool { return p.InBefore }) {
			continue
		}
		for i, p := range o.Title {
			if !p.InBefore && p.Start < p.End && len(d.Title) > 0 {
				own := slices.Clone(d.Title)
				own[0].Joint = p.Joint
				d.Title, d.Said = append(slices.Clone(o.Title[:i]), own...), before
				return
			}
		}
	}
}

// saysMore reports whether an epitome names anything.
func (d *Decision) saysMore() bool {
	const more = 3 // words
	return len(topic.Of(d.Epitome)) >= more
}

// titleOfAnswer sets the title of a person's answer to a tool: to its question (asked) or
// its plan.
func (d *Decision) titleOfAnswer(asked bool) {
	in := title.Input{
		Turn: d.Turn, Before: d.Said, Epitome: d.span(), InBefore: d.EpitomeInAssistant,
		Options: d.Options, Structured: true,
	}
	if asked {
		in.Asked.End = len(d.Said)
		for _, o := range d.Options {
			if o.InAssistant {
				in.Asked.End = len(strings.TrimRight(d.Said[:o.Offset], "\n"))
				break
			}
		}
	}
	d.Title = title.Of(&in)
}

// setWords sets Words to the words of the epitome, the options and the title; of a plan,
// to all its words.
func (d *Decision) setWords() {
	texts := make([]string, 0, len(d.Title)+len(d.Options)+2)
	texts = append(texts, d.Epitome)
	for _, o := range d.Options {
		texts = append(texts, o.Text)
	}
	for _, p := range d.Title {
		if p.InBefore {
			texts = append(texts, p.In(d.Said))
		} else {
			texts = append(texts, p.In(d.Turn))
		}
	}
	if d.Structured && d.Kind == decide.Confirm {
		texts = append(texts, d.Said)
	}
	d.Words = topic.Of(texts...)
}

// span returns the span of the epitome.
func (d *Decision) span() prose.Span {
	return prose.Span{Start: d.Offset, End: d.Offset + len(d.Epitome)}
}
