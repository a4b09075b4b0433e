package encode

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Event appends the event's JSON to dst, without a line end. After an error
// nothing of the event may be written anywhere.
// It holds all that [Encoder.Node] says: canonical, fail closed.
func (e *Encoder) Event(dst []byte, ev *core.Event) ([]byte, error) {
	e.begin()
	start := len(dst)
	dst = e.event(dst, ev)
	if e.repeat() {
		dst = e.event(dst[:start], ev)
	}
	e.end()
	return dst, e.err
}

// event appends an event as one JSON object, with its members in the order of the schema.
func (e *Encoder) event(dst []byte, ev *core.Event) []byte {
	dst = append(dst, `{"schema":"`+core.EventSchema+`","event":"`...)
	dst = append(dst, ev.Name()...)
	dst = append(dst, '"')
	dst = e.str(dst, "id", core.IDField, ev.ID)
	dst = e.str(dst, "source", core.NameField, string(ev.Source))
	dst = e.str(dst, "session_id", core.IDField, ev.Session)
	dst = e.optional(dst, "thread_id", core.IDField, ev.Thread)
	if b := ev.Strand; b != nil {
		dst = appendUint(dst, "strand", uint64(b.No))
		dst = e.optional(dst, "voids", core.IDField, b.Voids)
	}
	dst = appendUint(dst, "seq", ev.Seq)
	dst = e.optional(dst, "parent_id", core.IDField, ev.ParentID)
	dst = e.optional(dst, "copy_of", core.IDField, ev.CopyOf)
	dst = appendTime(dst, "timestamp", ev.Time)
	if ev.TimeInferred {
		dst = appendBool(dst, "timestamp_inferred", true)
	}
	if ev.Injected {
		dst = appendBool(dst, "injected", true)
	}
	if ev.Echo {
		dst = appendBool(dst, "echo", true)
	}
	dst = e.project(dst, ev.Project)
	dst = append(dst, `,"body":{`...)
	dst = e.eventBody(dst, ev)
	dst = append(dst, `},"provenance":`...)
	dst = e.location(dst, ev.At)
	return append(dst, '}')
}

// eventBody appends the members that only events of its kind have.
func (e *Encoder) eventBody(dst []byte, ev *core.Event) []byte {
	switch b := ev.Body.(type) {
	case *core.SessionStart:
		dst = e.optional(dst, "cwd", core.PathField, b.Cwd)
		dst = e.git(appendKey(dst, "git"), b.Git)
		dst = e.optional(dst, "model", core.NameField, b.Model)
		return e.optional(dst, "tool_version", core.NameField, b.ToolVersion)
	case *core.UserTurn:
		dst = e.text(dst, "text", b.Text)
		dst = e.parts(dst, b.Parts)
		if ev.Injected {
			dst = appendBool(dst, "injected", true)
		}
		return dst
	case *core.AssistantTurn:
		return e.assistantTurn(dst, b)
	case *core.ToolCall:
		dst = e.str(dst, "call_id", core.IDField, b.CallID)
		dst = e.str(dst, "name", core.NameField, b.Name)
		dst = e.raw(dst, "args", b.Args)
		return e.memories(dst, b.Memory)
	case *core.ToolResult:
		return e.toolResult(dst, b)
	case *core.FileEdit:
		dst = e.str(dst, "call_id", core.IDField, b.CallID)
		return e.diff(dst, &b.Diff)
	case *core.Compaction:
		if b.End > 0 {
			dst = append(appendKey(dst, "replaced"), `{"start":`...)
			dst = strconv.AppendUint(dst, b.Start, 10)
			dst = append(appendUint(dst, "end", b.End), '}')
		}
		return e.text(dst, "summary", b.Summary)
	case *core.Rewind:
		return e.str(dst, "to_event", core.IDField, b.ToEvent)
	case *core.SessionEnd:
		return e.str(dst, "reason", core.NameField, b.Reason)
	case *core.Unknown:
		dst = e.str(dst, "raw_type", core.NameField, b.RawType)
		if b.Bookkeeping {
			dst = appendBool(dst, "bookkeeping", true)
		}
		dst = e.optional(dst, "reason", core.NameField, b.Reason)
		return e.raw(dst, "raw", b.Raw)
	}
	return dst
}

