package geminilog

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// one reads a message. Copied says that it is in a list that replaces all messages.
func (p *Parser) one(e *entry, copied bool) {
	p.name(e)
	p.ID, p.Parent, p.Time = e.name, "", e.at()
	m, known := p.find(e)
	k := p.Kinds.Of("message", e.kind)
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

// arrival says of a message whether it came before, and whether it is in a list that
// replaces all messages.
type arrival struct{ known, copied bool }

// Kinds returns what each kind of message becomes.
func Kinds() []stream.Kind {
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

// turn collects what a message says. It is reset for each message.
type turn struct {
	google.Turn

	digests []uint64 // of the person's words as they came, by which copies are known
	summary core.Text
	summed  bool
}

// reset makes the turn empty and keeps its memory for the next one.
func (t *turn) reset() {
	t.Reset()
	t.digests, t.summary, t.summed = t.digests[:0], core.Text{}, false
}

// userMessage reads a message of the user's role: a prompt, results of calls, or what the client
// says in the user's name. A copy of a turn that was passed on is left out; see isCopy.
func (p *Parser) userMessage(e *entry, m *message, as arrival) {
	t := &p.turn
	t.reset()
	p.asked(e.content)
	for part := range google.Parts(e.content) {
		if part.Kind == google.Response {
			t.Responses++
			p.responded(part.Inner)
			continue
		}
		if !as.known || as.copied {
			p.collect(part)
		}
	}
	if len(t.digests) == 0 && t.IsPerson() {
		t.digests = append(t.digests, noWords)
	}
	if as.known {
		for _, digest := range t.digests {
			p.copies[digest]++
		}
		return
	}
	if (as.copied || p.copying) && t.IsPerson() && p.isCopy(m) {
		return
	}
	if e.shown.Exists() && p.Thread == "" {
		p.display(e.shown)
	}
	p.say(e, m)
}

// collect sorts in a part of a prompt by whose words it is.
// Whose words a text is, package google judges by how it begins.
func (p *Parser) collect(part google.Part) {
	t := &p.turn
	neutral := part.Neutral(&p.Names)
	if part.Kind != google.Text {
		t.Attach(p.Thread == "" && !t.Appended && t.Responses == 0, neutral)
		return
	}
	body := part.Text.Body()
	if len(body) == 0 {
		return
	}
	t.Appended = t.Appended || google.IsReference(body)
	voice := google.Judge(body)
	switch {
	case voice == google.Summary:
		t.summary, t.summed = neutral.Text, true
		p.recopied()
	case voice == google.Context:
		p.works(google.Workspace(part.Text))
		p.recopied()
		t.Add(false, neutral.Text)
	case voice == google.Errand:
		p.helper = promptThread(part.Text.Str())
		t.Add(false, neutral.Text)
	case p.Thread != "", t.Appended, voice == google.Client, voice == google.Command:
		t.Add(false, neutral.Text)
	case voice == google.Mixed:
		said, put := google.Unmix(part.Text.Str())
		t.AddSome(true, said)
		t.AddSome(false, put)
		if said != "" {
			t.digests = append(t.digests, stream.Hash([]byte(said)))
		}
	default:
		t.Add(true, neutral.Text)
		t.digests = append(t.digests, textDigest(body))
	}
}

// display takes for the person's words what the client showed as theirs: the
// content has what an "@" or a command was replaced by.
func (p *Parser) display(shown jsondoc.Value) {
	t := &p.turn
	if len(t.Said) == 0 {
		return
	}
	for _, text := range t.Said {
		t.Add(false, text)
	}
	t.Said, t.Parts = t.Said[:0], t.Parts[:0]
	for part := range google.Parts(shown) {
		if part.Kind != google.Text {
			t.Parts = append(t.Parts, part.Neutral(&p.Names))
			continue
		}
		voice := google.Judge(part.Text.Body())
		t.Add(voice == google.Person || voice == google.Mixed, core.Token(part.Text))
	}
}

// say emits the turns of a message: a person's first, which so has the id of the message itself.
func (p *Parser) say(e *entry, m *message) {
	t := &p.turn
	if t.summed {
		p.compact(t.summary, e.name)
	}
	if t.IsPerson() {
		p.helper = ""
		p.User = core.UserTurn{Text: stream.Joined(t.Said), Parts: t.Parts}
		p.typed(*m)
		p.send(&p.User, false)
		p.compacted = false
	}
	if t.IsPut() {
		p.User = core.UserTurn{Text: stream.Joined(t.Put), Parts: t.PutParts}
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

	name    string // the id, or what stands for it
	members stream.Members
}

// read collects the members of an object. They are good until the next one.
func (e *entry) read(root jsondoc.Value) *entry {
	if e.members == nil {
		e.members = stream.NewMembers(
			stream.At("id", &e.id), stream.At("timestamp", &e.time), stream.At("type", &e.kind), stream.At("content", &e.content),
			stream.At("displayContent", &e.shown), stream.At("thoughts", &e.thoughts), stream.At("tokens", &e.tokens), stream.At("model", &e.model),
			stream.At("toolCalls", &e.calls), stream.At("$set", &e.set), stream.At("$rewindTo", &e.rewind), stream.At("sessionId", &e.session),
			stream.At("projectHash", &e.hash), stream.At("startTime", &e.start), stream.At("kind", &e.who), stream.At("messages", &e.messages),
			stream.At("directories", &e.dirs), stream.At("summary", &e.summary), stream.At("role", &e.role), stream.At("parts", &e.parts),
			stream.At("history", &e.history), stream.At("clientHistory", &e.contents),
		)
	}
	*e = entry{root: root, members: e.members}
	e.members.Read(root)
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

// read takes in the members of a call.
func (c *call) read(v jsondoc.Value) {
	*c = call{
		id: v.Get("id"), name: v.Get("name"), args: v.Get("args"), result: v.Get("result"), display: v.Get("resultDisplay"),
		status: v.Get("status"), time: v.Get("timestamp"), agent: v.Get("agentId"),
	}
}
