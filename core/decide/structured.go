package decide

import (
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide/answer"
	"github.com/memscribe/memscribe/core/prose"
)

// StructuredRule is the rule id in markers of decisions that answer a tool. No rule of the
// table found these.
const StructuredRule = "structured.answer"

// Structured returns the decisions in a person's answer to a tool: choices in a question tool,
// an approved or rejected plan, a refused permission with a reason. proposal is the text that
// was to be approved, or "". A permission, or a refusal without a reason, decides nothing.
//
// The epitome of a choice is the question, and its options are the answers; words of the
// person's own are an epitome themselves. An answer that leaves the choice to the agent decides
// nothing. The marker of each decision is its whole epitome.
//
// An option, a plan and a short answer are certain and have the score 100. Longer words of the
// person's own are judged like a turn, with the question as the message before it:
//
//	Which database?   → SQLite                               certain
//	Who may leave?    → hmm, that depends on the discovery   no decision
//	a refused command → No, use two minutes, not one.        judged: 98
//	a refused command → huh, that's what I expected          no decision
func (j *Judge) Structured(res *core.ToolResult, proposal string) []Decided {
	var out []Decided
	for i := range res.Choices {
		if d, ok := chosen(&res.Choices[i]); ok && (d.EpitomeInAssistant || answer.IsShort(d.Epitome) || j.hasDecided(&d, core.DecisionVerb)) {
			out = append(out, d)
		}
	}
	switch res.Verdict {
	case core.Approved:
		if title := answer.TitleOf(proposal); title != "" {
			at := strings.Index(proposal, title)
			out = append(out, Decided{Kind: Confirm, Epitome: title, EpitomeInAssistant: true, Offset: at, Said: proposal, Confirmation: true})
		}
	case core.Rejected:
		d, ok := refused(res.Reason.String(), proposal)
		if ok && (j.hasDecided(&d, core.Rejection) || len(d.Options) > 0) { // a refused plan is a decision, whatever the words
			for k := range d.Options {
				d.Options[k].Chosen = j.reading.agrees()
			}
			out = append(out, d)
		}
	case core.NoVerdict:
	}
	for i := range out {
		d := &out[i]
		if d.Structured = true; len(d.Markers) == 0 {
			d.Score, d.Markers = 100, []core.Marker{{Rule: StructuredRule, Category: core.StructuredChoice, Text: d.Epitome}}
		}
	}
	return out
}

// agrees reports whether the turn begins by agreeing. A plan can be refused only to add to it: "Yes, but
// on a branch."
func (r *turn) agrees() bool {
	yes, accepts, end := r.Assents()
	return (yes || accepts) && !r.deniedWithin(end)
}

// hasDecided judges words of the person's own, with the tool's question as the message before
// them. It sets the score of d, at least [Threshold], and a marker of the category, and reports
// whether the words are a decision.
func (j *Judge) hasDecided(d *Decided, of core.Category) bool {
	score := j.Turn(d.Turn, func() string { return d.Said }).Score
	d.Score, d.Markers = max(score, Threshold), []core.Marker{{Rule: StructuredRule, Category: of, Text: d.Epitome}}
	return j.Sends(score)
}

// chosen returns the decision of a question, and whether it was answered. Said is the question
// with its options, each on a line, so that redaction sees them together: the question "Which
// password?" shows that an option is a secret.
func chosen(c *core.Choice) (Decided, bool) {
	d := Decided{Kind: Choice, Epitome: c.Question, EpitomeInAssistant: true, Turn: c.Answer}
	answered := false
	var said strings.Builder
	said.WriteString(c.Question)
	for _, o := range c.Options {
		answered = answered || o.Chosen
		if !o.Chosen && answer.IsOpen(o.Text) {
			continue // it leaves the choice to the agent
		}
		said.WriteByte('\n')
		o.InAssistant, o.Offset = true, said.Len()
		said.WriteString(o.Text)
		d.Options = append(d.Options, o)
	}
	d.Said = said.String()
	if own := strings.TrimSpace(c.Answer); own != "" {
		if answer.Asks(prose.Of(c.Answer)) || answer.IsOpen(own) {
			return Decided{}, false
		}
		d.Epitome, d.EpitomeInAssistant = own, false
		d.Offset = strings.Index(c.Answer, own)
		d.Options = append(d.Options, core.Option{Text: own, Chosen: true, Offset: d.Offset})
		return d, true
	}
	return d, answered && d.Epitome != "" && !answer.HandsBack(c.Options) && !answer.OfTalk(c.Question)
}

// refused returns the decision of a refusal with a reason. ok is false if the reason is only a
// question: then nothing is decided yet.
func refused(reason, plan string) (Decided, bool) {
	p := prose.Of(reason)
	if len(p.Sentences) == 0 || answer.Asks(p) {
		return Decided{}, false
	}
	const most = 400
	span := p.Sentences[0].Span
	if last := p.Sentences[len(p.Sentences)-1]; len(p.Spans) == 1 && last.End-span.Start <= most {
		span.End = last.End
	}
	d := Decided{Kind: Choice, Epitome: span.In(reason), Offset: span.Start, Turn: reason}
	if title := answer.TitleOf(plan); title != "" {
		d.Said = plan
		d.Options = []core.Option{{Text: title, InAssistant: true, Offset: strings.Index(plan, title)}}
	}
	return d, true
}
