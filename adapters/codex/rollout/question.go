package rollout

import (
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Question is one that the model puts to the person with request_user_input.
type Question struct {
	id     string
	choice core.Choice
}

// maxQuestions bounds what is kept of a call; the tool allows three.
const maxQuestions = 32

// ReadQuestions reads {"questions":[{"id","header","question","options":[{"label",
// "description"}]}]} (0.169, the tool's schema as recorded; answers in source).
func ReadQuestions(args jsondoc.Value) []Question {
	var list []Question
	for v := range args.Get("questions").Elems() {
		if len(list) == maxQuestions {
			break
		}
		q := Question{id: v.Get("id").Str(), choice: core.Choice{Question: v.Get("question").Str()}}
		for o := range v.Get("options").Elems() {
			if len(q.choice.Options) < maxQuestions {
				q.choice.Options = append(q.choice.Options, core.Option{Text: o.Get("label").Str()})
			}
		}
		list = append(list, q)
	}
	return list
}

// Choices reads the answers, {"answers":{"<id>":{"answers":["label","user_note:
// …"]}}}, and marks what was chosen. A question without an answer is left out.
func Choices(questions []Question, answer jsondoc.Value) []core.Choice {
	var list []core.Choice
	answers := answer.Get("answers")
	for _, q := range questions {
		c, answered := q.choice, false
		for a := range answers.Get(q.id).Get("answers").Elems() {
			answered = true
			chose(&c, a.Str())
		}
		if answered {
			list = append(list, c)
		}
	}
	return list
}

func chose(c *core.Choice, answer string) {
	for i := range c.Options {
		if c.Options[i].Text == answer {
			c.Options[i].Chosen = true
			return
		}
	}
	note := strings.TrimSpace(strings.TrimPrefix(answer, "user_note:"))
	if c.Answer != "" {
		note = c.Answer + "\n" + note
	}
	c.Answer = note
}
