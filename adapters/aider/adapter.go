// Package aider reads the chat histories of aider.
//
// A history is Markdown, one file for a repository, to which every session is appended:
//
//	# aider chat started at 2026-08-01 10:00:00
//
//	#### what was typed
//
//	what was answered, with the edits as blocks in it
//
//	> Applied edit to src/a.go
//	> Commit 672ae42 feat: what was done
//
// It has neither ids nor calls, and of times only when a session began, on a clock of unknown zone.
//
// docs/adapters/aider.md says what is known of the format, and how.
package aider

import (
	"bytes"
	"errors"
	"path"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

const (
	fileName = ".aider.chat.history.md"
	begins   = "# aider chat started at "
	onPage   = `class="chat-transcript"` // of sessions that aider's own site shows
)

// Adapter knows aider.
type Adapter struct{ stream.Documents }

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Aider }

// Places are none: histories lie in the repositories, and are read where they are named.
func (Adapter) Places() []core.Place { return nil }

// NewParser returns a parser for one history.
func (Adapter) NewParser(core.StreamInfo) core.Parser { return &parser{} }

// Detect judges by the line that begins a session, or by the name.
func (Adapter) Detect(s core.Sample) core.Fit {
	switch {
	case hasLine(s.Head, begins):
		return core.NativeFit
	case isPage(s.Head):
		return core.ShapeFit
	case path.Base(strings.ReplaceAll(s.Path, `\`, "/")) == fileName:
		return core.PathFit
	}
	return core.NoFit
}

// hasLine reports whether a line of a text begins so.
func hasLine(text []byte, beginning string) bool {
	return bytes.HasPrefix(text, []byte(beginning)) || bytes.Contains(text, []byte("\n"+beginning))
}

// isPage reports whether a text is a page that shows a session.
func isPage(text []byte) bool {
	return bytes.Contains(text, []byte(onPage)) && hasLine(text, userMark)
}

// parser reads the one record of a history.
type parser struct {
	stream.Base

	files   edit.Files
	place   int     // of the piece in its session
	blocks  int     // that the session had so far
	pending []block // of the last answer, which nothing has confirmed
	answer  string  // the last one, without white space around it
}

// ReadsText implements [core.TextParser].
func (*parser) ReadsText(record []byte) bool { return hasLine(record, begins) || isPage(record) }

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	_, isCut := errors.AsType[*core.OverLimit](rec.Err)
	if rec.Doc != nil || isCut || !p.ReadsText(rec.Bytes) {
		if _, ok := p.Begin(rec, send); ok {
			p.Unknown(stream.Head{}, "json")
		}
		return
	}
	p.BeginText(rec, send)
	all := pieces(stream.PlainText(rec.Bytes))
	if all[0].kind != started {
		p.open(firstPrompt(all))
		if all[0].kind == answered {
			all[0].kind = shown // what a page says before the session
		}
	}
	for _, x := range all {
		p.piece(x)
	}
}

// firstPrompt is what a session that does not say when it began is named after.
func firstPrompt(all []piece) string {
	for _, x := range all {
		if x.kind == typed {
			return x.text
		}
	}
	return all[0].text
}

// open begins a session. It is named after how it begins, and each piece after its
// place, so that a history that has grown adds what is new.
func (p *parser) open(beginning string) {
	p.Session = "aider-" + core.ContentID([]byte(beginning))
	p.place, p.blocks, p.pending, p.answer = 0, 0, nil, ""
	p.files.Clear()
	p.Send(stream.Head{ID: p.Session}, &core.SessionStart{})
}

// piece reads one piece of a session.
func (p *parser) piece(x piece) {
	if x.kind == started {
		p.open(x.text)
		return
	}
	p.place++
	h := stream.Head{ID: p.named("", p.place)}
	switch x.kind {
	case typed:
		p.pending = nil
		p.files.Doubt() // a person may have edited since
		h.Injected = strings.Contains(x.text, "(Y)es/(N)o") || isHandedOn(x.text, p.answer)
		p.Said(h, core.Plain(x.text))
	case answered:
		p.answer = strings.TrimSpace(x.text)
		p.Says(h, "", core.Plain(x.text))
		p.pending = append(p.pending, blocksOf(strings.Split(x.text, "\n"))...)
	default:
		p.Send(h, &core.Unknown{RawType: "output", Raw: core.RawString(x.text), Bookkeeping: true})
		p.applied(x.text)
	}
}

// isHandedOn reports whether a turn is the last answer, word for word: the plan of the architect,
// which is recorded as the turn that the editor answers. A few words may be a person's.
func isHandedOn(turn, answer string) bool {
	const least = 200 // bytes
	turn = strings.TrimSpace(turn)
	return len(turn) >= least && turn == answer
}

// named is the id of something by its number in the session.
func (p *parser) named(kind string, n int) string {
	return core.ContentID([]byte(p.Session + "\x00" + kind + "\x00" + strconv.Itoa(n)))
}

// applied tells the edits that an output confirms. aider confirms none of an answer
// when one block of it did not fit, although it has made the others.
func (p *parser) applied(output string) {
	done, made, above := map[string]bool{}, map[string]bool{}, ""
	for line := range strings.SplitSeq(output, "\n") {
		name, ok := strings.CutPrefix(line, "Applied edit to ")
		switch {
		case ok:
			done[strings.TrimSpace(name)] = true
		case line == refused:
			p.pending = nil
			p.files.Doubt()
		case isMade(line):
			p.files.Remove(above)
			made[above] = true
		}
		above = line
	}
	if len(done) == 0 {
		return
	}
	for _, b := range p.pending {
		p.blocks++
		b.isWhole = b.isWhole || made[b.path] && b.before == ""
		delete(made, b.path)
		if done[b.path] {
			p.edited(stream.Head{ID: p.named("block", p.blocks)}, b)
		}
	}
	p.pending = nil
}

// refused is what aider says of an answer of which a block did not fit.
const refused = "The LLM did not conform to the edit format."

// isMade reports whether a line says that the file in the line above it is not there, and that
// a person wants it.
func isMade(line string) bool {
	asked, answer, ok := strings.Cut(line, " [Yes]: ")
	return ok && strings.HasPrefix(asked, "Create new file? ") && strings.HasPrefix(strings.ToLower(answer), "y")
}

// edited tells an edit that was applied. A block with nothing to search for adds to the
// end of its file, or makes it: which of the two, the history does not say.
func (p *parser) edited(h stream.Head, b block) {
	var d core.Diff
	before, isKnown := p.files.Sure(b.path)
	switch {
	case b.isWhole:
		d = p.files.Write(b.path, b.after)
	case b.before == "" && isKnown:
		d = p.files.Write(b.path, before+b.after)
	case b.before == "":
		d = p.files.Replace(b.path, "", strings.TrimSuffix(b.after, "\n"), false)
	case b.before != b.after:
		d = p.files.Replace(b.path, b.before, b.after, false)
	}
	if d.Added+d.Removed == 0 {
		return
	}
	p.Send(h, &core.ToolCall{CallID: h.ID, Name: editTool, Args: core.RawString(b.path)})
	p.Send(h, &core.ToolResult{CallID: h.ID, OK: true})
	p.Edit(h, h.ID, editTool, d)
}

// editTool is what an edit is called: the client has no name for it.
const editTool = "edit"
