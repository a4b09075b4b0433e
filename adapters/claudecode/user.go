package claudecode

import (
	"github.com/memscribe/memscribe/adapters/claudecode/internal/voice"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// recordVoice is what the record itself says, ahead of any text: client means
// that no text of it is a person's.
//
// isMeta marks injected text in all versions; origin (2.1.2xx) and promptSource (2.1.179) are there
// only for some prompts, and "sdk" prompts are as good as typed ones.
func recordVoice(r *record, thread string) voice.Voice {
	kind := r.origin.Get("kind")
	switch {
	case r.meta.Bool(), r.hidden.Bool(), r.fromTool.Exists(), r.source.Is("system"):
		return voice.Client
	case kind.Kind() == jsondoc.String && !kind.Is("human"):
		return voice.Client
	case thread != "" && !kind.Is("human") && !r.source.Is("typed"):
		return voice.Client // what the parent agent says to its subagent
	}
	return voice.Person
}

// turn collects what one record says, until it is known whose words they are.
type turn struct {
	said, put []core.Text // a person's words, and the client's
	parts     []core.Part // of the person's turn: texts and pictures
	putParts  []core.Part
	summaries []core.Text
	commanded bool
	prompting bool // by a command that stands for a prompt
	results   int
}

func (t *turn) reset() {
	t.said, t.put, t.summaries = t.said[:0], t.put[:0], t.summaries[:0]
	t.parts, t.putParts = t.parts[:0], t.putParts[:0]
	t.commanded, t.prompting, t.results = false, false, 0
}

// userRecord reads a record of the user's role: a prompt, results of calls, or
// what the client says in the user's name.
func (p *parser) userRecord(r *record) {
	content := r.message.Get("content")
	if r.message.Kind() == jsondoc.String {
		content = r.message
	}
	from := recordVoice(r, p.Thread)
	if r.summary.Bool() {
		from = voice.Summary
	}
	p.turn.reset()
	for el := range content.Elems() {
		if el.Get("type").Is("tool_result") {
			p.turn.results++
		}
	}
	if p.turn.results > 0 && p.Thread == "" {
		p.tree.Result()
	}
	if p.turn.results == 0 && from == voice.Person && (p.copies.expands(r) || p.Thread == "" && p.copies.replays(r, content, &p.version) || p.copies.prompt(r, content, &p.version) || p.hold(content)) {
		from = voice.Client // said in another session
	}
	p.collect(r, content, from)
	if p.turn.results == 0 && p.Thread == "" && !r.meta.Bool() {
		p.queue.taken(content)
	}
	p.say(r)
	if content.Kind() == jsondoc.String {
		p.toldCompacted(content)
	}
}

// collect sorts the blocks of a message by whose words they are. Results of calls go out at once.
func (p *parser) collect(r *record, content jsondoc.Value, from voice.Voice) {
	if content.Kind() == jsondoc.String {
		p.turn.add(content, from)
		return
	}
	for block := range content.Elems() {
		if block.Kind() == jsondoc.String {
			p.turn.add(block, from)
			continue
		}
		switch kind := block.Get("type"); {
		case kind.Is("text"):
			p.turn.add(block.Get("text"), from)
		case kind.Is("tool_result"):
			p.toolResult(r, block)
		case kind.Is("image"):
			p.turn.attach(core.Part{Kind: core.ImagePart, MediaType: p.Names.Of(block.Path("source", "media_type"))}, from)
		default:
			p.turn.attach(core.Part{Kind: core.OtherPart, Raw: core.RawValue(block)}, from)
		}
	}
}

// add sorts in a text.
func (t *turn) add(v jsondoc.Value, from voice.Voice) {
	if len(v.Body()) == 0 {
		return
	}
	of := voice.Of(v.Body())
	t.commanded = t.commanded || of == voice.Command || of == voice.Prompting
	t.prompting = t.prompting || of == voice.Prompting
	text := core.Token(v)
	switch {
	case from == voice.Summary, from == voice.Person && of == voice.Summary:
		t.summaries = append(t.summaries, text)
	case from == voice.Client, of == voice.Client, of == voice.Command, of == voice.Summary:
		t.addPut(text)
	case of == voice.Prompting:
		t.addPut(text)
		if args := voice.Args(v.Str()); args != "" {
			t.addSaid(core.Plain(args))
		}
	case of == voice.Mixed:
		said, put := voice.Unmix(v.Str())
		if put != "" {
			t.addPut(core.Plain(put))
		}
		if said != "" {
			t.addSaid(core.Plain(said))
		}
	default:
		t.addSaid(text)
	}
}

func (t *turn) addSaid(text core.Text) {
	t.said = append(t.said, text)
	t.parts = append(t.parts, stream.Text(text))
}

func (t *turn) addPut(text core.Text) {
	t.put = append(t.put, text)
	t.putParts = append(t.putParts, stream.Text(text))
}

// attach adds a part that is no text.
func (t *turn) attach(part core.Part, from voice.Voice) {
	if from == voice.Person {
		t.parts = append(t.parts, part)
		return
	}
	t.putParts = append(t.putParts, part)
}

// say emits the turns of a record: a person's first, which so has the id of the record itself.
func (p *parser) say(r *record) {
	t := &p.turn
	for _, text := range t.summaries {
		p.compacted(text)
	}
	switch {
	case len(t.said) > 0, len(t.parts) > 0 && t.results == 0:
		p.unsummarized()
		p.prompt(r)
		p.User = core.UserTurn{Text: stream.Joined(t.said), Parts: t.parts}
		p.send(&p.User, false)
	case t.commanded && t.results == 0:
		p.branch()
		p.tree.Command()
	}
	if len(t.put) > 0 || len(t.putParts) > 0 {
		p.User = core.UserTurn{Text: stream.Joined(t.put), Parts: t.putParts}
		p.send(&p.User, true)
	}
}
