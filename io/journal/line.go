package journal

import (
	"bytes"
	"time"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// HookSchema is the schema of a line with the payload of a hook.
const HookSchema = "memscribe.hook/v1"

const (
	// maxWhole is the size of the largest payload that is kept whole, in bytes. Redacting it
	// takes some milliseconds, and a tool waits for its hooks.
	maxWhole = 1 << 20
	// maxPointer is the longest member of a pointer, in bytes.
	maxPointer = 4 << 10
)

// Hook is what a tool passed to its hook.
type Hook struct {
	Tool     core.Tool // "" if it is not known
	Received time.Time
	Payload  []byte
	// Withhold, if not "", is the reason for keeping pointers only: whose payload it is, and
	// where the transcript is.
	Withhold string
}

// HookLine returns the line of a hook's payload:
//
//	{"schema":"memscribe.hook/v1","tool":"codex","received":"…","payload":{…}}
//
// Of a payload that is too long or cannot be redacted, only the pointers are kept, and "withheld"
// has the reason. A payload that is not JSON is in "text".
//
//	{…,"payload":{…}}                            the usual case
//	{…,"withheld":"size","payload":{…}}          over 1 MiB: session, folder, transcript and the like only
//	{…,"withheld":"redaction","payload":{…}}     it could not be redacted as a whole
//	{…,"withheld":"settings","payload":{…}}      the user's rules could not be read
//	{…,"text":"…"}                               it is not JSON
func HookLine(s core.Scrubber, h Hook) []byte {
	line := append([]byte(`{"schema":"`), HookSchema...)
	line = append(line, `","tool":`...)
	line = jsondoc.AppendQuoteString(line, string(h.Tool))
	line = append(line, `,"received":"`...)
	line = h.Received.UTC().AppendFormat(line, "2006-01-02T15:04:05.000Z")
	line = append(line, '"')

	payload := bytes.TrimSpace(bytes.TrimPrefix(h.Payload, []byte("\xef\xbb\xbf")))
	var doc jsondoc.Doc
	n, err := doc.Parse(payload)
	if err != nil && len(payload) <= maxWhole {
		payload = mended(payload)
		n, err = doc.Parse(payload)
	}
	switch {
	case h.Withhold != "":
		return append(pointersOf(s, line, doc.Root(), h.Withhold), '}')
	case err != nil || n != len(payload):
		return append(textOf(s, line, payload), '}')
	case len(payload) > maxWhole:
		return append(pointersOf(s, line, doc.Root(), "size"), '}')
	}
	clean, err := Scrubbed(s, payload)
	if err != nil {
		return append(pointersOf(s, line, doc.Root(), "redaction"), '}')
	}
	line = append(line, `,"payload":`...)
	return append(append(line, clean...), '}')
}

// mended escapes control characters in strings, which JSON does not allow: one tool writes them
// (Windsurf, reported by other readers).
func mended(b []byte) []byte {
	out := make([]byte, 0, len(b)+16)
	inString, escaped := false, false
	for _, c := range b {
		switch {
		case inString && c < 0x20:
			quoted := jsondoc.AppendQuote(nil, []byte{c})
			out = append(out, quoted[1:len(quoted)-1]...)
			escaped = false
			continue
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		}
		out = append(out, c)
	}
	return out
}

// textOf appends a payload that is not JSON, as a string.
func textOf(s core.Scrubber, line, payload []byte) []byte {
	if len(payload) > maxWhole {
		return append(line, `,"withheld":"size"`...)
	}
	if !utf8.Valid(payload) {
		payload = bytes.ToValidUTF8(payload, []byte("\ufffd"))
	}
	clean, _, err := s.Scrub(core.TextField, bytes.Clone(payload))
	if err != nil {
		return append(line, `,"withheld":"redaction"`...)
	}
	return jsondoc.AppendQuote(append(line, `,"text":`...), clean)
}

// pointersOf appends the pointers of a payload.
//
// They are redacted like any text. A member longer than maxPointer is left out.
func pointersOf(s core.Scrubber, line []byte, payload jsondoc.Value, why string) []byte {
	// why is a word of the program's own
	line = append(line, `,"withheld":"`+why+`","payload":{`...)
	start := len(line)
	for name, v := range payload.Fields() {
		f, known := pointer(name.Str())
		if !known || v.Kind() != jsondoc.String || len(v.Body()) > maxPointer {
			continue
		}
		clean, _, err := s.Scrub(f, []byte(v.Str()))
		if err != nil {
			continue
		}
		if len(line) > start {
			line = append(line, ',')
		}
		line = append(append(line, name.Raw()...), ':')
		line = jsondoc.AppendQuote(line, clean)
	}
	return append(line, '}')
}

// pointer reports whether a member is a pointer, and which kind of field: the session, the folder
// or the transcript, in all spellings of the tools.
func pointer(name string) (core.Field, bool) {
	switch name {
	case "session_id", "sessionId", "conversation_id", "trajectory_id", "generation_id", "execution_id", "thread-id", "turn-id",
		"turn_id", "prompt_id", "agent_id", "tool_use_id", "tool_call_id":
		return core.IDField, true
	case "hook_event_name", "hookEventName", "agent_action_name", "type", "tool_name", "toolName", "agent_type", "model",
		"source", "reason", "trigger", "timestamp", "cursor_version":
		return core.NameField, true
	case "transcript_path", "transcriptPath", "agent_transcript_path", "cwd":
		return core.PathField, true
	}
	return 0, false
}
