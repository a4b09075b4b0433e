package copilot

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// resumed reads that the session was resumed: where its head is gone, it starts there.
func (p *parser) resumed(data jsondoc.Value) {
	if p.started {
		p.follow(data.Get("context"))
		return
	}
	p.start(data)
}

// modelChange takes in the model of the main line. A subagent has its own (recorded
// 1.0.102), and its messages name it.
func (p *parser) modelChange(data jsondoc.Value) {
	if p.Thread == "" {
		p.model = p.Names.Of(data.Get("newModel"))
	}
}

func (p *parser) shutdown(data jsondoc.Value) {
	p.send(&core.SessionEnd{Reason: data.Get("shutdownType").Str()}, false)
}

// start opens the stream.
func (p *parser) start(data jsondoc.Value) {
	if id := data.Get("sessionId"); len(id.Body()) > 0 && p.rec.kind.Is("session.start") {
		p.Session = id.Str()
	}
	p.started = true
	p.follow(data.Get("context"))
	p.elsewhere()
	p.model = p.Names.Of(data.Get("selectedModel"))
	body := core.SessionStart{Model: p.model, ToolVersion: data.Get("copilotVersion").Str()}
	if p.Project != nil {
		body.Cwd, body.Git = p.Project.Cwd, p.Project.Git
	}
	p.send(&body, false)
}

// follow notes where the work happens now.
func (p *parser) follow(context jsondoc.Value) {
	cwd := context.Get("cwd")
	if cwd.Kind() != jsondoc.String {
		return
	}
	now := core.Project{
		Cwd: cwd.Str(), RepoRoot: context.Get("gitRoot").Str(),
		Git: core.Git{SHA: context.Get("headCommit").Str(), Branch: context.Get("branch").Str()},
	}
	now = p.completed(now)
	if p.Project == nil || *p.Project != now {
		p.Project = &now
	}
}

// window is where the compaction that was begun ends.
type window struct {
	end  uint64
	open bool
}

// compacted emits a compaction that succeeded. One of a subagent replaces nothing of the main line.
func (p *parser) compacted(data jsondoc.Value) {
	end := p.Last
	if p.window.open {
		end, p.window.open = p.window.end, false
	}
	if !data.Get("success").Bool() {
		return
	}
	body := core.Compaction{Summary: core.Token(data.Get("summaryContent"))}
	if p.Thread == "" && end > p.Seen {
		body.Start, body.End = p.Seen, end
	}
	p.send(&body, false)
	if p.Thread == "" {
		p.Seen = p.Last
	}
}

// checkpoint emits the rewind that a checkpoint records. The client deletes what was taken back,
// and the first checkpoint after that follows the last event that it kept (recorded 1.0.102).
func (p *parser) checkpoint(data jsondoc.Value) {
	was := p.rewound
	p.rewound = false
	for state := range data.Get("promptCacheBreakState").Elems() {
		for source := range state.Get("pendingRewriteSources").Elems() {
			p.rewound = p.rewound || source.Is("rewind")
		}
	}
	if !p.rewound || was {
		return
	}
	for _, m := range p.recent {
		if m.ID == p.Parent && m.ID != "" {
			p.rewind(m)
			return
		}
	}
	p.rewind(p.before())
}

// snapshotRewind emits the rewind that the printed stream shows: the event
// that it names is taken back too.
func (p *parser) snapshotRewind(data jsondoc.Value) {
	if before, ok := p.prompts[data.Get("upToEventId").Str()]; ok {
		p.rewind(before)
	}
}

// rewind emits a rewind, under an id of its own: the record's id is the record's.
func (p *parser) rewind(to stream.Mark) {
	id := p.ID
	p.ID = "rewind:" + id
	p.send(&core.Rewind{ToEvent: to.ID, ToSeq: to.Seq}, false)
	p.ID, p.Emitted = id, false
}

// maxPrompts bounds the prompts to which a rewind can go back.
const maxPrompts = 1 << 16

// prompt notes a prompt.
func (p *parser) prompt() {
	p.snapshots.begin(p.ID)
	if p.prompts == nil {
		p.prompts = map[string]stream.Mark{}
	}
	if len(p.prompts) < maxPrompts {
		p.prompts[p.ID] = p.before()
	}
	p.rewound = false
}

// counts remembers the tokens of the latest responses. The record with them
// stands before the message (recorded 1.0.102).
type counts struct {
	seen [8]counted
	next int
}

type counted struct {
	call string
	core.Usage
}

func (c *counts) add(v jsondoc.Value) {
	call := v.Get("apiCallId").Str()
	if call == "" {
		return
	}
	c.seen[c.next] = counted{call, stream.Tokens(v, "inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "")}
	c.next = (c.next + 1) % len(c.seen)
}

// take returns the tokens of a response, once.
func (c *counts) take(call jsondoc.Value) (core.Usage, bool) {
	for i := range c.seen {
		if u := &c.seen[i]; u.call != "" && call.Is(u.call) {
			u.call = ""
			return u.Usage, true
		}
	}
	return core.Usage{}, false
}
