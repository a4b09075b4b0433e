package vscode

import (
	"cmp"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// request passes on a request and its response, from the given part on: what was
// asked, if that is new, what was answered, and what was done.
func (p *parser) request(r jsondoc.Value, from int) {
	p.began(r)
	y, id := &p.reply, idOf(r)
	y.reset(r, p.named(r))
	y.pair()
	p.relativeTo(r)
	n := 0
	for part := range r.Get("response").Elems() {
		if n++; n > from {
			p.part(y, part, n)
		} else {
			y.pass(part)
		}
	}
	p.done = n
	p.finish(y, from)
	p.requests = append(p.requests, mark{id: id, seq: p.Last, last: p.Event.ID})
}

// began passes on what was asked, once.
func (p *parser) began(r jsondoc.Value) {
	if id := idOf(r); !p.known[id] {
		p.known[id] = true
		h := p.named(r)
		p.asked(r, h)
		p.unheard(r, h)
	}
}

// named is what the events of a request are named after: its session and the moment at
// which its response began, where the client writes that down. A fork gives the
// requests that it copies other ids, but keeps that moment, and the result says in which
// session it was.
// An example of a request in session s that was answered at 1700000000000 is
// "s@1700000000000", also in a fork, where it is a copy of that.
func (p *parser) named(r jsondoc.Value) stream.Head {
	h := stream.Head{ID: idOf(r), Time: moment(r.Get("timestamp"))}
	began := r.Get("responseTimestamp")
	if _, ok := began.Int(); !ok {
		return h
	}
	from := p.Session
	if isCopied(r) {
		if of := r.Path("result", "metadata", "sessionId").Str(); of != "" {
			p.forkOf = of
		}
		from = cmp.Or(p.forkOf, p.Session)
	}
	name := from + "@" + string(began.Raw())
	if from == p.Session {
		h.ID = name
		return h
	}
	h.CopyOf, h.Scope, h.Time = name, from, moment(began)
	return h
}

// isCopied reports whether a request was copied into a fork: that was made later than
// it was answered.
func isCopied(r jsondoc.Value) bool {
	made, _ := r.Get("timestamp").Int()
	began, _ := r.Get("responseTimestamp").Int()
	return made > began
}

// idOf is the id of a request.
func idOf(r jsondoc.Value) string {
	if id := r.Get("requestId").Str(); id != "" {
		return id
	}
	return core.ContentID(r.Raw())
}

// asked passes on what a person asked, or the client in their name.
func (p *parser) asked(r jsondoc.Value, h stream.Head) {
	message := r.Get("message")
	text := message
	if message.Kind() == jsondoc.Object {
		text = message.Get("text")
	}
	body := core.UserTurn{Text: core.Token(text), Parts: []core.Part{{Kind: core.TextPart, Text: core.Token(text)}}}
	for v := range r.Path("variableData", "variables").Elems() {
		body.Parts = append(body.Parts, attached(v))
	}
	h.Injected = r.Get("isSystemInitiated").Bool() || r.Get("confirmation").Exists() || r.Get("hiddenFromTranscript").Bool() ||
		r.Path("slashCommand", "name").Is("compact") // to the client, not to the model
	p.send(h, &body)
}

// attached is a file, picture or place that was attached to a request. The bytes
// of a picture stay behind.
func attached(v jsondoc.Value) core.Part {
	if v.Get("kind").Is("image") || v.Get("isImage").Bool() {
		return core.Part{Kind: core.ImagePart, MediaType: cmp.Or(v.Get("mimeType").Str(), "image")}
	}
	return stream.Other(v)
}

// unheard passes on members of a request without a description.
func (p *parser) unheard(r jsondoc.Value, h stream.Head) {
	for name, v := range r.Fields() {
		switch string(name.Body()) {
		case "requestId", "responseId", "timestamp", "message", "variableData", "response", "modelState", "result", "agent", "modelId",
			"modelConfiguration", "systemInitiatedLabel", "modeInfo", "editedFileEvents", "shouldBeRemovedOnSend", "isHidden", "isSystemInitiated", "hiddenFromTranscript",
			"requestHiddenFromTranscript", "requestSource", "origin", "terminalExecutionId", "followups", "vote", "voteDownReason",
			"slashCommand", "usedContext", "contentReferences", "codeCitations", "responseMarkdownInfo", "confirmation", "workspaceUris",
			"timeSpentWaiting", "elapsedMs", "responseTimestamp", "promptTokens", "completionTokens", "promptTokenDetails", "modelTotals",
			"copilotCredits", "sessionCopilotCredits", "isCanceled", "isCompleteAddedRequest", "attempt", "userSelectedTools", "locationData",
			"agentId", "outputBuffer", "acceptedConfirmationData", "rejectedConfirmationData", "attachedContext", "responseErrorDetails", "thread":
		default:
			p.send(stream.Head{ID: h.ID + "/" + string(name.Body())}, &core.Unknown{RawType: "request/" + string(name.Body()), Raw: core.RawValue(v)})
		}
	}
}

// model is the model that answered a request.
func model(r jsondoc.Value) string {
	name := strings.TrimPrefix(r.Get("modelId").Str(), "copilot/")
	if resolved := r.Path("result", "metadata", "resolvedModel"); (name == "auto" || name == "") && resolved.Kind() == jsondoc.String {
		return resolved.Str()
	}
	return name
}

// usage is what the answer cost, which versions write in different places.
func usage(r jsondoc.Value) *core.Usage {
	meta := r.Path("result", "metadata")
	input, ok1 := first(r.Get("promptTokens"), meta.Get("promptTokens"))
	output, ok2 := first(r.Get("completionTokens"), meta.Get("outputTokens"))
	if !ok1 && !ok2 {
		return nil
	}
	u := &core.Usage{Input: input, Output: output}
	for total := range r.Get("modelTotals").Elems() {
		cached, _ := total.Get("cachedTokens").Int()
		u.CacheRead += cached
	}
	return u
}

// counted adds to a turn what the request has cost since it was last told: the
// counts in a log go on while the response does.
func (p *parser) counted(y *reply, from int) {
	now := usage(y.request)
	if now == nil {
		return
	}
	was := p.used
	if from == 0 {
		was = core.Usage{}
	}
	p.used = *now
	if *now == was {
		return
	}
	y.usage = &core.Usage{
		Input: max(0, now.Input-was.Input), Output: max(0, now.Output-was.Output), CacheRead: max(0, now.CacheRead-was.CacheRead),
	}
}

// first is the first of some values that is a number.
func first(values ...jsondoc.Value) (int64, bool) {
	for _, v := range values {
		if n, ok := v.Int(); ok {
			return n, true
		}
	}
	return 0, false
}

// finish passes on what stands at the end of a response: the last words, calls
// that no part mentions, summaries, and an error.
func (p *parser) finish(y *reply, from int) {
	if from > 0 && len(y.parts) == 0 && y.text.Len() == 0 {
		return
	}
	p.counted(y, from)
	p.flush(y)
	for i := range y.calls {
		if c := &y.calls[i]; !c.told && from == 0 {
			p.called(y, c, jsondoc.Value{})
		}
	}
	meta := y.request.Path("result", "metadata")
	n := 0
	for s := range meta.Get("summaries").Elems() {
		n++
		p.send(y.named("summary", n), &core.Compaction{Summary: core.Token(s.Get("text"))})
	}
	if s := meta.Get("summary"); s.Get("text").Kind() == jsondoc.String && n == 0 {
		p.send(y.named("summary", 1), &core.Compaction{Summary: core.Token(s.Get("text"))})
	}
	if e := y.request.Path("result", "errorDetails"); e.Kind() == jsondoc.Object && p.bringsError() {
		p.send(y.named("error", 1), &core.Unknown{RawType: "errorDetails", Raw: core.RawValue(e), Bookkeeping: true})
	}
}

// bringsError reports whether an error is to be passed on: in a log once, and with the
// line in which it stands. Where that told nothing yet, it was kept itself.
func (p *parser) bringsError() bool {
	const told = "error"
	if !p.log {
		return true
	}
	if !p.results || p.told[told] {
		return false
	}
	p.told[told] = true
	return true
}
