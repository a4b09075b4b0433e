package claudecode

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/claudecode/internal/change"
	"github.com/memscribe/memscribe/adapters/internal/pending"
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

// agentInText finds the id in "agentId: a068da5 (for resuming …", which ends the output since 2.0.
func agentInText(text []byte) string {
	const label = "agentId: "
	at := bytes.LastIndex(text, []byte(label))
	if at < 0 {
		return ""
	}
	text = text[at+len(label):]
	text = text[:min(len(text), 128)]
	rest := bytes.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz0123456789-_")
	return string(text[:len(text)-len(rest)])
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

// calls remembers the calls that have no result yet.
type calls struct {
	pending.Calls[string, call]

	doc jsondoc.Doc
}

// call is what the result of a call will need of it.
type call struct {
	name    string
	input   []byte // of a tool whose result does not repeat it
	prompt  uint64 // of a subagent
	spawned string // thread of the subagent
}

// open notes a call.
func (c *calls) open(id, name string, input jsondoc.Value) {
	if id == "" {
		return
	}
	made := call{name: name}
	switch name {
	case "Edit", "MultiEdit", "Write", "NotebookEdit", "Read", "AskUserQuestion":
		made.input = append(made.input, input.Raw()...)
	case "Task", "Agent":
		made.prompt = stream.Hash(input.Get("prompt").Body())
	}
	c.Put(id, made, len(made.input))
}

// args is what the call was made with.
func (c *calls) args(made *call) jsondoc.Value {
	return stream.Parsed(&c.doc, made.input)
}

// spawn says that a sidechain began with a prompt: it belongs to the call that
// gave this prompt, or else to the oldest one that has none yet.
func (c *calls) spawn(prompt uint64, thread string) {
	var first *call
	for _, made := range c.All() {
		if made.prompt == 0 || made.spawned != "" {
			continue
		}
		if made.prompt == prompt {
			made.spawned = thread
			return
		}
		if first == nil {
			first = made
		}
	}
	if first != nil {
		first.spawned = thread
	}
}

// effects takes in what a successful call did to files, or showed of them, and
// emits the edit that it made.
func (p *parser) effects(a *answer) {
	if a.failed {
		p.doubt(a)
		return
	}
	switch a.call.name {
	case "Read":
		p.wasRead(a)
	case "Bash", "PowerShell":
		p.ranShell(a)
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		p.edited(a)
	case "AskUserQuestion", "ExitPlanMode", "Task", "Agent", "Grep", "Glob", "TodoWrite":
	default:
		// A call that this file does not hold, or a tool not known yet: only
		// the client's own record of an edit counts.
		if a.data.Get("structuredPatch").Kind() == jsondoc.Array {
			p.edited(a)
		}
	}
}

// doubt ends what is known of a file after an edit whose result was lost: a client that was killed
// writes one when it is resumed, which says that it does not know (recorded 2.1.330).
func (p *parser) doubt(a *answer) {
	if !bytes.HasPrefix(a.text, []byte("[Tool call interrupted: ")) {
		return
	}
	switch a.call.name {
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		p.files.Forget(a.args.Get("file_path").Str())
		p.files.Forget(a.args.Get("notebook_path").Str())
	}
}

// wasRead notes what a file holds. The structured result has it, but in a
// subagent's file since 2.1.
func (p *parser) wasRead(a *answer) {
	if file := a.data.Get("file"); file.Exists() {
		p.files.Shown(file)
		return
	}
	path := a.args.Get("file_path").Str()
	if bytes.HasSuffix([]byte(path), []byte(".ipynb")) {
		p.files.Cells(path, a.output)
		return
	}
	whole := !a.args.Get("offset").Exists() && !a.args.Get("limit").Exists()
	p.files.Numbered(path, a.text, whole)
}

// ranShell notes what a shell command changed: the files that the client saw
// changed are not what they were (recorded 2.1.329), and a commit moves HEAD.
func (p *parser) ranShell(a *answer) {
	if diff := a.data.Get("bashEditDiff"); diff.Exists() {
		for path := range diff.Get("changedFiles").Elems() {
			p.files.Forget(path.Str())
		}
		for file := range diff.Get("files").Elems() {
			p.files.Forget(file.Get("filePath").Str())
		}
	}
	commit := a.data.Path("gitOperation", "commit")
	sha := commit.Get("sha").Str()
	if sha == "" || p.Project == nil {
		return
	}
	now := *p.Project
	now.Git.SHA = sha
	if branch := commit.Get("branch").Str(); branch != "" {
		now.Git.Branch = branch
	}
	p.Project = &now
}

// edited emits an edit that was applied, unless it changed nothing.
func (p *parser) edited(a *answer) {
	if p.edits.has(a.id) {
		return
	}
	diff, tool, ok := p.files.Of(change.Result{Tool: a.call.name, Data: a.data, Args: a.args, Text: a.text})
	if !ok || diff.Path == "" {
		return // changed nothing, or no one can tell what
	}
	p.Change = core.FileEdit{CallID: a.id, Tool: tool, Diff: diff}
	p.send(&p.Change, false)
}

// callSet remembers calls by the hash of their ids.
type callSet struct{ of map[uint64]struct{} }

// has adds a call and reports whether it was there before: some clients of the editor extension
// write the last turn again when they resume (wild 2.0), and then a result stands twice in a
// transcript. Ids that are counters may mean another call the second time.
func (s *callSet) has(id string) bool {
	if len(id) < 16 {
		return false
	}
	if s.of == nil {
		s.of = map[uint64]struct{}{}
	}
	h := stream.Hash([]byte(id))
	_, ok := s.of[h]
	s.of[h] = struct{}{}
	return ok
}
