package windsurf

import (
	"strconv"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// parser is the fold over the steps of a conversation.
type parser struct {
	stream.Base

	stored  bool
	started bool
	seen    map[string]int
	files   edit.Files
}

func newParser(info core.StreamInfo) *parser {
	p := &parser{stored: isStored(info.Path), seen: map[string]int{}}
	p.Session = stream.Stem(info.Path)
	return p
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	p.BeginText(rec, emit)
	if p.stored {
		p.send("", &core.Unknown{
			RawType: "encrypted", Raw: core.RawBytes(rec.Bytes), Reason: "encrypted by Windsurf: only hooks and their transcripts can be read",
		})
		return
	}
	if rec.Doc == nil && isExport(rec.Bytes) {
		p.export(string(rec.Bytes))
		return
	}
	if !p.Begin(rec, emit) {
		return
	}
	if table, key := core.Row(rec.Doc.Root()); table == tableCached {
		p.Session = key
		p.send(key, &core.Unknown{
			RawType: "undocumented", Raw: core.RawValue(rec.Doc.Root()),
			Reason: "kept by Windsurf in a form that is not documented: only hooks, their transcripts and exports can be read",
		})
		return
	}
	if !p.started {
		p.started = true
		p.send(p.Session, &core.SessionStart{})
	}
	p.step(rec)
}

// step reads one step. Of those that are documented the order is all that says
// when they were.
func (p *parser) step(rec core.Record) {
	v := rec.Doc.Root()
	id := core.ContentID(v.Raw())
	p.seen[id]++
	if n := p.seen[id]; n > 1 {
		id += "-" + strconv.Itoa(n)
	}
	kind := v.Get("type").Str()
	body := v.Get(kind)
	switch kind {
	case "user_input":
		text := core.Token(body.Get("user_response"))
		p.send(id, &core.UserTurn{Text: text, Parts: []core.Part{stream.Text(text)}})
	case "planner_response":
		text := core.Token(body.Get("response"))
		p.send(id, &core.AssistantTurn{Text: text, MessageID: id, Parts: []core.Part{stream.Text(text)}})
	case "code_action":
		p.send(id, &core.ToolCall{CallID: id, Name: kind, Args: core.RawValue(body)})
		done := v.Get("status").Is("done")
		p.send("result:"+id, &core.ToolResult{CallID: id, OK: done, Output: core.RawValue(v.Get("status"))})
		if done {
			p.wrote(id, kind, body.Get("path").Str(), body.Get("new_content").Str())
		}
	default:
		p.send(id, &core.Unknown{RawType: kind, Raw: core.RawValue(v)})
	}
}

// wrote passes on the edit of a file whose text before is known: a step has the
// text after it only.
func (p *parser) wrote(id, tool, file, after string) {
	before, known := p.files.Text(file)
	p.files.Set(file, after)
	if file == "" || !known || before == after {
		return
	}
	p.send("edit:"+id, &core.FileEdit{CallID: id, Tool: tool, Diff: edit.FromTexts(file, before, after)})
}

func (p *parser) send(id string, body core.Body) { p.Send(stream.Head{ID: id}, body) }
