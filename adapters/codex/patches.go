package codex

import (
	"bytes"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/codex/shell"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// patch is what a call wants to patch, as long as no event has told what it did patch.
// It lasts until the call is answered.
type patch struct {
	kind patchKind
	text string // the patch, or the script that holds it
	dir  string // in which it works
}

type patchKind uint8

const (
	noPatch     patchKind = iota
	directPatch           // the call is the patch
	scriptPatch           // a shell script applies patches, among other things maybe
)

// patchOf reads the arguments of a call of apply_patch as a function.
func (p *parser) patchOf(args jsondoc.Value) patch {
	return patch{kind: directPatch, text: stream.Member(args, "input", "patch").Str(), dir: p.dir(args.Get("workdir").Str())}
}

// patchAnswered emits what a call patched, when its answer says that it did.
// That is how edits are known in rollouts without events for them, which are
// those of versions before the spring of 2026 (0.34 to 0.105, wild and recorded).
func (p *parser) patchAnswered(callID string, c *call, output jsondoc.Value, o shell.Outcome) {
	switch c.patch.kind {
	case noPatch:
		return
	case directPatch:
		if o.OK && o.Stated {
			p.apply(callID, c, c.patch.text, c.patch.dir, nil)
			return
		}
	case scriptPatch:
		done := shell.Listing(p.commandOutput(output))
		for _, one := range shell.PatchesIn(c.patch.text) {
			if len(done) > 0 {
				p.apply(callID, c, one.Text, one.Folder(c.patch.text, c.patch.dir), done)
			}
		}
		if len(done) > 0 && shell.OnlyPatches(c.patch.text) {
			return
		}
	}
	p.files.Doubt() // some of it may have been done, or something else
}

// apply emits the edits of a patch that was applied: all, or those of the files in done. A text
// that is no patch is left out: the answer said that something was done, but not what. Done holds
// paths as the answer lists them, relative to dir.
func (p *parser) apply(callID string, c *call, text, dir string, done []string) {
	files, err := edit.ParsePatch(text)
	if err != nil {
		return
	}
	c.patched = true
	for _, f := range edit.Merge(files) {
		if done != nil && !shell.Contains(done, f.Path) && (f.MoveTo == "" || !shell.Contains(done, f.MoveTo)) {
			continue
		}
		f.Path, f.KeepEnds = shell.Resolve(dir, f.Path), p.keepsEnds
		if f.MoveTo != "" {
			f.MoveTo = shell.Resolve(dir, f.MoveTo)
		}
		p.edited(callID, c.name, p.files.Patch(f))
	}
}

// edited emits an edit, unless it changed nothing: a patch may say what is there
// already (0.140, recorded).
func (p *parser) edited(callID, tool string, d core.Diff) {
	if d.Change == core.Modify && d.Added == 0 && d.Removed == 0 {
		return
	}
	p.Change = core.FileEdit{CallID: callID, Tool: tool, Diff: d}
	p.put(callID+"/edit", &p.Change)
}

// patchEvent reads what a patch did, told by patch_apply_end or by a FileChange item: for each file
// the diff against what it really held. A patch that was declined or failed changes nothing. One
// that an answer has told of already is not emitted twice.
func (p *parser) patchEvent(id, changes jsondoc.Value, ok bool) {
	p.events = true
	callID, c := p.outer(id, func(script string) bool { return mentions(script, changes) })
	if c == nil {
		c = &call{name: "apply_patch"}
	}
	again := c.patched && !c.code
	c.patched = true
	if !ok {
		c.failed = c.failed || !c.code
		return
	}
	if again {
		return
	}
	if changes.Len() == 0 && c.patch.kind == directPatch {
		p.apply(callID, c, c.patch.text, c.patch.dir, nil) // versions that do not list the changes (source)
		return
	}
	for path, change := range changes.Fields() {
		d, ok := p.diffOf(p.dir(path.Str()), change)
		if !ok {
			continue
		}
		if c.patch.kind == directPatch && d.Change == core.Modify && d.Added+d.Removed == 0 && strings.Contains(change.Get("unified_diff").Str(), "\r") {
			// Carriage returns alone end lines in the event (0.150, recorded); what the patch asked for is all that is clear.
			p.files.Forget(d.Path)
			p.apply(callID, c, c.patch.text, c.patch.dir, []string{path.Str()})
			continue
		}
		p.editedInside(id.Str(), callID, c, d)
	}
}

// editedInside emits an edit of the call to which an event belongs: the one that it
// names, or the script that made that.
func (p *parser) editedInside(id, callID string, c *call, d core.Diff) {
	if c.code && !c.first(d.Path) {
		callID = id
	}
	p.edited(callID, c.name, d)
}

// first reports whether a script changes a file for the first time. What it
// changes again counts as the work of the call inside it.
func (c *call) first(path string) bool {
	if slices.Contains(c.paths, path) {
		return false
	}
	if len(c.paths) < maxPaths {
		c.paths = append(c.paths, path)
	}
	return true
}

// maxPaths bounds the files of one script that are told apart.
const maxPaths = 256

// diffOf reads the change of one file. "Adding" a file that is there overwrites it.
func (p *parser) diffOf(path string, change jsondoc.Value) (d core.Diff, ok bool) {
	if change.Get("type").Is("add") {
		return p.files.Write(path, change.Get("content").Str()), true
	}
	d, ok = recordedDiff(path, change)
	if ok {
		p.files.Follow(d)
	}
	return d, ok
}

// recordedDiff reads a change that was recorded with what it changed.
func recordedDiff(path string, change jsondoc.Value) (core.Diff, bool) {
	switch string(change.Get("type").Body()) {
	case "delete":
		if content := change.Get("content"); content.Kind() == jsondoc.String {
			return edit.Deleted(path, content.Str()), true
		}
		return edit.DeletedUnseen(path), true
	case "update":
		to := path
		if move := change.Get("move_path"); move.Kind() == jsondoc.String {
			to = shell.Resolve("", move.Str())
		}
		d, err := edit.FromUnified(to, change.Get("unified_diff").Str())
		if err != nil {
			d = edit.FromHunks(to, nil) // moved and not changed
		}
		if to != path {
			d = edit.Renamed(d, path)
		}
		return d, true
	}
	return core.Diff{}, false
}

// outer is the call that an event belongs to. In code mode that is the script:
// the calls made in it have ids of their own ("exec-…"), which are in no item. Of
// several scripts it is the one whose text names what the event is about.
func (p *parser) outer(id jsondoc.Value, names func(script string) bool) (string, *call) {
	if c := p.calls.Get(id.Str()); c != nil {
		return id.Str(), c
	}
	inner := id.Str()
	if !strings.HasPrefix(inner, innerPrefix) {
		return inner, nil
	}
	bestID, best, bestRank := inner, (*call)(nil), -1
	for id, c := range p.calls.All() {
		if !c.code || c.closed {
			continue
		}
		rank := 0
		if names(c.input) {
			rank += 2
		}
		if !c.patched {
			rank++
		}
		if rank > bestRank { // of equals the earliest: scripts run in turn
			bestID, best, bestRank = id, c, rank
		}
	}
	return bestID, best
}

// innerPrefix is how the ids of calls begin that a script made.
const innerPrefix = "exec-"

// mentions reports whether a script names one of the changed files.
func mentions(script string, changes jsondoc.Value) bool {
	if script == "" {
		return false
	}
	for path := range changes.Fields() {
		name := path.Str()
		if strings.Contains(script, name[strings.LastIndexAny(name, `/\`)+1:]) {
			return true
		}
	}
	return false
}

// dir is the folder in which a call works.
func (p *parser) dir(workdir string) string {
	if p.Project == nil {
		return workdir
	}
	return shell.Resolve(p.Project.Cwd, workdir)
}

// Nests implements [mcpedits.Nester]: scripts of code mode call the tools of servers.
func (p *parser) Nests(inner mcpedits.Inner) { p.served = inner }

// serverCall is a call of a server's tool that has ended, as an event tells it. It
// points into the record's bytes.
type serverCall struct {
	id, server, tool, args, result jsondoc.Value
	failed                         bool
}

// serverItem reads an McpToolCall.
func serverItem(it jsondoc.Value) serverCall {
	return serverCall{
		id: it.Get("id"), server: it.Get("server"), tool: it.Get("tool"), args: it.Get("arguments"),
		result: it.Get("result"), failed: it.Get("status").Is("failed"),
	}
}

// serverEnd reads an mcp_tool_call_end.
func serverEnd(v jsondoc.Value) serverCall {
	made, result := v.Get("invocation"), v.Get("result")
	return serverCall{
		id: v.Get("call_id"), server: made.Get("server"), tool: made.Get("tool"), args: made.Get("arguments"), result: result.Get("Ok"),
		failed: result.Get("Err").Exists() || result.Path("Ok", "isError").Bool() || result.Path("Ok", "is_error").Bool(),
	}
}

// serverCalled takes in how a call of a server's tool ended. What it edited follows
// from the call's own items, but for one that a script of code mode made: that
// has none, and its edits are the script's.
func (p *parser) serverCalled(made serverCall) {
	if made.failed {
		p.failed(made.id)
		return
	}
	if p.served == nil || p.calls.Get(made.id.Str()) != nil || !bytes.HasPrefix(made.id.Body(), []byte(innerPrefix)) {
		return
	}
	called := strings.ReplaceAll(made.tool.Str(), "-", "_") // as scripts spell it
	name := "mcp__" + made.server.Str() + "__" + made.tool.Str()
	for _, d := range p.served(name, made.args, core.RawValue(made.result), p.Project) {
		callID, c := p.outer(made.id, func(script string) bool { return strings.Contains(script, called) })
		if c == nil {
			c = &call{name: name}
		}
		c.patched = true
		p.editedInside(made.id.Str(), callID, c, d)
	}
}
