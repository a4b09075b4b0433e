package claudecode

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// attachmentRecord reads what the client attached to the conversation. All of it
// is context for the model but queued commands, which may be a person's words;
// some of it tells what stands in a file.
func (p *parser) attachmentRecord(r *record) {
	kind := r.attachment.Get("type")
	switch string(kind.Body()) {
	case "queued_command":
		p.queuedCommand(r)
		return
	case "file":
		p.files.Shown(r.attachment.Path("content", "file"))
	case "edited_text_file":
		p.files.Forget(r.attachment.Get("filename").Str())
	case "read_truncation_notice":
		p.files.ShownLess()
	}
	p.known("attachment/", attachmentKind, kind)
}

// systemRecord reads a notice of the client.
func (p *parser) systemRecord(r *record) {
	switch string(r.subtype.Body()) {
	case "compact_boundary":
		p.boundary(r)
	case "local_command":
		// What a slash command printed (wild 2.1.12 to 2.1.170).
		text := core.Token(r.content)
		p.User = core.UserTurn{Text: text, Parts: append(p.turn.parts[:0], stream.Text(text))}
		p.send(&p.User, true)
		return
	}
	if r.retracted.Exists() {
		p.retract(r)
	}
	p.known("system/", systemKind, r.subtype)
}
