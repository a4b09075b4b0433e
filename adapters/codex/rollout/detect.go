package rollout

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// maxLooks is how many records are looked at.
const maxLooks = 20

// Detect judges by the first lines: their envelope or, in rollouts older than
// September 2025, the header and the bare items after it.
func Detect(s core.Sample) core.Fit {
	best := core.NoFit
	looks := 0
	for line, v := range s.Records() {
		if looks++; looks > maxLooks || best == core.NativeFit {
			break
		}
		if v.Exists() {
			best = max(best, fitOf(v, isRollout(s.Path)))
		} else {
			best = max(best, fitOfCut(line, isRollout(s.Path)))
		}
	}
	if best == core.NoFit && isRollout(s.Path) {
		return core.PathFit
	}
	return best
}

// fitOf judges one record.
func fitOf(v jsondoc.Value, rollout bool) core.Fit {
	switch payload := v.Get("payload"); {
	case payload.Kind() == jsondoc.Object:
		return fitOfEnvelope(v.Get("type"), payload)
	case v.Get("session").Kind() == jsondoc.Object && v.Get("items").Kind() == jsondoc.Array:
		return core.NativeFit
	case v.Get("record_type").Is("state"):
		return core.NativeFit
	case v.Get("id").Exists() && v.Get("timestamp").Exists() && v.Get("instructions").Exists() && !v.Get("type").Exists():
		return core.NativeFit
	case rollout && isItem(v.Get("type")):
		return core.NativeFit
	}
	return core.NoFit
}

func fitOfEnvelope(kind, payload jsondoc.Value) core.Fit {
	switch string(kind.Body()) {
	case "session_meta", "turn_context":
		return core.NativeFit
	case "response_item", "event_msg":
		if payload.Get("type").Kind() == jsondoc.String {
			return core.NativeFit
		}
	case "compacted", "world_state", "token_usage_record":
		return core.ShapeFit
	}
	return core.NoFit
}

// isItem reports whether a bare record's type is that of a Responses item.
func isItem(kind jsondoc.Value) bool {
	switch string(kind.Body()) {
	case "message", "reasoning", "function_call", "function_call_output", "local_shell_call":
		return true
	}
	return false
}

// fitOfCut judges a line that is cut off, or the start of a document that covers several lines.
func fitOfCut(line []byte, rollout bool) core.Fit {
	if closed := jsondoc.Close(line); closed != nil {
		var doc jsondoc.Doc
		if _, err := doc.Parse(closed); err == nil {
			if fit := fitOf(doc.Root(), rollout); fit != core.NoFit {
				return fit
			}
		}
	}
	head := line[:min(len(line), 4096)]
	switch {
	case bytes.Contains(head, []byte(`"type":"session_meta"`)) && bytes.Contains(head, []byte(`"payload":{`)):
		return core.NativeFit
	case bytes.Contains(head, []byte(`"type":"response_item","payload":{`)),
		bytes.Contains(head, []byte(`"type":"event_msg","payload":{`)):
		return core.NativeFit
	case bytes.HasPrefix(head, []byte(`{"session":{`)) && bytes.Contains(head, []byte(`"instructions"`)):
		return core.ShapeFit
	}
	return core.NoFit
}

// isRollout reports whether a file is named like a rollout.
func isRollout(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return strings.HasPrefix(name, "rollout-") && strings.Contains(name, ".json")
}

// ThreadOfPath is the thread id in the name of a rollout, or "". A name ends in
// the thread's id; that of a file with what came after a rollback has a second one
// behind it, the part (0.166, 0.169, recorded).
func ThreadOfPath(path string) (thread, part string) {
	name := path[strings.LastIndexByte(path, '/')+1:]
	rest, ok := strings.CutPrefix(name, "rollout-")
	if !ok {
		return "", ""
	}
	for i := 0; i+uuidLen <= len(rest); i++ {
		if !stream.IsUUID(rest[i : i+uuidLen]) {
			continue
		}
		thread, rest = rest[i:i+uuidLen], rest[i+uuidLen:]
		if len(rest) > uuidLen && rest[0] == '_' && stream.IsUUID(rest[1:1+uuidLen]) {
			part = rest[1 : 1+uuidLen]
		}
		return thread, part
	}
	return "", ""
}

// uuidTime is the moment in a UUID of version 7, in milliseconds since 1970.
// Thread and turn ids are such since the end of 2025 (wild; recorded).
func uuidTime(id string) (ms int64, ok bool) {
	if !stream.IsUUID(id) || id[14] != '7' {
		return 0, false
	}
	for _, c := range []byte(id[:8] + id[9:13]) {
		ms = ms<<4 | int64(c&0xf)
		if c > '9' {
			ms += 9
		}
	}
	return ms, true
}

const uuidLen = 36
