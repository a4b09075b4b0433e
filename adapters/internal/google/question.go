package google

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Answer notes in a result what a person answered to a call that asked them:
// ask_user and exit_plan_mode of Gemini CLI (source, 0.27 on), ask_user_question
// and exit_plan_mode of Qwen Code (source). Told is what the model was told, as
// written in JSON.
func Answer(r *core.ToolResult, tool string, args jsondoc.Value, told []byte) {
	switch tool {
	case "ask_user", "ask_user_question":
		if r.OK {
			r.Choices = choices(args, string(jsondoc.Unquote(nil, told)))
		}
	case "exit_plan_mode":
		if r.OK {
			plan(r, string(jsondoc.Unquote(nil, told)))
		}
	}
}

// plan reads the answer to a plan that was put before a person.
func plan(r *core.ToolResult, told string) {
	const words = "Plan rejected. User feedback: "
	switch rest, ok := strings.CutPrefix(told, words); {
	case ok:
		reason, _, _ := strings.Cut(rest, "\n\nThe plan is stored at: ")
		r.Verdict, r.Reason = core.Rejected, core.Plain(strings.TrimSpace(reason))
	case strings.HasPrefix(told, "Plan rejected. "), strings.HasPrefix(told, "Plan execution was not approved."):
		r.Verdict = core.Rejected
	case strings.HasPrefix(told, "User approved."), strings.HasPrefix(told, "User has approved your plan."),
		strings.HasPrefix(told, "Plan approved."):
		r.Verdict = core.Approved
	}
}

// choices reads the answers to the questions of a call. Gemini CLI tells the
// model {"answers":{"0":"…"}}, Qwen Code "**header**: answer", a line each.
func choices(args jsondoc.Value, told string) []core.Choice {
	answer := func(i int, header string) (string, bool) { return lineAnswer(told, i, header) }
	var doc jsondoc.Doc
	if _, err := doc.Parse([]byte(told)); err == nil {
		answers := doc.Root().Get("answers")
		answer = func(i int, _ string) (string, bool) {
			v := answers.Get(strconv.Itoa(i))
			return v.Str(), v.Kind() == jsondoc.String
		}
	}
	var list []core.Choice
	i := -1
	for q := range args.Get("questions").Elems() {
		i++
		text, ok := answer(i, q.Get("header").Str())
		if !ok {
			continue
		}
		list = append(list, choice(q, text))
	}
	return list
}

// lineAnswer finds "**header**: answer". An answer may have several lines.
func lineAnswer(told string, i int, header string) (string, bool) {
	if header == "" {
		header = "Question " + strconv.Itoa(i+1)
	}
	_, rest, ok := strings.Cut("\n"+told, "\n**"+header+"**: ")
	text, _, _ := strings.Cut(rest, "\n**")
	return text, ok
}

// choice is one question with its answer: options, or words of the person's own.
func choice(q jsondoc.Value, answer string) core.Choice {
	c := core.Choice{Question: q.Get("question").Str()}
	c.Options, c.Answer = stream.Options(q.Get("options"), answer)
	return c
}
