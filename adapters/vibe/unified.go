package vibe

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Tree says where the files of a session are.
func (Adapter) Tree(name string) (core.Tree, bool) {
	dir := path.Dir(name)
	if path.Base(name) != meta || path.Base(path.Dir(dir)) != "unified" {
		return core.Tree{}, false
	}
	return core.Tree{Table: "meta", Branches: []core.Branch{
		{Table: "chunk", Dir: path.Join(dir, "chunks"), Take: history},
		{Table: "journal", Dir: path.Join(dir, "journal"), Logs: true, Take: changes},
	}}, true
}

// history takes the chunks that are lists of entries, whose names are digests. An entry never comes
// before one that was made earlier; the last chunk is written again with each turn, and what it was stays for a while.
func history(document []byte) (order string, ok bool) {
	var doc jsondoc.Doc
	if n, err := doc.Parse(document); err != nil || n == 0 {
		return "", false
	}
	for first := range doc.Root().Elems() {
		made, is := first.Get("createdAt").Int()
		return fmt.Sprintf("%020d %020d", made, len(document)), is
	}
	return "", false
}

// changes takes the lines of a journal that change entries: others hold what a model was sent.
func changes(line []byte) (string, bool) {
	return "", bytes.Contains(line, []byte(`"type":"projection_delta"`)) && bytes.Contains(line, []byte(`_entr`))
}

// row reads one file of a session, or one line of it.
func (p *parser) row(table string, v jsondoc.Value) {
	if table == "meta" {
		p.beside(v)
		p.entries = map[string]bool{}
		p.Start(stream.Head{ID: p.Session, Time: p.started}, core.SessionStart{Model: p.model, Git: p.git})
		return
	}
	for e := range v.Elems() { // of a chunk
		p.entry(e)
	}
	for op := range v.Path("payload", "delta").Elems() {
		p.entry(op.Get("entry"))
		for e := range op.Get("entries").Elems() {
			p.entry(e)
		}
	}
	if !p.Emitted {
		p.Known(stream.Head{}, table) // nothing that is new
	}
}

// entry reads what a person sees of a session, in its place, unless it is known.
func (p *parser) entry(e jsondoc.Value) {
	id := e.Get("id").Str()
	whole, begun := p.entries[id]
	if whole || p.entries == nil || !e.Exists() {
		return
	}
	p.entries[id], p.another = !e.Get("generationStatus").Is("in_progress"), !begun
	made, _ := e.Get("createdAt").Int()
	stream.Dispatch(p, &p.Base, "", e.Get("type"), stream.Head{ID: id, Time: core.UnixMilli(made)}, e)
}

// message reads what somebody said or thought.
func (p *parser) message(h stream.Head, e jsondoc.Value) {
	if !p.entries[h.ID] {
		return
	}
	if thought := e.Get("text"); thought.Exists() {
		p.Thinks(h, p.model, core.Token(thought))
		return
	}
	var said stream.Prompt
	for piece := range e.Get("content").Elems() {
		if piece.Get("type").Is("text") {
			said.Say(piece.Get("text"))
			continue
		}
		said.Keep(piece)
	}
	if e.Get("role").Is("assistant") {
		text, parts := said.All("\n")
		p.Send(h, &core.AssistantTurn{MessageID: h.ID, Model: p.model, Text: text, Parts: parts})
		return
	}
	h.Injected = !e.Get("source").Is("turn_start") && !e.Get("source").Is("turn_steer")
	p.Files.Turn()
	p.Prompted(h, &said)
}

// effect reads a call, and what it came to.
func (p *parser) effect(h stream.Head, e jsondoc.Value) {
	id, detail, state := strings.TrimPrefix(h.ID, "effect-"), e.Get("detail"), e.Get("state")
	name := strings.TrimPrefix(stream.Str(detail, "toolName", "kind"), "file_system.")
	if p.another {
		p.Call(h, id, name, detail.Get("input"))
	}
	if !p.entries[h.ID] {
		return
	}
	out := state.Get("output")
	seen := out.Get("structured_content")
	code, _ := seen.Get("returncode").Int()
	ok := state.Get("status").Is("completed") && code == 0
	h.ID += "/result"
	if ended, is := e.Get("updatedAt").Int(); is {
		h.Time = core.UnixMilli(ended)
	}
	_, args := p.Result(h, id, ok, core.RawValue(out), nil)
	if !ok {
		return
	}
	h.ID += "/edit"
	file := p.Resolve(asked.Path(args))
	for _, tool := range []string{"search_replace", "write_file"} {
		if before := out.Path("_meta", "mistralai.vibe.sdk."+tool, "previous_content"); before.Kind() == jsondoc.String {
			p.Files.Set(file, before.Str())
		}
	}
	switch {
	case name == "read_file":
		if from, _ := seen.Get("offset").Int(); from == 0 && seen.Get("next_offset").Kind() == jsondoc.Null && !seen.Get("was_truncated").Bool() {
			p.Files.SetOpen(file, seen.Get("content").Str())
		}
	case name == "write_file" && !seen.Get("file_existed").Bool():
		p.Edit(h, id, name, p.Files.Create(file, args.Get("content").Str()))
	case name == "write_file", name == "edit":
		p.Asked(h, id, name, args)
	}
}
