package zed

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads the record of one thread.
type parser struct {
	stream.Base

	key     string // of the thread
	model   string
	folders []string
	files   edit.Files
	calls   map[string]call // of a thread before 0.3
	costs   jsondoc.Value   // of requests, by the person's message
	asked   string          // the latest of these
	output  jsondoc.Doc
}

// call is a call whose result comes later.
type call struct {
	name  string
	input jsondoc.Value
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	if !p.Begin(rec, send) {
		return
	}
	v := rec.Doc.Root()
	p.calls = map[string]call{}
	switch table, key := core.Row(v); {
	case table == tableThread:
		p.thread(key, v)
	case v.Get("zed").Is("context"), v.Get("zed").Is("conversation"):
		p.context(v)
	case v.Get("messages").Kind() == jsondoc.Array && v.Get("version").Exists():
		p.key = p.Session // a thread that was shared
		p.document(v)
	}
	if !p.Emitted {
		p.Unknown(stream.Head{}, v.Kind().String())
	}
}

// thread reads the row of a thread.
func (p *parser) thread(key string, row jsondoc.Value) {
	data := row.Get("data")
	p.key, p.Session = key, key
	parent := row.Get("parent_id").Str()
	if of := data.Path("subagent_context", "parent_thread_id").Str(); of != "" {
		parent = of
	}
	if of := row.Get("root").Str(); of != "" && of != key {
		parent = of
	}
	if parent != "" {
		p.Session, p.Thread = parent, key
	}
	p.folders = folders(row.Get("folder_paths").Str(), row.Get("folder_paths_order").Str())
	at := core.ParseTime(row.Get("created_at").Str())
	if at.IsZero() {
		at = core.ParseTime(row.Get("updated_at").Str())
	}
	git := p.place(data.Path("initial_project_snapshot", "worktree_snapshots"))
	p.model = data.Path("model", "model").Str()
	start := &core.SessionStart{Git: git, Model: p.model}
	if p.Project != nil {
		start.Cwd = p.Project.Cwd
	}
	p.Send(stream.Head{ID: key, Time: at}, start)
	if !data.Get("messages").Exists() {
		p.Unknown(stream.Head{ID: key + "/data"}, "data/"+row.Get("data_type").Str())
		return
	}
	p.document(data)
}

// folders are the roots of a project: their paths stand sorted, and beside them
// how the person sorted them.
func folders(paths, order string) []string {
	if paths == "" {
		return nil
	}
	sorted := strings.Split(paths, "\n")
	out := make([]string, 0, len(sorted))
	for n := range strings.SplitSeq(order, ",") {
		if i, err := strconv.Atoi(n); err == nil && i >= 0 && i < len(sorted) && len(out) < len(sorted) {
			out = append(out, sorted[i])
		}
	}
	if len(out) != len(sorted) {
		return sorted
	}
	return out
}

// place says where the work happens, by the folders and by what was noted of
// them when the thread began.
func (p *parser) place(snapshots jsondoc.Value) core.Git {
	var git core.Git
	for s := range snapshots.Elems() {
		dir := s.Get("worktree_path").Str()
		if dir == "" {
			continue
		}
		if len(p.folders) == 0 || p.folders[0] == dir {
			git = core.Git{SHA: s.Path("git_state", "head_sha").Str(), Branch: s.Path("git_state", "current_branch").Str()}
		}
		if !slices.Contains(p.folders, dir) {
			p.folders = append(p.folders, dir)
		}
	}
	if len(p.folders) > 0 {
		p.Project = &core.Project{Cwd: p.folders[0], Git: git}
	}
	return git
}

