package scrub

import (
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/core"
)

// rule says what happens to the values at one kind of place.
type rule struct {
	record string // kind of the record; "*" is every one
	// JSON pointer; "-" is any element of an array, "+" any member, "**" at the end anything
	// below
	pointer string
	act     func(jsontext.Value) []byte
	whole   bool // also of values that are not strings
}

// covers reports whether a JSON pointer matches the pattern of the rule.
func (r rule) covers(at string) bool {
	want, have := strings.Split(r.pointer, "/"), strings.Split(at, "/")
	for i, w := range want {
		switch {
		case w == "**":
			return len(have) > i
		case i >= len(have):
			return false
		case w == "-" && !isIndex(have[i]), w != "-" && w != "+" && w != have[i]:
			return false
		}
	}
	return len(want) == len(have)
}

// isIndex reports whether s is an index of a JSON array.
func isIndex(s string) bool { return s == "-" || s != "" && strings.Trim(s, "0123456789") == "" }

// head is what names the kind of a record.
type head struct {
	Type       string
	Attachment struct{ Type string }
	Message    struct{ Role string }
	Payload    struct{ Type, Role string }
}

// headOf reads the members of a record that decide which rules apply.
func headOf(line []byte) head {
	var h head
	if err := json.Unmarshal(line, &h); err != nil {
		return head{Type: h.Type} // a member of another type: what was read counts
	}
	return h
}

// rulesOf returns the rules of a tool and the function that names a record's kind.
func rulesOf(tool core.Tool) ([]rule, func(head) string) {
	switch tool {
	case core.ClaudeCode:
		return claudeCode(), func(h head) string { return kind(h.Type, h.Attachment.Type+h.Message.Role) }
	case core.Codex:
		return codex(), func(h head) string { return kind(h.Type, h.Payload.Type+"."+h.Payload.Role) }
	case core.Gemini:
		return gemini(), func(h head) string { return h.Type }
	case core.Copilot:
		return copilot(), func(h head) string { return h.Type }
	case core.VSCode:
		return vscode(), func(h head) string { return h.Type }
	case core.Cline:
		return cline(), func(head) string { return "" }
	case core.OpenCode, core.Kilo: // a system prompt in each message; recorded 0.5.29
		return []rule{{"*", "/system/-", text, false}, {"*", "/system", text, false}}, func(h head) string { return h.Type }
	case core.Pi:
		return pi(), func(h head) string { return h.Message.Role }
	case core.Kimi:
		return kimi(), func(h head) string { return h.Type }
	case core.Vibe: // beside the messages, recorded 2.19.1; what a model is sent, recorded 3.0.3
		return []rule{
			{"action_intent", "/payload/request", func(jsontext.Value) []byte { return []byte(`{}`) }, true},
			{"*", "/system_prompt/content", text, false},
			{"*", "/config/experiments/client_key", func(jsontext.Value) []byte { return []byte(`"left-out"`) }, false},
			{"*", "/tools_available/-/function/description", text, false},
			{"*", "/tools_available/-/function/parameters/**", text, false},
		}, func(h head) string { return h.Type }
	case core.OpenHands: // recorded 1.16.0
		return []rule{
			{"*", "/system_prompt/text", text, false},
			{"*", "/dynamic_context/text", text, false},
			{"*", "/tools/-/description", text, false},
			{"*", "/tools/-/parameters/**", text, false},
			{"*", "/agent/agent_context/system_message_suffix", text, false},
		}, func(h head) string { return h.Type }
	case core.Qwen, core.Continue, core.Hermes, core.Grok: // write none of their vendors' texts
		return []rule{}, func(h head) string { return h.Type }
	default:
		return nil, nil
	}
}

// gemini returns where Gemini CLI puts its vendor's texts (recorded: 0.11.3, 0.61.0):
// each call has the description of its tool.
func gemini() []rule {
	return []rule{
		{"*", "/toolCalls/-/description", text, false},
		{"*", "/messages/-/toolCalls/-/description", text, false},
		{"*", "/$set/messages/-/toolCalls/-/description", text, false},
	}
}

// copilot returns where Copilot CLI puts its vendor's texts (recorded: 1.0.102): what it
// tells the model, alone and in what it writes down of a request for a summary.
func copilot() []rule {
	return []rule{
		{"system.message", "/data/content", text, false},
		{"model.messages_snapshot", "/data/messages/-/content", text, false},
		{"model.model_call_success", "/data/requestMessages", text, false},
		{"model.model_call_success", "/data/requestMessages/-/content", text, false},
	}
}

// pi returns where pi puts its vendor's texts (recorded: 0.87.1, 1.6.0): the sections of what
// it tells the model, again after a compaction, and the tools that it gives to it.
func pi() []rule {
	return []rule{
		{"system", "/message/sections/+", text, false},
		{"system", "/message/toolsAdded/-/description", text, false},
		{"system", "/message/toolsAdded/-/parameters/**", text, false},
		{"*", "/systemMessage/sections/+", text, false},
		{"*", "/systemMessage/toolsAdded/-/description", text, false},
		{"*", "/systemMessage/toolsAdded/-/parameters/**", text, false},
	}
}

