package otel

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads requests. All but rec and emit, which are for one record, is for the
// whole file: telemetry of a session may be spread over many requests.
type parser struct {
	kinds stream.Table
	talks map[string]*talk // by conversation
	usage map[string]core.Usage
	files map[string]*google.Files // by session

	requests int  // read so far
	named    bool // an event of this request has an id

	rec   record
	emit  func(*core.Event)
	buf   []byte
	inner jsondoc.Doc
}

// record is the log record, span or metric that is being read. It points into the
// request's bytes.
type record struct {
	raw     jsondoc.Value
	attrs   attributes
	service attributes // of the resource
	tool    core.Tool
	echo    bool
	session string
	id      string
	time    core.Time
	name    string
}

// NewParser returns a parser for one file.
func (Adapter) NewParser(core.StreamInfo) core.Parser {
	p := &parser{kinds: stream.NewTable(Adapter{}.Kinds()), talks: map[string]*talk{}, usage: map[string]core.Usage{}, files: map[string]*google.Files{}}
	return mcpedits.Edits(p, new(edit.Files))
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	p.emit, p.rec, p.named = emit, record{tool: core.OTel}, false
	p.requests++
	if rec.Doc == nil {
		p.send(&core.Unknown{Raw: core.RawBytes(rec.Bytes), Reason: reason(rec.Err)})
		return
	}
	root, told := rec.Doc.Root(), 0
	for _, s := range []struct {
		resources, scopes, records string
		read                       func()
	}{
		{"resourceLogs", "scopeLogs", "logRecords", p.log},
		{"resourceSpans", "scopeSpans", "spans", p.span},
		{"resourceMetrics", "scopeMetrics", "metrics", p.metric},
	} {
		for r := range root.Get(s.resources).Elems() {
			service := attributes{r.Path("resource", "attributes")}
			for scope := range scopesOf(r, s.scopes).Elems() {
				from := sender{service, cmp.Or(scope.Path("scope", "name").Str(), scope.Path("instrumentationLibrary", "name").Str())}
				for v := range recordsOf(scope, s.records).Elems() {
					p.begin(v, from)
					s.read()
					told++
				}
			}
		}
	}
	if told == 0 { // a request without telemetry, or no request at all
		p.rec = record{tool: core.OTel, raw: root}
		p.rec.id = p.placeID() // its bytes may be those of a record of another request, and name that one
		known := root.Get("resourceLogs").Exists() || root.Get("resourceSpans").Exists() || root.Get("resourceMetrics").Exists()
		p.send(&core.Unknown{RawType: "request", Raw: core.RawValue(root), Bookkeeping: known})
	}
}

// scopesOf is what a resource tells, by scope. Scopes were instrumentation
// libraries until 2022, and those that still told of
// libraries came to a field of their own, which collectors write as
// "deprecatedScopeLogs". Who has both is to be believed the new one.
func scopesOf(resource jsondoc.Value, name string) jsondoc.Value {
	kind := strings.TrimPrefix(name, "scope")
	for _, of := range [...]string{name, "deprecatedScope" + kind, "instrumentationLibrary" + kind} {
		if v := resource.Get(of); v.Len() > 0 {
			return v
		}
	}
	return jsondoc.Value{}
}

// recordsOf is what a scope tells: log records were "logs" once.
func recordsOf(scope jsondoc.Value, name string) jsondoc.Value {
	if v := scope.Get(name); v.Exists() || name != "logRecords" {
		return v
	}
	return scope.Get("logs")
}

// reason says why a record is no JSON object.
func reason(err error) string {
	if err == nil {
		return "not JSON"
	}
	return err.Error()
}

// begin reads what all kinds of records have.
func (p *parser) begin(v jsondoc.Value, from sender) {
	r := record{raw: v, attrs: attributes{v.Get("attributes")}, service: from.service}
	r.tool = from.tool(&r)
	r.echo = r.tool != core.OTel
	r.session = cmp.Or(
		r.attrs.get("copilot_chat.chat_session_id").str(), // the conversation's own; session.id is the window's
		r.attrs.get("session.id").str(), r.attrs.get("conversation.id").str(), r.attrs.get("gen_ai.conversation.id").str(),
	)
	if r.session == "" && r.tool != core.VSCode {
		r.session = cmp.Or(r.service.get("session.id").str(), v.Get("traceId").Str())
	}
	r.time = timeOf(v, r.attrs)
	p.rec = r
}

