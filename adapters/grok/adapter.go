// Package grok reads the sessions of Grok Build, as its command line tool keeps them.
//
// A session is a log of the updates that the Agent Client Protocol sends to an
// editor: what a person and the model said, the calls, and what each came to.
// Edits stand there with the lines around them.
//
// docs/adapters/grok.md says what is known of the format, and how.
//
//	{"timestamp":1,"method":"session/update","params":{"sessionId":"s1","update":{
//	 "sessionUpdate":"user_message_chunk","content":{"type":"text","text":"Let's rename it."}}}}
package grok

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Grok Build.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Grok }

// Places are the folder of the sessions: in it one for each folder of work.
func (Adapter) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Env: "GROK_HOME"}, {Path: ".grok"}}, Patterns: []string{"sessions/*/*/updates.jsonl"}}}
}

// summary is the file beside a log that says where the session works, and whether
// it is one of a subagent.
const summary = "summary.json"

// Sidecars implements [core.SidecarReader].
func (Adapter) Sidecars(name string) []string {
	if path.Base(name) == "updates.jsonl" {
		return []string{summary}
	}
	return nil
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), info.Path, "updates")
	// The folder of work is the name of the folder above, unless that was too long.
	dir, err := url.PathUnescape(path.Base(path.Dir(path.Dir(info.Path))))
	if err != nil || !strings.ContainsAny(dir, `/\`) {
		dir = ""
	}
	about := stream.Beside(info, summary)
	if about.Get("session_kind").Is("subagent") {
		p.Thread = p.Session
	}
	if dir = cmp.Or(about.Path("info", "cwd").Str(), dir); dir != "" {
		p.Project = &core.Project{Cwd: dir}
	}
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the first line.
func (Adapter) Detect(s core.Sample) core.Fit {
	v := stream.FirstLine(s)
	return stream.Fit(v.Get("method").Kind() == jsondoc.String && v.Path("params", "update", "sessionUpdate").Exists() && !v.Get("jsonrpc").Exists(),
		path.Base(s.Path) == "updates.jsonl" && strings.Contains(s.Path, "/.grok/sessions/"))
}

// parser reads the log of one session. Its fields last for the log.
type parser struct {
	asked.Talk

	begun bool
	model string
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	if _, ok := p.Begin(rec, send); !ok {
		return
	}
	params := rec.Doc.Root().Get("params")
	u := params.Get("update")
	h, kind := head(params), u.Get("sessionUpdate")
	p.Scope = ""
	if !p.begun && kind.Str() != "" {
		p.begun = true
		p.Start(stream.Head{ID: p.Session, Time: h.Time}, core.SessionStart{})
	}
	// What a fork has of the session that it comes from keeps that one's ids.
	if from, ok := origin(params); ok && from != params.Get("sessionId").Str() {
		h.CopyOf, p.Scope = h.ID, from
	}
	stream.Dispatch(p, &p.Base, "", kind, h, u)
}

// Kinds returns what each kind of update becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{Names: "user_message_chunk", Known: "rec", Becomes: "`user_turn`; injected with `hideFromScrollback`, and in the log of a subagent", Read: (*parser).heard},
		{Names: "agent_message_chunk", Known: "rec", Becomes: "`assistant_turn`", Read: (*parser).said},
		{Names: "agent_thought_chunk", Known: "rec", Becomes: "`assistant_turn` with a thought", Read: func(p *parser, h stream.Head, u jsondoc.Value) {
			p.Thinks(h, p.model, core.Token(u.Path("content", "text")))
		}},
		{Names: "tool_call", Known: "rec", Becomes: "`tool_call`, named by `_meta[\"x.ai/tool\"].name`", Read: (*parser).called},
		{
			Names: "tool_call_update", Known: "rec", Read: (*parser).updated,
			Becomes: "if it completes or fails `tool_result`, and for each `diff` in it an edit. A command that ends with another code than 0 has failed",
		},
		{Names: "turn_completed", Known: "rec", Becomes: "`assistant_turn` without text: what the turn cost. Input is without what the cache gave", Read: (*parser).paid},
		{Known: "rec", Names: "background_tasks subagent_spawned subagent_finished"},
		{Known: "src", Names: `plan retry_state task_backgrounded task_completed auto_compact_started auto_compact_failed
			available_commands_update current_mode_update session_info_update usage_update`},
	}
}

// head names an update. Its id counts from one again in each process, so the moment belongs to it.
func head(params jsondoc.Value) stream.Head {
	meta := params.Get("_meta")
	at, _ := meta.Get("agentTimestampMs").Int()
	h := stream.Head{Time: core.UnixMilli(at)}
	if id := meta.Get("eventId").Str(); id != "" {
		h.ID = fmt.Sprintf("%s@%d", id, at)
	}
	return h
}

// origin is the session in which an update was first sent: the beginning of its id.
func origin(params jsondoc.Value) (session string, ok bool) {
	id := params.Path("_meta", "eventId").Str()
	end := strings.LastIndexByte(id, '-')
	if end < 0 {
		return "", false
	}
	return id[:end], true
}

// heard reads a piece of what a person typed. To a subagent the model writes, and
// what the client tells the model it hides.
func (p *parser) heard(h stream.Head, u jsondoc.Value) {
	if model := u.Path("_meta", "modelId").Str(); model != "" {
		p.model = model
	}
	h.Injected = p.Thread != "" || u.Path("_meta", "hideFromScrollback").Bool()
	content := u.Get("content")
	if content.Get("type").Is("text") {
		p.Said(h, core.Token(content.Get("text")))
		return
	}
	p.Known(h, "user_message_chunk/"+content.Get("type").Str())
}