// resolve makes a path of a tool absolute: it begins with the name of one of the
// project's folders.
func (p *parser) resolve(name string) string {
	first, rest, _ := strings.Cut(strings.ReplaceAll(name, `\`, "/"), "/")
	for _, dir := range p.folders {
		if path.Base(strings.ReplaceAll(dir, `\`, "/")) == first && rest != "" {
			return stream.Resolve(dir, rest)
		}
	}
	if p.Project != nil {
		return stream.Resolve(p.Project.Cwd, name)
	}
	return name
}

// document reads the messages of a thread, in the form of any version.
func (p *parser) document(v jsondoc.Value) {
	if p.model == "" {
		p.model = v.Path("model", "model").Str()
	}
	p.costs, p.asked = v.Get("request_token_usage"), ""
	i := 0
	for m := range v.Get("messages").Elems() {
		h := stream.Head{ID: p.key + "/" + strconv.Itoa(i)}
		switch {
		case m.Get("role").Exists():
			p.legacy(h, m, p.cost(i))
		case m.Is("Resume"):
			h.Injected = true
			p.Said(h, core.Plain(""))
		case m.Get("User").Exists():
			p.user(h, m.Get("User"))
		case m.Get("Agent").Exists():
			p.agent(h, m.Get("Agent"))
		case m.Get("Compaction").Exists():
			p.Send(h, &core.Compaction{Summary: core.Token(m.Path("Compaction", "Summary")), End: p.Last})
		default:
			p.Send(h, &core.Unknown{RawType: "message", Raw: core.RawValue(m)})
		}
		i++
	}
}

// user reads what a person said. What they mentioned comes with its text, which
// is none of their words.
func (p *parser) user(h stream.Head, v jsondoc.Value) {
	if id := v.Get("id").Str(); id != "" {
		h.ID, p.asked = id, id
	}
	h.Injected = p.Thread != ""
	turn := &core.UserTurn{}
	var texts []string
	for part := range v.Get("content").Elems() {
		switch text := part.Get("Text"); {
		case text.Exists():
			texts = append(texts, text.Str())
			turn.Parts = append(turn.Parts, core.Part{Kind: core.TextPart, Text: core.Token(text)})
		case part.Get("Image").Exists():
			turn.Parts = append(turn.Parts, core.Part{Kind: core.ImagePart})
		default:
			turn.Parts = append(turn.Parts, stream.Other(part))
		}
	}
	turn.Text = core.Plain(strings.Join(texts, ""))
	h.Injected = h.Injected || len(turn.Parts) == 0 // that is how "/compact" stands in front of its summary
	p.Send(h, turn)
}

// agent reads what the model said and did, in the order of its content.
func (p *parser) agent(h stream.Head, v jsondoc.Value) {
	results := v.Get("tool_results")
	for part := range v.Get("content").Elems() {
		use, thinking := part.Get("ToolUse"), part.Get("Thinking")
		turn := &core.AssistantTurn{Model: p.model, MessageID: h.ID}
		switch {
		case part.Get("Text").Exists():
			turn.Text = core.Token(part.Get("Text"))
			turn.Parts = []core.Part{{Kind: core.TextPart, Text: turn.Text}}
		case thinking.Exists():
			turn.Thinking = core.Token(thinking.Get("text"))
		case use.Exists():
			p.used(h, use, results.Get(use.Get("id").Str()))
			continue
		default:
			turn.Parts = []core.Part{stream.Other(part)}
		}
		turn.Usage = p.usage()
		p.Send(h, turn)
	}
}

// usage is what the latest request that answered a person's message cost, once:
// the first that is said in answer to it carries it.
func (p *parser) usage() *core.Usage {
	if p.asked == "" {
		return nil
	}
	v := p.costs.Get(p.asked)
	p.asked = ""
	return usageOf(v)
}

// usageOf reads what a request cost.
func usageOf(v jsondoc.Value) *core.Usage {
	u := stream.Tokens(v, "input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "")
	if u == (core.Usage{}) {
		return nil
	}
	return &u
}

// used reads a call and, if there is one, its result.
func (p *parser) used(h stream.Head, use, result jsondoc.Value) {
	input := use.Get("input")
	if kind := input.Get("type"); (kind.Is("json") || kind.Is("text")) && input.Get("value").Exists() && input.Len() == 2 {
		input = input.Get("value")
	}
	id, name := use.Get("id").Str(), use.Get("name").Str()
	p.Send(h, &core.ToolCall{CallID: id, Name: name, Args: core.RawValue(input)})
	if result.Exists() {
		p.result(h, call{name: name, input: input}, result)
	}
}

// result reads the result of a call, and the edits that it made.
func (p *parser) result(h stream.Head, c call, v jsondoc.Value) {
	out := stream.Nested(&p.output, v.Get("output"))
	id, failure := v.Get("tool_use_id").Str(), out.Get("error")
	body := &core.ToolResult{
		CallID: id, OK: !v.Get("is_error").Bool() && (!failure.Exists() || failure.Kind() == jsondoc.Null),
		Output: core.RawValue(v.Get("content")),
	}
	if c.name == "subagent" || c.name == "spawn_agent" {
		body.Spawned = out.Get("session_id").Str()
		if of := out.Get("subagent_session_id"); of.Exists() {
			body.Spawned = of.Str()
		}
	}
	p.Send(h, body)
	if !body.OK {
		p.files.Forget(p.target(c, out)) // some of its edits may have been made
		return
	}
	for _, d := range p.edits(c, out, v.Get("content")) {
		p.Edit(h, id, c.name, d)
	}
}
