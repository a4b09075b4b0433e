// Package auggie reads the sessions of Auggie, the command line tool of Augment.
//
// A session is one document, which is rewritten whole: exchanges of nodes, and the
// files that changed while the calls of the exchange before ran, with all that they
// held before and after.
//
// docs/adapters/auggie.md says what is known of the format, and how.
package auggie

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Auggie.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Auggie }

// Places are the folder of the sessions.
func (Adapter) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Path: ".augment"}}, Patterns: []string{"sessions/*.json"}}}
}

// Framing says that files are documents.
func (Adapter) Framing(core.Sample) core.Framing { return core.Document }

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Session = stream.Stem(info.Path)
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the members with which a session begins.
func (Adapter) Detect(s core.Sample) core.Fit {
	head := bytes.TrimLeft(s.Head, " \t\r\n\x00\ufeff")
	head = head[:min(len(head), 4<<10)]
	switch {
	case bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"sessionId"`)) && bytes.Contains(head, []byte(`"chatHistory"`)):
		return core.NativeFit
	case strings.Contains(s.Path, "/.augment/sessions/") && strings.HasSuffix(s.Path, ".json"):
		return core.PathFit
	}
	return core.NoFit
}

// The kinds of nodes, by their numbers. Of those that are not here none says what was
// said or done.
const (
	textNode     = 0  // of both sides
	resultNode   = 1  // what a call came to
	imageNode    = 2  // of a request; of an answer it repeats the text
	ideNode      = 4  // where the session works
	callNode     = 5  // of an answer
	thinkingNode = 8  // of an answer
	summaryNode  = 10 // of a request: of what was said before
	usageNode    = 10 // of an answer
)

// The kinds of changes, by their numbers.
const (
	created = 0
	deleted = 1
)

// parser reads the record of one session.
type parser struct {
	asked.Talk

	changed jsondoc.Value // of the exchange: the files that changed before it
	claimed map[string]bool
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	if !p.Begin(rec, send) {
		return
	}
	v := rec.Doc.Root()
	if id := v.Get("sessionId").Str(); id != "" {
		p.Session = id
	}
	p.Open(stream.Head{Time: core.ParseTime(v.Get("created").Str())}, folder(v.Get("chatHistory")), core.SessionStart{})
	for e := range v.Get("chatHistory").Elems() {
		p.exchange(e)
	}
	if !p.Emitted {
		p.Known(stream.Head{}, "empty")
	}
}

// folder is the folder in which a session works, as its first exchange with one says.
func folder(history jsondoc.Value) string {
	for e := range history.Elems() {
		for node := range e.Path("exchange", "request_nodes").Elems() {
			for dir := range node.Path("ide_state_node", "workspace_folders").Elems() {
				if root := dir.Get("repository_root").Str(); root != "" {
					return root
				}
				return dir.Get("folder_root").Str()
			}
		}
	}
	return ""
}

// kind is the number of a node's kind.
func kind(node jsondoc.Value) int64 {
	n, _ := node.Get("type").Int()
	return n
}

// exchange reads a request and the answer to it. Its time is the time of the answer.
func (p *parser) exchange(e jsondoc.Value) {
	x := e.Get("exchange")
	h := stream.Head{ID: x.Get("request_id").Str(), Time: core.ParseTime(e.Get("finishedAt").Str()), Injected: e.Get("isHistorySummary").Bool()}
	p.changed, p.claimed = e.Get("changedFiles"), map[string]bool{}
	heard := false
	for node := range x.Get("request_nodes").Elems() {
		switch kind(node) {
		case textNode:
			heard = true
			p.Said(h, core.Token(node.Path("text_node", "content")))
		case resultNode:
			heard = true
			p.result(h, node.Get("tool_result_node"))
		case imageNode:
			p.Send(h, &core.UserTurn{Parts: []core.Part{{Kind: core.ImagePart}}})
		case ideNode:
		case summaryNode:
			heard = true
			p.Send(h, &core.Unknown{RawType: "history_summary", Raw: core.RawValue(node), Bookkeeping: true})
		}
	}
	if asked := x.Get("request_message"); !heard && asked.Str() != "" {
		p.Said(h, core.Token(asked))
	}
	p.answer(h, x)
}

// answer reads what the model said, and did.
func (p *parser) answer(h stream.Head, x jsondoc.Value) {
	model, said := x.Get("model_id").Str(), false
	for node := range x.Get("response_nodes").Elems() {
		switch kind(node) {
		case textNode:
			if text := node.Get("content"); text.Str() != "" {
				said = true
				p.Says(h, model, core.Token(text))
			}
		case callNode:
			call := node.Get("tool_use")
			p.Call(h, call.Get("tool_use_id").Str(), call.Get("tool_name").Str(), call.Get("input_json"))
		case thinkingNode:
			p.Send(h, &core.AssistantTurn{Model: model, MessageID: h.ID, Thinking: core.Token(node.Path("thinking", "content"))})
		case usageNode:
			p.paid(h, model, node.Get("token_usage"))
		}
	}
	if text := x.Get("response_text"); !said && text.Str() != "" {
		p.Says(h, model, core.Token(text))
	}
}

// paid reads what an answer cost.
func (p *parser) paid(h stream.Head, model string, v jsondoc.Value) {
	used := stream.Tokens(v, "input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "")
	p.Send(h, &core.AssistantTurn{Model: model, MessageID: h.ID, Usage: &used})
}

// result reads what a call came to, and what it changed.
func (p *parser) result(h stream.Head, v jsondoc.Value) {
	id, ok := v.Get("tool_use_id").Str(), !v.Get("is_error").Bool()
	name, args := p.Result(h, id, ok, core.RawValue(v.Get("content")), edits)
	if !ok || !edits(name) {
		return
	}
	if !p.known(h, id, name, args) {
		p.asked(h, id, name, args)
	}
}

// edits reports whether a tool edits files.
func edits(name string) bool {
	switch name {
	case "str-replace-editor", "save-file", "remove-files", "apply_patch":
		return true
	}
	return false
}

// known tells of the changes of the files that a call names, with their texts, and
// reports whether there are some. A file that several calls of an exchange changed
// changed once, for the first of them.
func (p *parser) known(h stream.Head, id, name string, args jsondoc.Value) bool {
	found := false
	for c := range p.changed.Elems() {
		file := c.Get("new_path").Str()
		if file == "" || !strings.Contains(string(args.Raw()), file) {
			continue
		}
		found = true
		if p.claimed[file] {
			continue
		}
		p.claimed[file] = true
		before, after := c.Get("old_contents").Str(), c.Get("new_contents").Str()
		n, _ := c.Get("change_type").Int()
		d := edit.FromTexts(p.Resolve(file), before, after)
		switch n {
		case created:
			d = p.Files.Create(p.Resolve(file), after)
		case deleted:
			d = edit.Deleted(p.Resolve(file), before)
			p.Files.Remove(d.Path)
		default:
			p.Files.Set(d.Path, after)
		}
		p.Edit(h, id, name, d)
	}
	return found
}

// asked tells of the edits that a call asked for, where the files that changed are
// left out for their size. Strings to replace are numbered from 1.
func (p *parser) asked(h stream.Head, id, name string, args jsondoc.Value) {
	var pairs []edit.Pair
	for i := 1; i < 100; i++ {
		n := "_" + strconv.Itoa(i)
		old, text := args.Get("old_str"+n), args.Get("new_str"+n)
		if old.Kind() != jsondoc.String || text.Kind() != jsondoc.String {
			break
		}
		pairs = append(pairs, edit.Pair{Before: old.Str(), After: text.Str()})
	}
	file := p.Resolve(asked.Path(args))
	switch {
	case name == "remove-files":
		for gone := range args.Get("file_paths").Elems() {
			p.Edit(h, id, name, edit.DeletedUnseen(p.Resolve(gone.Str())))
		}
	case len(pairs) > 0 && file != "":
		p.Edit(h, id, name, p.Files.ReplaceAll(file, pairs))
	default:
		p.Asked(h, id, name, args)
	}
}