// timeOf is when something happened: Codex fills in only when it was observed,
// and says the time itself.
func timeOf(v jsondoc.Value, attrs attributes) core.Time {
	for _, key := range []string{"timeUnixNano", "startTimeUnixNano"} {
		if t, ok := nano(v.Get(key)); ok {
			return t
		}
	}
	if t := core.ParseTime(attrs.get("event.timestamp").str()); !t.IsZero() {
		return t
	}
	t, _ := nano(v.Get("observedTimeUnixNano"))
	return t
}

// nano reads nanoseconds since 1970, to the millisecond.
func nano(v jsondoc.Value) (core.Time, bool) {
	n, ok := v.Int()
	if s := v.Str(); s != "" {
		var err error
		n, err = strconv.ParseInt(s, 10, 64)
		ok = err == nil
	}
	if !ok || n <= 0 {
		return core.Time{}, false
	}
	return core.UnixMilli(n / 1e6), true
}

// log reads a log record.
func (p *parser) log() {
	r := &p.rec
	r.name = p.eventName()
	if r.hasOwnEvents() {
		p.agentEvent()
	} else {
		p.genAIEvent()
	}
}

// hasOwnEvents reports whether the tool has events of its own for what is said and
// done: its spans, and its events by the conventions, say the same again.
func (r *record) hasOwnEvents() bool {
	switch r.tool {
	case core.ClaudeCode, core.Codex, core.Gemini, core.Qwen:
		return true
	default:
		return false
	}
}

// eventName is the name of an event, without the tool's own prefix. What comes
// first differs from client to client: Codex has the place in its source as the
// protocol's name (recorded, all versions), and newer ones there alone (reported by
// others); Claude Code has the whole name in the body and a short one beside it.
func (p *parser) eventName() string {
	r := &p.rec
	name := cmp.Or(r.attrs.get("event.name").str(), r.attrs.get("otel.event.name").str())
	if own := r.raw.Get("eventName").Str(); own != "" && (name == "" || !strings.HasPrefix(own, "event ")) {
		name = own
	}
	if body := r.raw.Path("body", "stringValue").Str(); name == "" && strings.HasPrefix(body, "gen_ai.") {
		name = body
	}
	for _, known := range signs() {
		if known.tool == r.tool {
			name = strings.TrimPrefix(name, known.prefix)
		}
	}
	if r.tool == core.Codex && (name == "" || strings.HasPrefix(name, "event ")) {
		return r.codexKind()
	}
	return name
}

// codexKind tells the event by what it has.
func (r *record) codexKind() string {
	has := func(key string) bool { return r.attrs.get(key).v.Exists() }
	switch {
	case has("prompt_length"):
		return "user_prompt"
	case has("call_id") && has("output"):
		return "tool_result"
	case has("call_id") && has("decision"):
		return "tool_decision"
	case has("event.kind"):
		return "sse_event"
	case has("approval_policy"):
		return "conversation_starts"
	case has("attempt"):
		return "api_request"
	}
	return ""
}

// metric keeps a metric: nothing was said or done by it.
func (p *parser) metric() { p.aside(cmp.Or(p.rec.raw.Get("name").Str(), "metric"), true) }

// aside keeps a record that tells nothing of a conversation; known is whether
// somebody has described it.
func (p *parser) aside(kind string, known bool) {
	p.send(&core.Unknown{RawType: kind, Raw: core.RawValue(p.rec.raw), Bookkeeping: known})
}

// send emits an event of the record.
func (p *parser) send(body core.Body) { p.injected(body, false) }

// injected emits an event. A record without an id gets one made from its content, so that what is
// sent twice is the same; without a time, from its place.
func (p *parser) injected(body core.Body, injected bool) {
	r := &p.rec
	switch {
	case r.id != "":
	case !r.time.IsZero():
		r.id = core.ContentID(r.raw.Raw()) // sent again is the same; without a time, who knows
	case p.named:
		r.id = p.placeID() // without an id, it would have one made from that of another record
	}
	p.named = p.named || r.id != ""
	p.emit(&core.Event{
		Source: r.tool, Session: r.session, ID: r.id, Time: r.time, Echo: r.echo, Injected: injected, Body: body,
	})
}

// placeID names what has no time by what it says and the request that says it.
func (p *parser) placeID() string {
	return core.ContentID([]byte(strconv.Itoa(p.requests) + "\x00" + string(p.rec.raw.Raw())))
}
