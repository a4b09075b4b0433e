package decide

import (
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide/naming"
	"github.com/memscribe/memscribe/core/prose"
)

// name says what a decision takes and leaves, beside what the rules of English found, which
// is evidence for its kind and stays what it is: by the frames of its own language, and by
// what the assistant had put up. What is not named by anything is named by its clauses.
func (j *Judge) name(d *Decided, p passage) {
	r := &j.reading
	defer r.stand(d)
	if d.EpitomeInAssistant {
		if len(d.Options) == 0 {
			d.Options = naming.Emphasised(r.Previous(), prose.Span{Start: d.Offset, End: d.Offset + len(d.Epitome)})
		}
		return
	}
	if slices.ContainsFunc(d.Options, func(o core.Option) bool { return o.InAssistant }) {
		return // it picks
	}
	if r.group() != "en" || naming.Wide(d.Epitome) {
		d.Options = nil // the rules know English
	}
	if j.namer == nil { // made when the first decision needs it
		j.namer = naming.New()
	}
	var sentences []prose.Span
	for i := p.first; i <= p.last; i++ {
		sentences = append(sentences, r.Turn.Sentences[i].Span)
	}
	d.Options = joined(d.Options, j.namer.Passage(r.Turn.Text, sentences, d.Options, false))
	offered := naming.Offered(r.Previous(), d.Epitome)
	if len(d.Options) == 0 {
		d.Options = j.namer.Passage(r.Turn.Text, sentences, nil, true)
	}
	d.Options = joined(d.Options, offered)
}

// joined are options with those of others that say something else.
func joined(have, more []core.Option) []core.Option {
	for _, o := range more {
		if !naming.Says(have, o) {
			have = append(have, o)
		}
	}
	return have
}
