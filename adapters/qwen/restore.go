package qwen

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// checkpoints remembers the latest edits that the client may have made a checkpoint
// before. It names one after its own time, the file and the tool:
// 2026-06-01T10-00-00_000Z-index.js-edit (recorded 0.24.4; source, 0.8 to 0.24).
type checkpoints struct {
	list  []checkpoint // oldest first
	again uint64       // digest of the arguments of the call that is about to be made again
}

// checkpoint is an edit that may have been preceded by one. It lasts until
// maxCheckpoints later ones, or for the file.
type checkpoint struct {
	of   uint64 // digest of what follows the time in its name
	args uint64 // digest of the arguments
	time core.Time
	id   string // of the record with the call
	seq  uint64 // of the call
}

const maxCheckpoints = 256

// add notes a call that edits a file.
func (c *checkpoints) add(name string, args jsondoc.Value, made checkpoint) {
	file := args.Get("file_path")
	if !file.Exists() {
		file = args.Get("notebook_path")
	}
	if file.Kind() != jsondoc.String || name != "edit" && name != "replace" && name != "write_file" && name != "notebook_edit" {
		return
	}
	path := file.Str()
	made.args = stream.Hash(args.Raw())
	made.of = stream.Hash([]byte(path[strings.LastIndexAny(path, `/\`)+1:] + "-" + name))
	if len(c.list) == maxCheckpoints {
		c.list = append(c.list[:0], c.list[1:]...)
	}
	c.list = append(c.list, made)
}

// find returns the edit before which a checkpoint was made: the latest of its tool
// and file that was asked for before.
func (c *checkpoints) find(name string) (checkpoint, bool) {
	const form = "2006-01-02T15-04-05_000Z"
	if len(name) <= len(form) || name[len(form)] != '-' {
		return checkpoint{}, false
	}
	day, hour, _ := strings.Cut(name[:len(form)], "T")
	at := core.ParseTime(day + "T" + strings.NewReplacer("-", ":", "_", ".").Replace(hour))
	of := stream.Hash([]byte(strings.TrimSuffix(name[len(form)+1:], ".json")))
	for i := len(c.list) - 1; i >= 0 && !at.IsZero(); i-- {
		if c.list[i].of == of && c.list[i].time.Compare(at) <= 0 {
			return c.list[i], true
		}
	}
	return checkpoint{}, false
}

// restored reads that a person had the files, and the conversation, put back to
// what they were before an edit, which the client then asks for again.
func (p *parser) restored(r *record) bool {
	name, ok := strings.CutPrefix(r.payload.Get("rawCommand").Str(), "/restore ")
	if !ok || !r.payload.Get("phase").Is("result") || p.Thread != "" {
		return false
	}
	for item := range r.payload.Get("outputHistoryItems").Elems() {
		if !strings.HasPrefix(item.Get("text").Str(), "Restored project to the state ") {
			continue
		}
		if to, ok := p.checkpoints.find(strings.TrimSpace(name)); ok {
			p.rewind(to.id, to.seq)
			p.files.Clear()
			p.checkpoints.again = to.args
			return true
		}
	}
	return false
}

// remade reads that the client made the call of a checkpoint again: nothing but its
// measurement says so (recorded 0.24.4, where it failed, for the file had not been
// read since; one that ended well has edited a file).
func (p *parser) remade(about jsondoc.Value) bool {
	name, args := about.Get("function_name"), about.Get("function_args")
	if p.checkpoints.again == 0 || stream.Hash(args.Raw()) != p.checkpoints.again {
		return false
	}
	p.checkpoints.again = 0
	id := about.Get("call_id").Str()
	if id == "" || !about.Get("success").Bool() {
		return false
	}
	p.calling(id, name, args)
	p.calls.close(id, "")
	p.Result = core.ToolResult{CallID: id, OK: true, Output: core.RawValue(about)}
	p.send(&p.Result, false)
	p.effects(google.Edit{Tool: p.Names.Of(name), Args: args, Qwen: true}, id)
	return true
}

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
