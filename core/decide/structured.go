package decide

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/prose"
)

// StructuredRule is the id in the markers of decisions that were made by
// answering a tool: no rule of the table found them.
const StructuredRule = "structured.answer"

// Structured turns what a person answered to a tool into decisions: the choices of a
// question tool, an approved or rejected plan, a refused permission with a reason.
// proposal is the text that was up for approval, and may be empty. A plain permission, or
// a refusal without a reason, decides nothing.
//
// The epitome of a choice is the question, and the options say how it was answered; words
// of the person's own are the epitome themselves. An option that leaves the choice to the
// agent is none, and such an answer decides nothing. The marker of each decision is its
// whole epitome.
//
// An option, a plan and a short answer are certain. Longer words of the person's own are
// judged as a turn is, with the question before it:
//
//	Which database?   → SQLite                               certain
//	Who may leave?    → hmm, that depends on the discovery   no decision
//	a refused command → No, use two minutes, not one.        judged: 98
//	a refused command → huh, that's what I expected          no decision
func (j *Judge) Structured(res *core.ToolResult, proposal string) []Decided {
	var out []Decided
	for i := range res.Choices {
		if d, ok := chosen(&res.Choices[i]); ok && (d.EpitomeInAssistant || isShort(d.Epitome) || j.hasDecided(&d, core.DecisionVerb)) {
			out = append(out, d)
		}
	}
	switch res.Verdict {
	case core.Approved:
		if title := titleOf(proposal); title != "" {
			out = append(out, Decided{
				Kind: Confirm, Epitome: title, EpitomeInAssistant: true, Offset: strings.Index(proposal, title), Said: proposal,
				Confirmation: true,
			})
		}
	case core.Rejected:
		d, ok := refused(res.Reason.String(), proposal)
		if ok && (j.hasDecided(&d, core.Rejection) || len(d.Options) > 0) { // a plan was refused, whatever the words
			out = append(out, d)
		}
	case core.NoVerdict:
	}
	for i := range out {
		d := &out[i]
		d.Structured = true
		if len(d.Markers) == 0 {
			d.Score, d.Markers = 100, []core.Marker{{Rule: StructuredRule, Category: core.StructuredChoice, Text: d.Epitome}}
		}
	}
	return out
}

// hasDecided judges words of the person's own, with what the tool had asked before them.
// The decision gets their score, but at least the threshold, and a marker of the category.
func (j *Judge) hasDecided(d *Decided, of core.Category) bool {
	score := j.Turn(d.Turn, func() string { return d.Said }).Score
	d.Score = max(score, j.threshold)
	d.Markers = []core.Marker{{Rule: StructuredRule, Category: of, Text: d.Epitome}}
	return j.Sends(score)
}

// isShort reports whether an answer is so short that it can only be what was asked for: a
// name or a value.
func isShort(answer string) bool {
	const most, mostSigns = 4, 16
	return len(strings.Fields(answer)) <= most && (len(answer) == len([]rune(answer)) || len([]rune(answer)) <= mostSigns)
}

// chosen is the decision of an answered question, if it was answered. What the
// assistant said is the question with its options, each on a line: a question may
// be what makes a secret of an option.
func chosen(c *core.Choice) (Decided, bool) {
	d := Decided{Kind: Choice, Epitome: c.Question, EpitomeInAssistant: true, Turn: c.Answer}
	answered := false
	var said strings.Builder
	said.WriteString(c.Question)
	for _, o := range c.Options {
		answered = answered || o.Chosen
		if !o.Chosen && isOpen(o.Text) {
			continue // no alternative
		}
		said.WriteByte('\n')
		o.InAssistant, o.Offset = true, said.Len()
		said.WriteString(o.Text)
		d.Options = append(d.Options, o)
	}
	d.Said = said.String()
	if answer := strings.TrimSpace(c.Answer); answer != "" {
		if onlyAsks(prose.Of(c.Answer)) || isOpen(answer) {
			return Decided{}, false
		}
		d.Epitome, d.EpitomeInAssistant = answer, false
		d.Offset = strings.Index(c.Answer, answer)
		d.Options = append(d.Options, core.Option{Text: answer, Chosen: true, Offset: d.Offset})
		return d, true
	}
	return d, answered && d.Epitome != "" && !handsBack(c.Options)
}

