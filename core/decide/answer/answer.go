// Package answer classifies a person's answers to questions of a tool, such as Claude Code's
// AskUserQuestion. Does an answer settle the question, leave it open, or ask something back?
//
//	"Postgres"                 settles it; short, so that it can only be the answer
//	"You decide"               leaves it open
//	"What is the difference?"  asks back
//
// The lists are of English and of some phrases in other languages; what matches none is taken
// to settle the question.
package answer

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/prose"
)

// IsShort reports whether an answer is at most four words: a name or a value, which cannot be a
// remark of another kind. Scripts without spaces count as one word, so that they may have 16
// characters.
func IsShort(answer string) bool {
	const most, mostSigns = 4, 16
	return len(strings.Fields(answer)) <= most && (len(answer) == len([]rune(answer)) || len([]rune(answer)) <= mostSigns)
}

// IsOpen reports whether an option leaves the choice to the agent ("you decide"), or only says
// how the conversation continues ("next question"). Such an option decides nothing.
func IsOpen(option string) bool {
	low := words.Lower(strings.TrimSpace(option))
	return slices.ContainsFunc([]string{
		"you decide", "you choose", "you pick", "up to you", "your call", "let claude decide", "claude decides", "claude's discretion", "agent's discretion", "no preference",
		"next area", "next question", "next topic", "more questions", "no more questions", "ask more", "keep discussing",
		"done —", "done –", "done - ", "done, ", "move on", "something else", "none of these", "none of the above", "chat about this",
		"figure it out", "whatever", "not sure", "no idea", "i don't know", "i dont know", "idk", "don't care", "it depends", "hmm", "let's discuss",
	}, func(start string) bool { return strings.HasPrefix(low, start) })
}

// HandsBack reports whether the chosen options decide nothing: they leave the choice to the
// agent, or only say how the conversation continues.
//
//	Should file trees show size?    → You decide
//	More questions, or next area?   → Next area
func HandsBack(options []core.Option) bool {
	return !slices.ContainsFunc(options, func(o core.Option) bool { return o.Chosen && !IsOpen(o.Text) })
}

// OfTalk reports whether a question only asks how the talk continues, so that whatever option is
// chosen decides nothing: "Which areas do you want to discuss?", "What would you like to do next?".
func OfTalk(question string) bool {
	low := strings.TrimSpace(words.Lower(question))
	return low == "what would you like to do?" || low == "what do you want to do?" || low == "what next?" || strings.HasPrefix(low, "anything else") ||
		slices.ContainsFunc([]string{
			"you want to discuss", "you like to discuss", "should we discuss", "shall we discuss", "more questions", "any other questions", "are we done",
			"you like to do next", "you want to do next", "should we do next", "should i do next",
		}, func(w string) bool { return strings.Contains(low, w) })
}

// Asks reports whether a text has sentences and all of them are questions.
func Asks(p prose.Turn) bool {
	return len(p.Sentences) > 0 && !slices.ContainsFunc(p.Sentences, func(s prose.Sentence) bool { return !asksBack(s.In(p.Text)) })
}

// asksBack reports whether a sentence is a question: it ends with a question mark or, in
// Chinese, Japanese and Korean, with a word that makes a question, or begins with a question
// word.
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

// TitleOf returns the title of a plan: its first heading, or its first sentence.
func TitleOf(plan string) string {
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
