// Package auggie reads the sessions of Auggie, the command line tool of Augment. A session is
// one document that is rewritten whole. An exchange has the files that changed while the calls
// of the exchange before it ran, with their texts before and after.
//
//	{"sessionId":"s1","created":"…","chatHistory":[{"exchange":{"request_id":"r1",
//	 "request_message":"Cache for a minute.","request_nodes":[{"type":1,"tool_result_node":{…}}],
//	 "response_text":"…",…},…}]}
//
// docs/adapters/auggie.md says what is known of the format, and how.
package auggie

import (
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
type Adapter struct{ stream.Documents }

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Auggie }

// Places are the folder of the sessions.
func (Adapter) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Path: ".augment"}}, Patterns: []string{"sessions/*.json"}}}
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), info.Path)
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the members with which a session begins.
func (Adapter) Detect(s core.Sample) core.Fit {
	return stream.Fit(stream.OpeningOf(s).Is("{", "sessionId", "chatHistory"),
		strings.Contains(s.Path, "/.augment/sessions/") && strings.HasSuffix(s.Path, ".json"))
}

// The two sides of an exchange.
const (
	request  = "request/"
	response = "response/"
)

// Kinds returns what each kind of node becomes, by its number. Of those that are not here
// none says what was said or done.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{Names: request + "0", Known: "src", Becomes: "`user_turn`", Read: func(p *parser, h stream.Head, node jsondoc.Value) {
			p.heard = true
			p.Said(h, core.Token(node.Path("text_node", "content")))
		}},
		{Names: request + "1", Known: "src", Becomes: "`tool_result`, and the edit", Read: func(p *parser, h stream.Head, node jsondoc.Value) {
			p.heard = true
			p.result(h, node.Get("tool_result_node"))
		}},
		{Names: request + "2", Known: "src", Becomes: "`user_turn` with a picture", Read: func(p *parser, h stream.Head, _ jsondoc.Value) {
			p.Send(h, &core.UserTurn{Parts: []core.Part{{Kind: core.ImagePart}}})
		}},
		{Names: request + "4", Known: "src", Becomes: "the folder of work"},
		{Names: request + "10", Known: "src", Read: func(p *parser, h stream.Head, node jsondoc.Value) { // a summary of what was said before
			p.heard = true
			p.Keep(h, "history_summary", node, true)
		}},
		{Names: response + "0", Known: "src", Becomes: "`assistant_turn`", Read: (*parser).says},
		{Names: response + "5", Known: "src", Becomes: "`tool_call`", Read: func(p *parser, h stream.Head, node jsondoc.Value) {
			call := node.Get("tool_use")
			p.Call(h, call.Get("tool_use_id").Str(), call.Get("tool_name").Str(), call.Get("input_json"))
		}},
		{Names: response + "8", Known: "src", Becomes: "`assistant_turn` with a thought", Read: func(p *parser, h stream.Head, node jsondoc.Value) {
			p.Thinks(h, p.model, core.Token(node.Path("thinking", "content")))
		}},
		{Names: response + "10", Known: "src", Becomes: "`assistant_turn` with the usage", Read: func(p *parser, h stream.Head, node jsondoc.Value) {
			p.Cost = stream.Costs(node.Get("token_usage"), "input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "")
			p.Paid(h, p.model)
		}},
	}
}

// The kinds of changes, by their numbers.
const (
	created = 0
	deleted = 1
)

// parser reads the record of one session.
type parser struct {
	asked.Talk

	// Of the exchange.
	changed jsondoc.Value   // the files that changed before it
	claimed map[string]bool // those that have their edit
	heard   bool            // its request says something
	said    bool            // its answer has words
	model   string
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
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

// exchange reads a request and the answer to it. Its time is the time of the answer.
func (p *parser) exchange(e jsondoc.Value) {
	x := e.Get("exchange")
	h := stream.Head{ID: x.Get("request_id").Str(), Time: core.ParseTime(e.Get("finishedAt").Str()), Injected: e.Get("isHistorySummary").Bool()}
	p.changed, p.claimed = e.Get("changedFiles"), map[string]bool{}
	p.heard, p.said, p.model = false, false, x.Get("model_id").Str()
	for node := range x.Get("request_nodes").Elems() {
		p.node(request, h, node)
	}
	if asked := x.Get("request_message"); !p.heard && asked.Str() != "" {
		p.Said(h, core.Token(asked))
	}
	for node := range x.Get("response_nodes").Elems() {
		p.node(response, h, node)
	}
	if text := x.Get("response_text"); !p.said && text.Str() != "" {
		p.Says(h, p.model, core.Token(text))
	}
}

// node reads a node of a side by its number.
func (p *parser) node(side string, h stream.Head, v jsondoc.Value) {
	k := p.Kinds.Named(side + string(v.Get("type").Raw()))
	if read, ok := k.Read.(func(*parser, stream.Head, jsondoc.Value)); ok {
		read(p, h, v)
	}
}

// says reads words of the model.
func (p *parser) says(h stream.Head, node jsondoc.Value) {
	if text := node.Get("content"); text.Str() != "" {
		p.said = true
		p.Says(h, p.model, core.Token(text))
	}
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