// kimi returns where Kimi Code puts its vendor's texts (recorded: 2.1.0): the system
// prompt, the tools that it gives to the model, and what it tells it beside what a
// person said.
func kimi() []rule {
	return []rule{
		{"*", "/systemPrompt", text, false},
		{"llm.tools_snapshot", "/tools/-/description", text, false},
		{"llm.tools_snapshot", "/tools/-/parameters/**", text, false},
		{"mcp.tools_discovered", "/tools/-/description", text, false},
		{"context.append_message", "/message/content/-/text", wrapped, false},
	}
}

// cline returns where Cline puts its vendor's texts (recorded: 2.18.0, 3.0.65): the
// system prompt, and what it tells the model beside what a person said.
func cline() []rule {
	return []rule{
		{"*", "/system_prompt", text, false},
		{"*", "/-/content/-/text", advice, false},
		{"*", "/messages/-/content/-/text", advice, false},
	}
}

// vscode returns where Copilot Chat puts its vendor's texts (recorded: 0.67.0): what it
// puts around the words of a person.
func vscode() []rule {
	var all []rule
	for _, at := range []string{"/v/-/agent/metadata", "/v/requests/-/agent/metadata", "/requests/-/agent/metadata"} {
		for _, name := range []string{"helpTextPrefix", "helpTextPostfix"} { // of the agent that only answers
			all = append(all, rule{"*", at + "/" + name + "/value", text, false})
		}
	}
	for _, at := range []string{"/v", "/v/-/result", "/v/requests/-/result", "/requests/-/result"} {
		all = append(all, rule{"*", at + "/errorDetails/message", text, false})
	}
	for _, at := range []string{"/v/metadata", "/v/-/result/metadata", "/v/requests/-/result/metadata", "/requests/-/result/metadata"} {
		for _, name := range []string{"renderedUserMessage", "renderedGlobalContext"} {
			all = append(all, rule{"*", at + "/" + name + "/-/text", text, false})
		}
	}
	return all
}

// kind joins the parts of a kind's name.
func kind(a, b string) string {
	if b = strings.Trim(b, "."); b == "" {
		return a
	}
	return a + ":" + b
}

// claudeCode returns where Claude Code puts its vendor's texts (recorded: 1.0.128,
// 2.0.77, 2.1.329; all but reminders inside messages are of 2.1.329).
func claudeCode() []rule {
	return []rule{
		{"api-request-shape", "/shape/system/-/text", text, false},
		{"api-request-shape", "/shape/tools", shape, true},
		{"api-request-blob:system", "/message/content", text, false},
		{"api-request-blob:system", "/message/content/-/text", text, false},
		{"*", "/message/content", wrapped, false},
		{"*", "/message/content/-/text", wrapped, false},
		{"*", "/rendered/-/content", text, false},
		{"*", "/renderedInHumanTurn/-/content", text, false},
		{"attachment:prompt_snapshot", "/attachment/systemPrompt/-", text, false},
		{"attachment:prompt_snapshot", "/attachment/tools", shape, true},
		{"attachment:skill_listing", "/attachment/content", text, false},
		{"attachment:agent_listing_delta", "/attachment/addedLines/-", text, false},
		{"attachment:mcp_instructions_delta", "/attachment/addedBlocks/-", text, false},
		{"attachment:deferred_tools_record", "/attachment/entries", shape, true},
		{"attachment:model", "/attachment/text", text, false},
		{"*", "/hookTextLead", text, false}, // since 2.1.332
	}
}

// codex returns where Codex puts its vendor's texts (recorded: 0.47.0, 0.105.0,
// 0.169.0).
func codex() []rule {
	return []rule{
		{"session_meta", "/payload/base_instructions/text", text, false},
		{"session_meta", "/payload/instructions", text, false},
		{"session_meta", "/payload/dynamic_tools", shape, true},
		{"response_item:message.developer", "/payload/content/-/text", text, false},
		{"response_item:message.user", "/payload/content/-/text", wrapped, false},
		{"response_item:additional_tools.developer", "/payload/tools", shape, true},
		{"response_item:tool_search_output", "/payload/tools", shape, true},
		{"turn_context", "/payload/user_instructions", text, false},
		{"turn_context", "/payload/developer_instructions", text, false},
		{"turn_context", "/payload/collaboration_mode/settings/developer_instructions", text, false},
		{"event_msg:thread_settings_applied", "/payload/thread_settings/collaboration_mode/settings/developer_instructions", text, false},
		{"world_state", "/payload/state/+/body", text, false},
		{"compacted", "/payload/replacement_history/-/content/-/text", wrapped, false},
		{"compacted", "/payload/replacement_history/-/tools", shape, true},
	}
}
