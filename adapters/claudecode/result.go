package claudecode

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// answer is the result of a call while it is being read.
type answer struct {
	id     string
	call   call
	args   jsondoc.Value // of the call, if the client may not have repeated them
	output jsondoc.Value // what the model was told
	data   jsondoc.Value // the structured result; an object, or absent
	text   []byte        // of the output, as written in JSON
	failed bool
}

// toolResult reads one result. The structured result stands beside the message
// and so belongs to it only if the message holds no other result.
func (p *parser) toolResult(r *record, block jsondoc.Value) {
	a := answer{id: block.Get("tool_use_id").Str(), output: block.Get("content"), failed: block.Get("is_error").Bool()}
	if p.turn.results == 1 && r.result.Kind() == jsondoc.Object {
		a.data = r.result
	}
	a.call = p.calls.Take(a.id)
	a.args = p.calls.args(&a.call)
	a.text = textOf(a.output)
	if !a.failed {
		a.failed = bytes.HasPrefix(a.text, []byte("<tool_use_error>")) || bytes.HasPrefix(a.text, []byte("[Request interrupted by user"))
	}
	p.Result = core.ToolResult{CallID: a.id, OK: !a.failed, Output: core.RawValue(a.output)}
	if p.copies.result(r, &p.version) {
		p.copies.telling = true
		p.send(&p.Result, false)
		p.copies.telling = false
		return
	}
	p.judge(r, &a)
	switch a.call.name {
	case "Task", "Agent":
		p.Result.Spawned = p.spawned(&a)
	case "AskUserQuestion":
		if !a.failed {
			p.Result.Choices = choices(&a)
		}
	}
	p.send(&p.Result, false)
	p.effects(&a)
}

// textOf is the text of an output: a string, or the first text of a list.
func textOf(output jsondoc.Value) []byte {
	for el := range output.Elems() {
		if text := el.Get("text"); text.Kind() == jsondoc.String {
			return text.Body()
		}
	}
	return output.Body()
}

// judge finds out whether a person was asked about a call, and what they said.
func (p *parser) judge(r *record, a *answer) {
	const refused, words = "The user doesn't want to ", `the user said:\n`
	if a.failed {
		if !bytes.HasPrefix(a.text, []byte(refused)) {
			return
		}
		_, reason, given := bytes.Cut(a.text, []byte(words))
		given = given && !bytes.HasPrefix(reason, []byte("The user wants to clarify these questions."))
		// "Yes, and clear the context" is recorded as a refusal without a word
		// (wild 2.1.12 to 2.1.71: the next session begins with the plan).
		if a.call.name == "ExitPlanMode" && !given {
			return
		}
		p.Result.Verdict = core.Rejected
		if given {
			reason, _, _ = bytes.Cut(reason, []byte(`\n\nNote: The user's next message may contain`))
			p.Result.Reason = core.Plain(strings.TrimSpace(string(jsondoc.Unquote(nil, reason))))
		}
		return
	}
	asked := r.decision.Get("decision").Is("accept") && bytes.HasPrefix(r.decision.Get("source").Body(), []byte("user"))
	if asked || a.call.name == "ExitPlanMode" {
		p.Result.Verdict = core.Approved
	}
}

// spawned is the thread of the subagent that a call started. Sidechains in the
// main file are named after their first record; all others have an id.
func (p *parser) spawned(a *answer) string {
	if id := a.data.Get("agentId"); id.Kind() == jsondoc.String {
		return id.Str()
	}
	if a.call.spawned != "" {
		return a.call.spawned
	}
	for el := range a.output.Elems() {
		if id := agentInText(el.Get("text").Body()); id != "" {
			return id
		}
	}
	return agentInText(a.output.Body())
}

// agentInText finds the id in "agentId: a068da5 (for resuming …", which ends
// the output since 2.0.
func agentInText(text []byte) string {
	const label = "agentId: "
	at := bytes.LastIndex(text, []byte(label))
	if at < 0 {
		return ""
	}
	text = text[at+len(label):]
	n := 0
	for n < len(text) && n < 128 && isIDByte(text[n]) {
		n++
	}
	return string(text[:n])
}

func isIDByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// maxQuestions bounds the questions of a call. The client allows four.
const maxQuestions = 64

// choices reads what a person answered to the model's questions.
func choices(a *answer) []core.Choice {
	questions := a.data.Get("questions")
	if !questions.Exists() {
		questions = a.args.Get("questions")
	}
	var list []core.Choice
	for q := range questions.Elems() {
		if len(list) == maxQuestions {
			break
		}
		question := q.Get("question")
		answer, ok := answerTo(a, question)
		if !ok {
			continue
		}
		c := core.Choice{Question: question.Str()}
		c.Options, c.Answer = stream.Options(q.Get("options"), answer)
		if notes := a.data.Get("annotations").Get(c.Question).Get("notes").Str(); c.Answer == "" && notes != answer {
			c.Answer = notes
		}
		list = append(list, c)
	}
	return list
}

// answerTo finds the answer in the structured result, or else in the sentence
// for the model: "question"="answer", "question"="answer".
func answerTo(a *answer, question jsondoc.Value) (string, bool) {
	if answers := a.data.Get("answers"); answers.Exists() {
		v := answers.Get(question.Str())
		if v.Kind() != jsondoc.Array {
			return v.Str(), v.Kind() == jsondoc.String
		}
		var all []string
		for el := range v.Elems() {
			all = append(all, el.Str())
		}
		return strings.Join(all, ", "), true
	}
	text := string(jsondoc.Unquote(nil, a.text))
	_, after, ok := strings.Cut(text, `"`+question.Str()+`"="`)
	if !ok {
		return "", false
	}
	end := len(after)
	for _, mark := range []string{`", "`, `". You can`, `" user notes`, `" selected preview`} {
		if at := strings.Index(after, mark); at >= 0 {
			end = min(end, at)
		}
	}
	return strings.TrimSuffix(after[:end], `"`), true
}