// said reads a piece of what the model said.
func (p *parser) said(h stream.Head, u jsondoc.Value) {
	content := u.Get("content")
	if content.Get("type").Is("text") {
		p.Says(h, p.model, core.Token(content.Get("text")))
		return
	}
	p.Shows(h, p.model, content)
}

// called reads a call of the model's. Its title is its name at first; a vendor's
// member names it for good.
func (p *parser) called(h stream.Head, u jsondoc.Value) {
	name := cmp.Or(u.Path("_meta", "x.ai/tool", "name").Str(), u.Get("title").Str())
	p.Call(h, u.Get("toolCallId").Str(), name, u.Get("rawInput"))
}

// updated reads the progress of a call, and with its end the result.
func (p *parser) updated(h stream.Head, u jsondoc.Value) {
	status := u.Get("status")
	ok := status.Is("completed")
	if !ok && !status.Is("failed") {
		return
	}
	id, out, content := u.Get("toolCallId").Str(), u.Get("rawOutput"), u.Get("content")
	if code, known := out.Get("exit_code").Int(); known && code != 0 {
		ok = false
	}
	if out.Get("type").Is("Bash") || !out.Exists() { // whose output is a list of bytes; what the model saw says it
		out = content
	}
	name, args := p.Result(h, id, ok, core.RawValue(out), nil)
	if !ok {
		return
	}
	p.wasRead(args, out.Get("FileContent"))
	for piece := range content.Elems() {
		if !piece.Get("type").Is("diff") {
			continue
		}
		told := out.Path("EditsApplied", "tool_output_for_prompt").Str()
		p.Edit(h, id, name, p.edited(piece, args, told))
	}
}

// wasRead takes in what a file holds, if all of it was asked for.
func (p *parser) wasRead(args, file jsondoc.Value) {
	text := file.Get("raw_output")
	if text.Kind() != jsondoc.String || args.Get("offset").Exists() || args.Get("limit").Exists() {
		return
	}
	p.Files.Set(p.Resolve(file.Get("absolute_path").Str()), ended(text.Str()))
}

// ended is a text as the file has it: where all lines end with CR LF, the client
// leaves the last CR out (recorded).
func ended(text string) string {
	rest, ok := strings.CutSuffix(text, "\n")
	if n := strings.Count(rest, "\n"); ok && n > 0 && strings.Count(rest, "\r\n") == n && !strings.HasSuffix(rest, "\r") {
		return rest + "\r\n"
	}
	return text
}

// edited is the diff of an edit: both texts of a file that was written whole; the
// lines that the client shows with their numbers, where they are whole ones; else
// the strings, in what is known of the file.
func (p *parser) edited(piece, args jsondoc.Value, told string) core.Diff {
	file, before, after := p.Resolve(piece.Get("path").Str()), piece.Get("oldText").Str(), piece.Get("newText").Str()
	switch {
	case strings.HasSuffix(told, " has been created."):
		return p.Files.Create(file, after)
	case strings.HasPrefix(told, "Wrote file "):
		return p.Files.Changed(file, before, after)
	}
	if _, known := p.Files.Sure(file); !known {
		if hunks := shown(piece.Path("_meta", "details")); hunks != nil {
			d := edit.FromHunks(file, hunks)
			d.Old, d.New = &before, &after
			return p.Files.Apply(d)
		}
	}
	return p.Files.Replace(file, before, after, args.Get("replace_all").Bool())
}

// shown are the hunks that the client shows; none, if one of them begins or ends
// within a line: the rest of that line it leaves out.
func shown(details jsondoc.Value) []edit.Hunk {
	var hunks []edit.Hunk
	for d := range details.Elems() {
		from, _ := d.Get("old_line").Int()
		to, _ := d.Get("new_line").Int()
		before, after := d.Get("old_string").Str(), d.Get("new_string").Str()
		ended := strings.HasSuffix(before, "\n") && (after == "" || strings.HasSuffix(after, "\n"))
		if !ended || d.Get("line_prefix").Str() != "" || from < 1 || to < 1 {
			return nil
		}
		lead, tail := lines(' ', d.Get("context_before").Str()), lines(' ', d.Get("context_after").Str())
		old, added := lines('-', before), lines('+', after)
		hunks = append(hunks, edit.Hunk{
			OldStart: int(from) - len(lead), OldLines: len(lead) + len(old) + len(tail),
			NewStart: int(to) - len(lead), NewLines: len(lead) + len(added) + len(tail),
			Lines: slices.Concat(lead, old, added, tail),
		})
	}
	return hunks
}

// lines are those of a text that ends with the end of a line, each behind a mark.
func lines(mark byte, text string) (all []string) {
	for line := range strings.Lines(text) {
		all = append(all, string(mark)+strings.TrimSuffix(line, "\n"))
	}
	return all
}

// paid reads what a turn cost.
func (p *parser) paid(h stream.Head, u jsondoc.Value) {
	p.Cost = stream.Costs(u.Get("usage"), "inputTokens", "outputTokens", "cachedReadTokens", "cacheCreationTokens", "reasoningTokens")
	if c := p.Cost; c != nil {
		c.Input = max(0, c.Input-c.CacheRead-c.CacheCreation) // which counts those, too
	}
	p.Paid(h, p.model)
}
