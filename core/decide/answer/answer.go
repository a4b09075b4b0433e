// Package answer tells what words do that answer a question of a tool: settle it, leave it
// open, or ask something back.
package answer

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/prose"
)

// IsShort reports whether an answer is so short that it can only be what was asked for: a
// name or a value.
func IsShort(answer string) bool {
	const most, mostSigns = 4, 16
	return len(strings.Fields(answer)) <= most && (len(answer) == len([]rune(answer)) || len([]rune(answer)) <= mostSigns)
}

// IsOpen reports whether an option leaves the choice to the agent, or only says how the talk continues.
func IsOpen(option string) bool {
	low := words.Lower(strings.TrimSpace(option))
	return slices.ContainsFunc([]string{
		"you decide", "you choose", "you pick", "up to you", "your call", "let claude decide", "claude decides", "claude's discretion", "agent's discretion", "no preference",
		"next area", "next question", "next topic", "more questions", "no more questions", "ask more", "keep discussing",
		"figure it out", "whatever", "not sure", "no idea", "i don't know", "i dont know", "idk", "don't care", "it depends", "hmm", "let's discuss",
	}, func(start string) bool { return strings.HasPrefix(low, start) })
}

// Asks reports whether a text is nothing but questions.
func Asks(p prose.Turn) bool {
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
