package truth

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
)

// calls compares the calls, their failures and the compactions with the script. A call is known
// by the id that the model gave it; where the client mints its own, only the numbers are
// compared.
func (k *check) calls() {
	called, answered, failed, compacted := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range k.r.Events() {
		switch e.Event {
		case "tool_call":
			called[e.Body.CallID] = true
		case "tool_result":
			answered[e.Body.CallID] = true
			if !e.Body.OK {
				failed[e.Body.CallID] = true
			}
		case "compaction":
			compacted[e.Identity()] = true
		}
	}
	sure := !isNewVibe(k.c) // of what failed the model hears in words, and its ids are not the transcript's
	for _, c := range k.truth.ToolCalls {
		switch {
		case c.ID == "", mintsOwn(k.c), k.unnamed(c.ID):
		case !called[c.ID]:
			k.problem("no call %s of %s", c.ID, c.Tool)
		case k.misjudged(c):
			sure = false
		case !answered[c.ID] && !slices.ContainsFunc(k.c.Truth.Unresolved, func(u call) bool { return u.ID == c.ID }):
			k.problem("no result of call %s of %s", c.ID, c.Tool)
		case answered[c.ID] && failed[c.ID] != c.IsError:
			k.problem("call %s of %s (%s) failed: %t, want %t", c.ID, c.Tool, c.Op, failed[c.ID], c.IsError)
		}
	}
	// What a person refused or stopped, the model may never hear of, but the client
	// writes it down.
	stopped := 0
	if mintsOwn(k.c) && k.atTerminal() {
		stopped = len(k.c.Truth.Unresolved)
	}
	if k.c.Tool == core.ClaudeCode && strings.HasSuffix(k.c.Base(), "_rewound") { // and then took back
		for _, c := range k.c.Truth.Unresolved {
			if failed[c.ID] {
				stopped++
			}
		}
	}
	if want := k.c.Truth.Failures + stopped; sure && len(failed) != want {
		k.problem("%d calls failed, want %d", len(failed), want)
	}
	if want := len(k.truth.ToolCalls) + stopped; mintsOwn(k.c) && len(called) != want {
		k.problem("%d calls, want %d", len(called), want)
	}
	if want := k.compactions(); len(compacted) != want {
		k.problem("%d compactions, want %d", len(compacted), want)
	}
}

// misjudged reports whether the script took a call for a success that the
// transcript shows to be none.
func (k *check) misjudged(c call) bool {
	if c.IsError {
		return false
	}
	refused := func(e corpus.Edit) bool { return e.CallID == c.ID && !e.Applied }
	if slices.ContainsFunc(k.truth.Edits, refused) {
		return true // what it was told, it has from its own request
	}
	if k.c.Tool == core.Qwen { // tells the model in words only
		return k.c.Base() == "tool_failure" && (c.Op == "bash" || c.Op == "read") || k.c.Base() == "memory_files" && c.Op == "read" || slices.Contains([]string{"interrupted", "mcp_tools"}, k.c.Base()) && c.Op == "bash"
	}
	inWords := []core.Tool{core.OpenCode, core.Kilo, core.Pi, core.Copilot, core.Cline, core.Continue, core.Grok, core.OpenHands, core.Vibe}
	if slices.Contains(inWords, k.c.Tool) && !k.truth.Second() && (c.Op == "bash" || c.Op == "read") {
		return true // these tell the model of a failure in words only
	}
	if k.c.Tool == core.Hermes { // of what was broken off it tells the model, when it asks again, and writes nothing down
		return k.c.Base() == "interrupted" && c.Op == "bash"
	}
	if k.c.Tool == core.VSCode { // tells the model in words how a command ended
		return slices.Contains([]string{"tool_failure", "permission_denied", "parallel_calls", "interrupted"}, k.c.Base()) && c.Op == "bash"
	}
	if k.c.Tool == core.OpenCode && strings.HasSuffix(k.c.Scenario, "-refused_unread") {
		return c.Op == "bash" // there was nothing to commit
	}
	if k.c.Tool == core.Cline || k.c.Tool == core.Continue { // read what they were not allowed to write, or what is too large
		return k.c.Base() == "unicode_and_large" && c.Op == "read"
	}
	return k.c.Tool == core.Codex && k.misjudgedByCodex(c)
}

// misjudgedByCodex reports whether Codex itself calls a failed call a success, so
// that the transcript cannot tell.
func (k *check) misjudgedByCodex(c call) bool {
	if c.Op == "served" {
		// what a server says, the client tells the model without saying that it is an error
		return true
	}
	switch k.c.Base() {
	case "permission_denied":
		return true // "patch rejected: …", "failed in sandbox: …"
	case "interrupted", "appserver_fork_interrupt", "terminal_stopped":
		return c.Op == "bash" // "aborted by user"
	case "killed":
		return c.Op == "bash" // no result was ever written
	case "multi_edit_single_commit":
		return c.Op == "todo" && c.Tool == "exec" // "tools.update_plan is not a function"
	}
	return false
}