// assistantTurn appends what the model said. Thinking is left out where there is none;
// text is not, for a turn may consist of parts alone.
func (e *Encoder) assistantTurn(dst []byte, b *core.AssistantTurn) []byte {
	dst = e.text(dst, "text", b.Text)
	if !b.Thinking.IsEmpty() {
		dst = e.text(dst, "thinking", b.Thinking)
	}
	dst = e.optional(dst, "model", core.NameField, b.Model)
	if b.Usage != nil {
		dst = appendUsage(dst, b.Usage)
	}
	return e.parts(dst, b.Parts)
}

// appendUsage appends "usage", in tokens. What only some tools count (reasoning, caches of
// an hour) is left out where it is 0.
func appendUsage(dst []byte, u *core.Usage) []byte {
	dst = append(dst, `,"usage":{"input_tokens":`...)
	dst = strconv.AppendInt(dst, u.Input, 10)
	dst = strconv.AppendInt(appendKey(dst, "output_tokens"), u.Output, 10)
	dst = strconv.AppendInt(appendKey(dst, "cache_read_tokens"), u.CacheRead, 10)
	dst = strconv.AppendInt(appendKey(dst, "cache_creation_tokens"), u.CacheCreation, 10)
	if u.CacheCreation1h != 0 {
		dst = strconv.AppendInt(appendKey(dst, "cache_creation_1h_tokens"), u.CacheCreation1h, 10)
	}
	if u.Reasoning != 0 {
		dst = strconv.AppendInt(appendKey(dst, "reasoning_tokens"), u.Reasoning, 10)
	}
	if u.Fast {
		dst = appendBool(dst, "fast", true)
	}
	return append(dst, '}')
}

// toolResult appends the answer to a call, with what a person chose or said to it.
func (e *Encoder) toolResult(dst []byte, b *core.ToolResult) []byte {
	dst = e.str(dst, "call_id", core.IDField, b.CallID)
	dst = appendBool(dst, "ok", b.OK)
	dst = e.raw(dst, "output", b.Output)
	if len(b.Choices) > 0 {
		dst = append(dst, `,"choices":[`...)
		for _, c := range b.Choices {
			dst = append(comma(dst), `{"question":`...)
			dst = e.value(dst, core.TextField, c.Question)
			dst = append(dst, `,"options":`...)
			dst = e.options(dst, c.Options)
			dst = append(e.optional(dst, "answer", core.TextField, c.Answer), '}')
		}
		dst = append(dst, ']')
	}
	switch b.Verdict {
	case core.Approved:
		dst = e.str(dst, "verdict", core.NameField, "approved")
	case core.Rejected:
		dst = e.str(dst, "verdict", core.NameField, "rejected")
	case core.NoVerdict:
	}
	if !b.Reason.IsEmpty() {
		dst = e.text(dst, "reason", b.Reason)
	}
	return dst
}

