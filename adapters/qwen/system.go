package qwen

import (
	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// compressed reads that a summary took the place of the conversation for the
// model. The records themselves stay. Only a compression that succeeded counts.
func (p *parser) compressed(r *record) {
	const done = 1 // CompressionStatus.COMPRESSED
	if status, ok := r.payload.Path("info", "compressionStatus").Int(); ok && status != done {
		return
	}
	body := core.Compaction{Summary: summary(r.payload.Get("compressedHistory"))}
	if p.Last >= p.window {
		body.Start, body.End = p.window, p.Last
	}
	p.send(&body, false)
	p.window = p.Last + 1
}

// summary is the first text of the history that a compression leaves (recorded
// 0.24.4).
func summary(history jsondoc.Value) core.Text {
	for content := range history.Elems() {
		for part := range google.Parts(content.Get("parts")) {
			if part.Kind == google.Text {
				return core.Token(part.Text)
			}
		}
	}
	return core.Text{}
}
