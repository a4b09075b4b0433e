package rollout

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Voices recognises the second telling of what was said: every text is in a rollout as an item of
// the model's and as an event for the user interface. Which comes first differs between versions,
// and an interrupted response may have the event alone (0.47, recorded).
type Voices struct {
	ring [32]voice
	next int
}

type voice struct {
	hash uint64
	side Side
}

// Side is the form in which something is reported.
type Side uint8

// The forms.
const (
	noSide  Side = iota
	AsItem       // response_item: what the model was sent, or sent
	AsEvent      // event_msg: what the user interface was told
)

// Again reports whether the text was told before in the other form. If not, it is remembered.
func (s *Voices) Again(hash uint64, told Side) bool {
	for i := range s.ring {
		if v := &s.ring[i]; v.hash == hash && v.side != noSide && v.side != told {
			v.side = noSide
			return true
		}
	}
	s.ring[s.next] = voice{hash, told}
	s.next = (s.next + 1) % len(s.ring)
	return false
}

// HashOf is a hash of a text.
func HashOf(b []byte) uint64 {
	const k = 0x9e3779b97f4a7c15
	h := uint64(len(b)) * k
	for ; len(b) >= 8; b = b[8:] {
		hi, lo := bits.Mul64(h^binary.LittleEndian.Uint64(b), k)
		h = hi ^ lo
	}
	for _, c := range b {
		h = (h ^ uint64(c)) * k
	}
	return h ^ h>>29
}

// IsInjectedItem reports whether an item of the user's side is context. Since 0.16x the tool says
// so itself (0.169, recorded): a person's text is "user.text".
func IsInjectedItem(kinds jsondoc.Value, head string) bool {
	if kinds.Kind() == jsondoc.Array {
		for kind := range kinds.Elems() {
			if bytes.HasPrefix(kind.Body(), []byte("user.")) {
				return false
			}
		}
		return true
	}
	return IsContext(head)
}

// IsContextKind reads the mark that user_message has in old versions: "plain"
// is a person's text (0.47, recorded), the others are context (source).
func IsContextKind(kind jsondoc.Value) bool {
	return kind.Is("user_instructions") || kind.Is("environment_context")
}

// IsOldContext recognises the context that versions without that mark may tell
// as a turn. All else that an event tells was typed, however it begins.
func IsOldContext(head string) bool {
	s := strings.TrimLeft(head, " \t\r\n")
	return strings.HasPrefix(s, "<environment_context>") || strings.HasPrefix(s, "<user_instructions>")
}

// IsContext recognises what the tool says in a person's name by how it begins.
// Evidence: recorded and wild; hook_prompt, model_switch and the like in source.
func IsContext(head string) bool {
	s := strings.TrimLeft(head, " \t\r\n")
	for _, start := range [...]string{
		"# AGENTS.md instructions", "Another language model started to solve this problem",
		"Warning: apply_patch was requested via", "Warning: The maximum number of unified exec",
		"Warning: Your account was flagged", "Warning: Model ", "Approved command prefix saved:",
	} {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	if !strings.HasPrefix(s, "<") {
		return false
	}
	end := strings.IndexAny(s, " >\n")
	if end < 0 {
		return false
	}
	switch s[1:end] {
	case "environment_context", "user_instructions", "INSTRUCTIONS", "permissions", "collaboration_mode",
		"skills_instructions", "skill", "subagent_notification", "turn_aborted", "hook_prompt", "model_switch",
		"user_shell_command", "user_action", "personality_spec", "apps_instructions", "plugins_instructions",
		"goal_context", "codex_internal_context", "multi_agent_mode", "multi_agent_role", "tools",
		"realtime_conversation", "memory_context", "recommended_plugins", "context_window":
		return true
	}
	return false
}

// maxQuestions bounds what is read of a call; the tool allows three.
const maxQuestions = 32

// Choices reads the questions that the model put to the person with request_user_input,
// [{"id","header","question","options":[{"label","description"}]}] (0.169, the tool's schema
// as recorded), with the answers, {"answers":{"<id>":{"answers":["label","user_note: …"]}}} (source).
// A question without an answer is left out.
func Choices(questions, answer jsondoc.Value) []core.Choice {
	var list []core.Choice
	for q := range questions.Elems() {
		if len(list) == maxQuestions {
			break
		}
		var given []string
		for a := range answer.Path("answers", q.Get("id").Str(), "answers").Elems() {
			given = append(given, strings.TrimSpace(strings.TrimPrefix(a.Str(), "user_note:")))
		}
		if len(given) > 0 {
			list = append(list, stream.Chosen(q, given, "\n"))
		}
	}
	return list
}
