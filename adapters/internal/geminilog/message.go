package geminilog

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// one reads a message. Copied says that it stands in a list that replaces all
// messages.
func (p *Parser) one(e *entry, copied bool) {
	p.name(e)
	p.ID, p.Parent, p.Time = e.name, "", e.at()
	m, known := p.find(e)
	k := p.kinds.Of("message", e.kind)
	if read, ok := k.Read.(reader); ok {
		p.found = m
		read(p, e, &p.found, arrival{known, copied})
		m = p.found
	} else if !known {
		p.keep(k.Name, e.root, false)
	}
	p.seen[stream.Hash([]byte(e.name))] = m
}

// reader reads a message of a kind.
type reader = func(*Parser, *entry, *message, arrival)

// arrival says of a message whether it came before, and whether it stands in a list that
// replaces all messages.
type arrival struct{ known, copied bool }

// Kinds returns what each kind of message becomes.
func Kinds() []stream.Kind { return kinds() }

func kinds() []stream.Kind {
	return []stream.Kind{
		{In: "message", Names: "user", Known: "rec", Becomes: "`user_turn`; `injected` unless a person's", Read: (*Parser).userMessage},
		{In: "message", Names: "gemini", Known: "rec", Becomes: "`assistant_turn` with thoughts and tokens, `tool_call` per call", Read: (*Parser).answer},
		{
			In: "message", Names: "info", Known: "rec", Read: (*Parser).notice,
			Becomes: "`rewind` where a file was put back, `compaction` where the history was compressed (below); else bookkeeping",
		},
		{In: "message", Names: "warning", Known: "src", Read: (*Parser).notice},
		{In: "message", Names: "error", Known: "wild", Read: (*Parser).notice},
	}
}

// name finds the id of a message. One without, which no version is known to
// write, is named after what it says.
func (p *Parser) name(e *entry) {
	switch {
	case e.name != "":
	case e.id.Kind() == jsondoc.String && len(e.id.Body()) > 0:
		if !e.id.Is(p.named) {
			p.named = e.id.Str()
		}
		e.name = p.named
	default:
		e.name = core.ContentID(e.root.Raw())
	}
}

// find returns what is kept of a message; a new place if nothing is.
// The message is stored by the caller, once it has been read.
func (p *Parser) find(e *entry) (m message, known bool) {
	m, known = p.seen[stream.Hash([]byte(e.name))]
	if !known {
		m = message{before: p.Last, index: uint32(len(p.ids))}
		p.ids = append(p.ids, e.name)
	}
	return m, known
}

// turn collects what a message says, until it is known whose words they are. It is
// reset for each message; its lists use the same memory.
type turn struct {
	said, put       []core.Text // a person's words, and the client's
	digests         []uint64    // of the person's words as they came, by which copies are known
	parts, putParts []core.Part
	summary         core.Text
	responses       int
	summed          bool
	appended        bool // what follows is not the person's
}

// reset makes the turn empty and keeps its memory for the next one.
func (t *turn) reset() {
	*t = turn{said: t.said[:0], put: t.put[:0], digests: t.digests[:0], parts: t.parts[:0], putParts: t.putParts[:0]}
}

// userMessage reads a message of the user's role: a prompt, results of calls, or
// what the client says in the user's name.
// A copy of a turn that was passed on is left out; see isCopy.
func (p *Parser) userMessage(e *entry, m *message, as arrival) {
	t := &p.turn
	t.reset()
	p.asked(e.content)
	for part := range google.Parts(e.content) {
		if part.Kind == google.Response {
			t.responses++
			p.responded(part.Inner)
			continue
		}
		if !as.known || as.copied {
			p.collect(part)
		}
	}
	if len(t.digests) == 0 && t.isPerson() {
		t.digests = append(t.digests, noWords)
	}
	if as.known {
		for _, digest := range t.digests {
			p.copies[digest]++
		}
		return
	}
	if (as.copied || p.copying) && t.isPerson() && p.isCopy(m) {
		return
	}
	if e.shown.Exists() && p.Thread == "" {
		p.display(e.shown)
	}
	p.say(e, m)
}

// isPerson reports whether a person typed any of it.
func (t *turn) isPerson() bool { return len(t.said) > 0 || len(t.parts) > 0 }

// collect sorts in a part of a prompt by whose words it is.
// Whose words a text is, package google judges by how it begins.
func (p *Parser) collect(part google.Part) {
	t := &p.turn
	neutral := part.Neutral(&p.Names)
	if part.Kind != google.Text {
		if p.Thread != "" || t.appended || t.responses > 0 {
			t.putParts = append(t.putParts, neutral)
		} else {
			t.parts = append(t.parts, neutral)
		}
		return
	}
	body := part.Text.Body()
	if len(body) == 0 {
		return
	}
	t.appended = t.appended || google.IsReference(body)
	voice := google.Judge(body)
	switch {
	case voice == google.Summary:
		t.summary, t.summed = neutral.Text, true
		p.recopied()
	case voice == google.Context:
		p.works(google.Workspace(part.Text))
		p.recopied()
		t.add(false, neutral.Text)
	case voice == google.Errand:
		p.helper = promptThread(part.Text.Str())
		t.add(false, neutral.Text)
	case p.Thread != "", t.appended, voice == google.Client, voice == google.Command:
		t.add(false, neutral.Text)
	case voice == google.Mixed:
		said, put := google.Unmix(part.Text.Str())
		t.addSome(true, said)
		t.addSome(false, put)
		if said != "" {
			t.digests = append(t.digests, stream.Hash([]byte(said)))
		}
	default:
		t.add(true, neutral.Text)
		t.digests = append(t.digests, textDigest(body))
	}
}