// handsBack reports whether the options that were chosen decide nothing: they leave the choice to
// the agent, or only say how the talk continues.
//
//	Should file trees show size?    → You decide
//	More questions, or next area?   → Next area
func handsBack(options []core.Option) bool {
	return !slices.ContainsFunc(options, func(o core.Option) bool { return o.Chosen && !isOpen(o.Text) })
}

// isOpen reports whether an option leaves the choice to the agent, or only says how the talk continues.
func isOpen(option string) bool {
	low := words.Lower(strings.TrimSpace(option))
	return slices.ContainsFunc([]string{
		"you decide", "you choose", "you pick", "up to you", "your call", "let claude decide", "claude decides", "claude's discretion", "agent's discretion", "no preference",
		"next area", "next question", "next topic", "more questions", "no more questions", "ask more", "keep discussing",
		"figure it out", "whatever", "not sure", "no idea", "i don't know", "i dont know", "idk", "don't care", "it depends", "hmm", "let's discuss",
	}, func(start string) bool { return strings.HasPrefix(low, start) })
}

// refused is the decision of a refusal with a reason. Who only asks something back has not
// decided yet.
func refused(reason, plan string) (Decided, bool) {
	p := prose.Of(reason)
	if len(p.Sentences) == 0 || onlyAsks(p) {
		return Decided{}, false
	}
	const most = 400
	span := p.Sentences[0].Span
	if last := p.Sentences[len(p.Sentences)-1]; len(p.Spans) == 1 && last.End-span.Start <= most {
		span.End = last.End
	}
	d := Decided{Kind: Choice, Epitome: span.In(reason), Offset: span.Start, Turn: reason}
	if title := titleOf(plan); title != "" {
		d.Said = plan
		d.Options = []core.Option{{Text: title, InAssistant: true, Offset: strings.Index(plan, title)}}
	}
	return d, true
}

// onlyAsks reports whether a text is nothing but questions.
func onlyAsks(p prose.Turn) bool {
	return len(p.Sentences) > 0 && !slices.ContainsFunc(p.Sentences, func(s prose.Sentence) bool { return !asksBack(s.In(p.Text)) })
}

// asksBack reports whether a sentence is a question.
func asksBack(sentence string) bool {
	low := words.Lower(strings.TrimRight(sentence, " *_`\"')）"))
	for _, end := range [...]string{"?", "？", "什么", "什么意思", "吗", "呢", "哪个", "怎么做", "会怎样", "ですか", "인가요", "나요"} {
		if strings.HasSuffix(low, end) {
			return true
		}
	}
	for _, begin := range [...]string{"what is ", "what are ", "what does ", "what's ", "why is ", "why are ", "why do ", "why does ", "how does ", "how do ", "where is ", "explain ", "为什么", "怎么"} {
		if strings.HasPrefix(low, begin) {
			return true
		}
	}
	return false
}

// titleOf is what a plan calls itself: its first heading, or its first
// sentence.
func titleOf(plan string) string {
	const most = 4 << 10
	if len(plan) > most {
		end := most
		for end > 0 && plan[end]&0xc0 == 0x80 {
			end--
		}
		plan = plan[:end]
	}
	for line := range strings.Lines(plan) {
		s := strings.TrimSpace(line)
		if s == "" {
			continue
		}
		if cut := strings.TrimLeft(s, "#"); cut != s {
			if s = strings.Trim(cut, " *"); s != "" {
				return s
			}
			continue
		}
		break
	}
	p := prose.Plain(plan)
	if len(p.Sentences) == 0 {
		return ""
	}
	return p.Sentences[0].In(plan)
}
