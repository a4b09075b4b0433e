package continuedev

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// goOn is what the tool says in a person's place when it has made a summary in
// the middle of a turn.
const goOn = "continue"

// user reads what a person said. Files and other context stand beside it.
func (p *parser) user(item jsondoc.Value) {
	m := item.Get("message")
	said := typed(item)
	p.turn = p.humanID(m)
	h := stream.Head{ID: p.turn, Injected: p.compact && said == goOn}
	p.compact = false
	turn := core.UserTurn{Text: core.Plain(said)}
	if said != "" {
		turn.Parts = append(turn.Parts, core.Part{Kind: core.TextPart, Text: turn.Text})
	}
	for part := range m.Get("content").Elems() {
		if url := part.Path("imageUrl", "url"); url.Exists() {
			turn.Parts = append(turn.Parts, core.Part{Kind: core.ImagePart, MediaType: mediaType(url.Str())})
		}
	}
	for context := range item.Get("contextItems").Elems() {
		turn.Parts = append(turn.Parts, stream.Other(context))
	}
	if len(turn.Parts) == 0 { // still being put together
		h.Injected = true
	}
	p.Send(h, &turn)
}

func mediaType(url string) string {
	if rest, ok := strings.CutPrefix(url, "data:"); ok {
		if kind, _, ok := strings.Cut(rest, ";"); ok {
			return kind
		}
	}
	return "image"
}

// typed is what was typed into the editor's box, as far as that is there, and else
// what the model was sent.
func typed(item jsondoc.Value) string {
	box := item.Get("editorState")
	if box.Get("content").Kind() != jsondoc.Array {
		return text(item.Path("message", "content")).String()
	}
	var lines []string
	for block := range box.Get("content").Elems() {
		switch kind := block.Get("type"); {
		case kind.Is("paragraph"):
			if line := paragraph(block); line != "" {
				lines = append(lines, line)
			}
		case kind.Is("prompt-block"):
			lines = append(lines, "/"+block.Path("attrs", "item", "name").Str())
		}
	}
	return strings.Join(lines, "\n")
}

// paragraph is a line as it stood in the box.
func paragraph(block jsondoc.Value) string {
	var b strings.Builder
	for piece := range block.Get("content").Elems() {
		switch kind := piece.Get("type"); {
		case kind.Is("text"):
			b.WriteString(piece.Get("text").Str())
		case kind.Is("mention"):
			name := piece.Path("attrs", "renderInlineAs")
			if name.Kind() != jsondoc.String {
				name = piece.Path("attrs", "label")
			}
			b.WriteString(name.Str())
		case kind.Is("hardBreak"):
			b.WriteByte('\n')
		}
	}
	return b.String()
}