// add sorts in a text: a person's, or the client's.
func (t *turn) add(said bool, text core.Text) {
	if said {
		t.said = append(t.said, text)
		t.parts = append(t.parts, core.Part{Kind: core.TextPart, Text: text})
		return
	}
	t.put = append(t.put, text)
	t.putParts = append(t.putParts, core.Part{Kind: core.TextPart, Text: text})
}

func (t *turn) addSome(said bool, text string) {
	if text != "" {
		t.add(said, core.Plain(text))
	}
}

// display takes for the person's words what the client showed as theirs: the
// content has what an "@" or a command was replaced by.
func (p *Parser) display(shown jsondoc.Value) {
	t := &p.turn
	if len(t.said) == 0 {
		return
	}
	for _, text := range t.said {
		t.add(false, text)
	}
	t.said, t.parts = t.said[:0], t.parts[:0]
	for part := range google.Parts(shown) {
		if part.Kind != google.Text {
			t.parts = append(t.parts, part.Neutral(&p.Names))
			continue
		}
		voice := google.Judge(part.Text.Body())
		t.add(voice == google.Person || voice == google.Mixed, core.Token(part.Text))
	}
}

// say emits the turns of a message: a person's first, which so has the id of the
// message itself.
func (p *Parser) say(e *entry, m *message) {
	t := &p.turn
	if t.summed {
		p.compact(t.summary, e.name)
	}
	if t.isPerson() {
		p.helper = ""
		p.User = core.UserTurn{Text: stream.Joined(t.said), Parts: t.parts}
		p.typed(*m)
		p.send(&p.User, false)
		p.compacted = false
	}
	if len(t.put) > 0 || len(t.putParts) > 0 {
		p.User = core.UserTurn{Text: stream.Joined(t.put), Parts: t.putParts}
		p.send(&p.User, true)
	}
}

// notice reads what the client told the person. It may tell of a compaction,
// which is all that a document shows of one (source, 0.20 to 0.38): the note of
// /compress has no text, that of a conversation that got too long has.
func (p *Parser) notice(e *entry, _ *message, as arrival) {
	if as.known {
		return
	}
	text := e.content
	long := bytes.HasPrefix(text.Body(), []byte("IMPORTANT: This conversation ")) && bytes.Contains(text.Body(), []byte("compressed"))
	if e.kind.Is("info") && (text.Kind() == jsondoc.String && len(text.Body()) == 0 || long) && !p.compacted {
		p.compact(core.Text{}, e.name)
		return
	}
	if e.kind.Is("info") && text.Is("Restored project to the state before the tool call.") {
		p.files.Clear()
		if p.restored() {
			return
		}
		p.restoring = true
	}
	p.keep(p.Names.Of(e.kind), e.root, true)
}

// textOf is the text of a content.
func textOf(content jsondoc.Value) string {
	if content.Kind() == jsondoc.String {
		return content.Str()
	}
	var b strings.Builder
	for part := range google.Parts(content) {
		if part.Kind == google.Text {
			b.WriteString(part.Text.Str())
		}
	}
	return b.String()
}

// entry holds the members of a line, a document or a message that mean something here.
// They are collected in one pass, and point into the record's bytes.
type entry struct {
	root jsondoc.Value

	id, kind, time    jsondoc.Value // kind is "type"
	content, shown    jsondoc.Value // shown is "displayContent"
	calls, thoughts   jsondoc.Value
	tokens, model     jsondoc.Value
	session, hash     jsondoc.Value
	start, role       jsondoc.Value
	messages, set     jsondoc.Value
	rewind, dirs      jsondoc.Value
	summary, who      jsondoc.Value // who is "kind": main or subagent
	history, contents jsondoc.Value
	parts             jsondoc.Value

	name string // the id, or what stands for it
}

// member is where the member of a name goes, nil if it means nothing.
func (e *entry) member(name []byte) *jsondoc.Value {
	switch string(name) {
	case "id":
		return &e.id
	case "type":
		return &e.kind
	case "timestamp":
		return &e.time
	case "content":
		return &e.content
	case "displayContent":
		return &e.shown
	case "toolCalls":
		return &e.calls
	case "thoughts":
		return &e.thoughts
	case "tokens":
		return &e.tokens
	case "model":
		return &e.model
	case "$set":
		return &e.set
	case "$rewindTo":
		return &e.rewind
	case "sessionId":
		return &e.session
	case "projectHash":
		return &e.hash
	case "startTime":
		return &e.start
	case "messages":
		return &e.messages
	case "directories":
		return &e.dirs
	case "summary":
		return &e.summary
	case "kind":
		return &e.who
	case "role":
		return &e.role
	case "parts":
		return &e.parts
	case "history":
		return &e.history
	case "clientHistory":
		return &e.contents
	}
	return nil
}

// read collects the members of an object. They are good until the next one.
func (e *entry) read(root jsondoc.Value) *entry {
	*e = entry{root: root}
	stream.Members(root, e.member)
	return e
}

// at is when the entry was made.
func (e *entry) at() core.Time {
	if e.time.Kind() == jsondoc.String {
		return stream.Time(e.time)
	}
	return stream.Time(e.start)
}

// call holds the members of a tool call. It points into the record's bytes.
type call struct {
	id, name, args  jsondoc.Value
	result, display jsondoc.Value
	status, time    jsondoc.Value
	agent           jsondoc.Value
}

func (c *call) read(v jsondoc.Value) {
	*c = call{
		id: v.Get("id"), name: v.Get("name"), args: v.Get("args"), result: v.Get("result"), display: v.Get("resultDisplay"),
		status: v.Get("status"), time: v.Get("timestamp"), agent: v.Get("agentId"),
	}
}
