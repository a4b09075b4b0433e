// Package entire parses the compact transcripts on Entire's checkpoint branches.
// They record the work of any agent up to a commit in one format.
//
// They are not followed but read when they are named: the agents' own transcripts
// tell the same, and more.
//
// docs/adapters/entire.md says what is known of the format, and how.
package entire

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows the transcripts of Entire.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Entire }

// Places are none: the transcripts lie on branches of a repository.
func (Adapter) Places() []core.Place { return nil }

// NewParser returns a parser for one transcript.
func (Adapter) NewParser(core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), "")
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the members of the first record.
func (Adapter) Detect(s core.Sample) core.Fit {
	v, head := stream.FirstLine(s), stream.OpeningOf(s)
	isCut := !v.Exists() && head[:min(len(head), 200)].Is(`{"v":1,"agent":"`, "cli_version") // the record is long
	return stream.Fit(isCut || v.Get("v").Exists() && v.Get("agent").Exists() && v.Get("cli_version").Exists() && v.Get("type").Exists(), false)
}

// parser reads the records of one transcript.
type parser struct {
	asked.Talk
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	h, kind := stream.Head{ID: v.Get("id").Str(), Time: core.ParseTime(v.Get("ts").Str())}, v.Get("type")
	if p.Session == "" && kind.Exists() { // which the transcript does not name
		p.Session = "entire-" + core.ContentID(rec.Bytes)
		p.Send(stream.Head{ID: p.Session, Time: h.Time}, &core.SessionStart{})
	}
	stream.Dispatch(p, &p.Base, "", kind, h, v)
}

// Kinds returns what each kind of record becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{Names: "user", Known: "wild", Becomes: "`user_turn`; injected if a skill or the client says it", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			p.heard(h, v.Get("content"))
		}},
		{Names: "assistant", Known: "wild", Becomes: "`assistant_turn` with the usage, `tool_call`, `tool_result`, edits", Read: (*parser).answered},
	}
}

// heard reads what is in a person's place. What a skill says is there, too.
func (p *parser) heard(h stream.Head, content jsondoc.Value) {
	for piece := range content.Elems() {
		text := piece.Get("text")
		if text.Kind() != jsondoc.String {
			p.Send(h, &core.UserTurn{Parts: []core.Part{stream.Other(piece)}})
			continue
		}
		put := h
		put.Injected = strings.HasPrefix(text.Str(), "Base directory for this skill: ") || strings.HasPrefix(text.Str(), "<system-reminder>") || strings.HasPrefix(text.Str(), "<task-notification>")
		p.Said(put, core.Token(text))
	}
}

// answered reads what the model said and did, with what each call came to. The
// first piece of an answer carries what it cost.
func (p *parser) answered(h stream.Head, v jsondoc.Value) {
	p.Cost = stream.Costs(v, "input_tokens", "output_tokens", "", "", "")
	for piece := range v.Get("content").Elems() {
		switch kind := piece.Get("type"); {
		case kind.Is("text"):
			p.Says(h, "", core.Token(piece.Get("text")))
		case kind.Is("tool_use"):
			p.Paid(h, "")
			p.called(h, piece)
		default:
			p.Shows(h, "", piece)
		}
	}
}

// called reads a call, its result and the edit that it made. One without a result
// had none when the checkpoint was made.
func (p *parser) called(h stream.Head, v jsondoc.Value) {
	id, name, args, result := v.Get("id").Str(), v.Get("name").Str(), v.Get("input"), v.Get("result")
	p.Call(h, id, name, args)
	if !result.Exists() {
		return
	}
	ok := result.Get("status").Is("success")
	p.Result(h, id, ok, core.RawValue(result.Get("output")), nil)
	switch name {
	case "Edit", "MultiEdit", "Write", "edit", "write":
		if ok {
			p.Asked(h, id, name, args)
		}
	}
}
