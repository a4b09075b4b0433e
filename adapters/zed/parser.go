package zed

import (
	"cmp"
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

	// Of the thread.
	key     string // its id
	model   string
	folders []string
	files   edit.Files
	calls   map[string]call // without a result, before 0.3
	costs   jsondoc.Value   // of requests, by the person's message

	output jsondoc.Doc // of a result, while it is read
}

// call is a call whose result comes later.
type call struct {
	name  string
	input jsondoc.Value
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
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
	parent := cmp.Or(data.Path("subagent_context", "parent_thread_id").Str(), row.Get("parent_id").Str())
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
	p.Start(stream.Head{ID: key, Time: at}, core.SessionStart{Git: git, Model: p.model})
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
	return p.Resolve(name)
}

// document reads the messages of a thread, in the form of any version.
func (p *parser) document(v jsondoc.Value) {
	p.model = cmp.Or(p.model, v.Path("model", "model").Str())
	p.costs, p.Cost = v.Get("request_token_usage"), nil
	i := 0
	for m := range v.Get("messages").Elems() {
		h, kind, inner := stream.Head{ID: p.key + "/" + strconv.Itoa(i)}, m.Get("role"), m
		if kind.Exists() {
			p.Cost = p.cost(i)
		} else {
			kind, inner = variant(m)
		}
		p.Raw = core.RawValue(m)
		stream.Dispatch(p, &p.Base, "message", kind, h, inner)
		i++
	}
}

// variant is the kind of a message, and what it holds: an object with one member, which the
// kind names, or the name alone.
func variant(m jsondoc.Value) (kind, inner jsondoc.Value) {
	for name, v := range m.Fields() {
		return name, v
	}
	return m, m
}

// Kinds returns what each kind of message becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{
			In: "message", Names: "User", Known: "src", Read: (*parser).user,
			Becomes: "`user_turn`; injected in a subagent's thread, and without words, as `/compact` stands",
		},
		{
			In: "message", Names: "Agent", Known: "src", Read: (*parser).agent,
			Becomes: "`assistant_turn` for each piece that is said or thought, `tool_call`, `tool_result` and edits",
		},
		{In: "message", Names: "Resume", Known: "src", Becomes: "injected `user_turn`", Read: func(p *parser, h stream.Head, _ jsondoc.Value) {
			h.Injected = true
			p.Said(h, core.Plain(""))
		}},
		{In: "message", Names: "Compaction", Known: "src", Becomes: "`compaction`", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			p.Send(h, &core.Compaction{Summary: core.Token(v.Get("Summary")), End: p.Last})
		}},
		{
			In: "message", Names: "user assistant system", Known: "src: before 0.3", Read: (*parser).legacy,
			Becomes: "`user_turn`, injected if no person said it; `assistant_turn` and `tool_call`; `tool_result` and edits",
		},
	}
}

// user reads what a person said. What they mentioned comes with its text, which
// is none of their words.
func (p *parser) user(h stream.Head, v jsondoc.Value) {
	if id := v.Get("id").Str(); id != "" {
		h.ID, p.Cost = id, stream.Nonzero(tokens(p.costs.Get(id)))
	}
	h.Injected = p.Thread != ""
	var said stream.Prompt
	for part := range v.Get("content").Elems() {
		switch text := part.Get("Text"); {
		case text.Exists():
			said.Say(text)
		case part.Get("Image").Exists():
			said.Show(jsondoc.Value{})
		default:
			said.Keep(part)
		}
	}
	text, parts := said.All("")
	h.Injected = h.Injected || len(parts) == 0 // that is how "/compact" precedes its summary
	p.Send(h, &core.UserTurn{Text: text, Parts: parts})
}

// agent reads what the model said and did, in the order of its content.
func (p *parser) agent(h stream.Head, v jsondoc.Value) {
	results := v.Get("tool_results")
	for part := range v.Get("content").Elems() {
		text, use, thinking := part.Get("Text"), part.Get("ToolUse"), part.Get("Thinking")
		switch {
		case text.Exists():
			p.Says(h, p.model, core.Token(text))
		case thinking.Exists():
			p.Thinks(h, p.model, core.Token(thinking.Get("text")))
		case use.Exists():
			p.used(h, use, results.Get(use.Get("id").Str()))
		default:
			p.Shows(h, p.model, part)
		}
	}
}

// tokens reads what a request cost.
func tokens(v jsondoc.Value) core.Usage {
	return stream.Tokens(v, "input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "")
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