// parts appends "parts", in the order in which the tool shows them. Calls and results are
// named here only; an event of their own has what they say.
func (e *Encoder) parts(dst []byte, parts []core.Part) []byte {
	dst = append(dst, `,"parts":[`...)
	for i := range parts {
		p := &parts[i]
		dst = append(comma(dst), `{"type":"`...)
		dst = append(append(dst, p.Kind...), '"')
		switch p.Kind {
		case core.TextPart, core.ThinkingPart:
			dst = e.text(dst, "text", p.Text)
		case core.ToolUsePart:
			dst = e.str(dst, "call_id", core.IDField, p.CallID)
			dst = e.str(dst, "name", core.NameField, p.Name)
		case core.ToolResultPart:
			dst = e.str(dst, "call_id", core.IDField, p.CallID)
		case core.ImagePart:
			dst = e.str(dst, "media_type", core.NameField, p.MediaType)
		case core.OtherPart:
			dst = e.raw(dst, "raw", p.Raw)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// raw appends a member with a value of the source. Bytes that are no text are
// written in base64 under the key with "_base64" added.
// Bytes that are valid UTF-8 and no JSON are written as a string.
func (e *Encoder) raw(dst []byte, key string, r core.Raw) []byte {
	text, isText := r.Text()
	switch b := r.Bytes(); {
	case r.IsAbsent():
		return dst
	case e.NoContent:
		return append(appendKey(dst, key), "null"...)
	case !isText && e.Scrubber == nil:
		return r.Value().AppendCompact(appendKey(dst, key))
	case !isText:
		dst = appendKey(dst, key)
		return e.beside(e.rawValue(dst, r.Value()), len(dst))
	case utf8.Valid(b):
		return e.str(dst, key, core.TextField, text)
	default:
		return e.binary(dst, key, b)
	}
}

// memory appends what a node or a call is about in a memory of the agent's own.
func (e *Encoder) memory(dst []byte, m *core.MemoryAccess) []byte {
	if m == nil {
		return dst
	}
	return append(e.access(dst, m), '}')
}

// memories appends what a call does to a memory of the agent's own.
func (e *Encoder) memories(dst []byte, all []core.MemoryAccess) []byte {
	if len(all) == 0 {
		return dst
	}
	dst = e.access(dst, &all[0])
	if len(all) > 1 {
		dst = append(appendKey(dst, "keys"), '[')
		for i := range all {
			dst = e.value(comma(dst), core.PathField, all[i].Key)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// access appends "memory": what an agent did to a memory of its own, and to which entry.
func (e *Encoder) access(dst []byte, m *core.MemoryAccess) []byte {
	dst = append(appendKey(dst, "memory"), '{')
	dst = e.str(dst, "action", core.NameField, string(m.Action))
	dst = e.str(dst, "store", core.PathField, m.Store)
	return e.str(dst, "key", core.PathField, m.Key)
}

// binary appends bytes that are not text: scrubbed as if they were, so that a
// secret between broken characters does not slip out in base64.
func (e *Encoder) binary(dst []byte, key string, b []byte) []byte {
	if e.Scrubber != nil {
		e.scratch = append(e.scratch[:0], b...)
		b, _ = e.scrub(core.TextField, e.scratch)
	}
	dst = append(appendKey(dst, key+"_base64"), '"')
	return append(base64.StdEncoding.AppendEncode(dst, b), '"')
}

// member appends the value of a member.
// The name of a member may give its value away: {"password":"x"}.
func (e *Encoder) member(dst []byte, name, v jsondoc.Value) []byte {
	s, ok := e.Scrubber.(core.MemberScrubber)
	if !ok || v.Kind() != jsondoc.String || e.err != nil {
		return e.rawValue(dst, v)
	}
	e.scratch = name.AppendStr(e.scratch[:0])
	n := len(e.scratch)
	e.scratch = v.AppendStr(e.scratch)
	value := e.scratch[n:]
	clean, err := s.ScrubMember(e.scratch[:n:n], value)
	e.err = err
	switch {
	case e.again:
		clean, _ = e.echoes.Cut(clean, clean, nil)
	case err != nil || bytes.Equal(clean, value):
	case isMark(clean):
		e.echoes.Know(value, clean)
	default:
		clean = bytes.Clone(clean)
		e.scrub(core.TextField, value) // for what is cut from it to be known
	}
	return jsondoc.AppendQuote(dst, clean)
}

// rawValue appends a value of the source with all its strings scrubbed, names
// of members too. The depth is bounded by jsondoc.MaxDepth.
func (e *Encoder) rawValue(dst []byte, v jsondoc.Value) []byte {
	switch v.Kind() {
	case jsondoc.String:
		e.scratch = v.AppendStr(e.scratch[:0])
		clean, _ := e.scrub(core.TextField, e.scratch)
		return jsondoc.AppendQuote(dst, clean)
	case jsondoc.Array:
		dst = append(dst, '[')
		for el := range v.Elems() {
			dst = e.rawValue(comma(dst), el)
		}
		return append(dst, ']')
	case jsondoc.Object:
		dst = append(dst, '{')
		for name, el := range v.Fields() {
			dst = e.rawValue(comma(dst), name)
			dst = e.member(append(dst, ':'), name, el)
		}
		return append(dst, '}')
	default:
		return v.AppendCompact(dst)
	}
}

// isMark reports whether nothing is left of a string but a placeholder.
func isMark(clean []byte) bool {
	return bytes.HasPrefix(clean, []byte("[REDACTED:")) && bytes.IndexByte(clean, ']') == len(clean)-1
}
