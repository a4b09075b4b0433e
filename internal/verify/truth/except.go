package truth

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
)

// mintsOwn reports whether a client gives its calls other ids than the model
// did, which are the ones that the script knows, or none: then order and kind
// must do.
func mintsOwn(c *corpus.Case) bool {
	return c.Tool == core.Gemini || isNewVibe(c) || c.Tool == core.Cline && strings.HasPrefix(c.Version, "2.")
}

// isNewVibe reports whether a client is Mistral Vibe with the journal that it has since 3.0.
func isNewVibe(c *corpus.Case) bool { return c.Tool == core.Vibe && !c.Before("3.0") }

// forgets reports whether a client deletes from its store what a rewind took
// back.
func forgets(tool core.Tool) bool {
	return tool == core.Copilot || tool == core.OpenCode || tool == core.Kilo
}

// forget sets k.truth to what the transcripts can know. It leaves out what a client never wrote
// down, and what a rewind has deleted: whoever reads the transcript afterwards cannot know of
// it.
func (k *check) forget() {
	k.truth = *k.c.Truth
	if k.unwritten() {
		k.forgetSubagents()
		return
	}
	if isNewVibe(k.c) { // its own list of things to do is no call
		k.truth.ToolCalls = slices.DeleteFunc(slices.Clone(k.truth.ToolCalls), func(c call) bool { return c.Op == "todo" })
	}
	if k.leavesHelpers() {
		k.truth.Edits = slices.DeleteFunc(slices.Clone(k.truth.Edits), func(e corpus.Edit) bool {
			return e.Subagent && slices.ContainsFunc(k.truth.Unresolved, func(c call) bool { return c.ID == e.CallID })
		})
	}
	if k.leavesOut() {
		k.truth.Prompts = slices.Compact(slices.Clone(k.truth.Prompts))
	}
	if !k.summarised() && !k.brokenOff() && !k.leavesOut() && (!forgets(k.c.Tool) || k.truth.Rewinds() == 0) {
		return
	}
	k.truth.Edits = slices.DeleteFunc(slices.Clone(k.truth.Edits), func(e corpus.Edit) bool { return !k.written(e.CallID) })
	k.truth.ToolCalls = slices.DeleteFunc(slices.Clone(k.truth.ToolCalls), func(c call) bool { return !k.written(c.ID) })
	k.truth.Prompts = slices.DeleteFunc(slices.Clone(k.truth.Prompts), func(p corpus.Prompt) bool { return !k.written(p.Text) })
}

// unwritten reports whether what subagents called is in no transcript: before
// 0.37 the client wrote down what they said, at most, and one that began in the
// minute in which its session had begun got the file of that, which 0.34 to 0.36
// then wrote again without it.
func (k *check) unwritten() bool {
	return k.c.Tool == core.Gemini && k.c.Before("0.37") && !slices.ContainsFunc(k.r.Events(), func(e *event) bool { return e.ThreadID != "" && e.Event == "tool_call" })
}

// forgetSubagents removes the work of subagents from the truth, for tools that do
// not record it.
func (k *check) forgetSubagents() {
	k.truth.Edits = slices.DeleteFunc(slices.Clone(k.truth.Edits), func(e corpus.Edit) bool { return e.Subagent })
	k.truth.ToolCalls = slices.DeleteFunc(slices.Clone(k.truth.ToolCalls), func(c call) bool { return c.Subagent })
}

// unnamed reports whether a call's id is in no transcript. Of what a subagent
// called that was waited for, Qwen Code wrote down everything but that.
func (k *check) unnamed(id string) bool {
	return k.c.Tool == core.Qwen && k.c.Before("0.21") && !k.c.Before("0.11") && k.withSubagents() && !k.written(id)
}

// withSubagents reports whether the scenario has subagents.
func (k *check) withSubagents() bool {
	return k.c.Base() == "subagent_thread" || k.c.Base() == "subagents_parallel"
}

// summarised reports whether the client put a summary in the place of all that
// came before, so that the session begins with it. It does so when the model's
// window is full, which the script does not know of.
func (k *check) summarised() bool {
	if k.c.Tool != core.Continue || k.c.Base() != "unicode_and_large" || !k.c.Truth.Second() {
		return false
	}
	for _, e := range k.r.Events() {
		switch e.Event {
		case "user_turn", "assistant_turn":
			return false
		case "compaction":
			return true
		}
	}
	return false
}

// brokenOff reports whether the client was ended within a turn and writes a
// session down when a turn is over only; of Continue recorded from 1.5.11 to 1.5.47.
func (k *check) brokenOff() bool {
	if k.c.Tool == core.Hermes {
		return k.c.Before("0.18") && slices.Contains([]string{"interrupted", "killed"}, k.c.Base())
	}
	return k.c.Tool == core.Continue && k.c.Before("1.6") && slices.Contains([]string{"api_error", "interrupted", "killed"}, k.c.Base())
}

// leavesOut reports whether the client did not write down what the script is about.
// Hermes Agent 0.16 and 0.18 left out as many messages as "/retry" had taken back
// (not 0.17 and 0.19); and what a person says while a tool is at work it adds, since
// 0.18, to an answer that is written down by then.
func (k *check) leavesOut() bool {
	if k.c.Tool != core.Hermes {
		return false
	}
	switch k.c.Base() {
	case "terminal_retried":
		return k.c.Before("0.17") || !k.c.Before("0.18") && k.c.Before("0.19")
	case "terminal_guided":
		return !k.c.Before("0.18")
	}
	return false
}

// leavesHelpers reports whether the client ends with its answer while its subagents
// work in the background: what they had asked for then has no result.
func (k *check) leavesHelpers() bool {
	return k.c.Tool == core.Hermes && !k.c.Before("0.18") && k.c.Before("0.19") && k.withSubagents()
}

// takesCommands reports whether the client takes a command of its own for a
// prompt: so did Copilot CLI where it stood on the command line (recorded 1.0.34; no
// longer 1.0.57).
func (k *check) takesCommands() bool { return k.c.Tool == core.Copilot && k.c.Before("1.0.57") }

// written reports whether a string stands in one of the transcripts, as JSON would quote it.
func (k *check) written(s string) bool {
	quoted, err := json.Marshal(s)
	return err == nil && slices.ContainsFunc(k.r.Streams, func(st *stream) bool {
		return bytes.Contains(st.Input.Data, quoted[1:len(quoted)-1])
	})
}

// compactions counts those that the transcripts can show. The first script knows
// of them by the requests for a summary (these clients send two; Qwen Code since 0.21), and
// takes any "/compact" for one: Gemini CLI compresses in its terminal only.
func (k *check) compactions() int {
	switch n := k.truth.Compactions(); {
	case k.c.Tool == core.ClaudeCode && k.c.Base() == "auto_compaction" && k.compactsInSilence():
		return 0
	case k.summarised():
		return 1
	case k.c.Tool == core.Gemini && !k.atTerminal():
		return 0
	case k.c.Tool == core.Qwen && k.c.Before("0.21"):
		return n
	case k.c.Tool == core.Gemini, k.c.Tool == core.Qwen:
		return n / 2
	default:
		return n
	}
}

// compactsInSilence reports whether the client is a Claude Code that writes nothing
// down of a compaction that it does by itself: recorded of 1.0.60, 1.0.88, 1.0.90,
// 1.0.96 and 1.0.100, and not of 1.0.81, 1.0.106 and 1.0.109.
func (k *check) compactsInSilence() bool {
	return k.c.Before("1.0.81") || !k.c.Before("1.0.88") && k.c.Before("1.0.106")
}

// asRecorded returns a prompt as the client took it.
func (k *check) asRecorded(prompt string) string {
	if k.c.Tool == core.Cline && mintsOwn(k.c) {
		return strings.Join(strings.Fields(prompt), " ") // its command line takes one line
	}
	if k.c.Base() == "secrets" && (k.c.Tool == core.Gemini && k.c.Version == "0.11.3" || k.c.Tool == core.Qwen && k.c.Version == "0.5.2") {
		// These versions take what follows an "@" for a file and put a space before
		// it: that is what they recorded, and what the model saw.
		return strings.Replace(prompt, "@db.", " @db.", 1)
	}
	return prompt
}

// unknowable reports whether the transcripts do not say where in a file an edit was made, so
// that no diff can be held to the line. Each case names the version that was seen to do so, and
// why.
func (k *check) unknowable() bool {
	switch {
	case k.withSubagents() && k.unwritten():
		return true
	case k.c.Tool == core.ClaudeCode && k.c.Before("2.0.77"):
		// It wrote down the cell of a notebook alone: not what stands around it.
		return k.c.Base() == "file_ops" || k.c.Base() == "notebook_cells"
	case k.c.Tool == core.Cline && mintsOwn(k.c):
		// A session edits a file of another one, whose last line has no end: no result shows that.
		return k.c.Base() == "interleaved_arcs"
	case k.c.Tool == core.Gemini && k.c.Version == "0.11.3":
		// It began a new transcript when it resumed, and recorded no diffs.
		return k.c.Base() == "interleaved_arcs" || k.c.Base() == "resume_two_processes"
	case k.c.Tool == core.Gemini && k.c.Before("0.51") && !k.c.Before("0.36"):
		// It made the edits of one answer at once: each began with the file as it had
		// been, so that what one of them wrote is gone, and all report success.
		return slices.Contains([]string{"multi_edit_single_commit", "parallel_calls", "replace_all"}, k.c.Base())
	case k.c.Tool == core.Qwen && k.c.Before("0.21"):
		// Of what a subagent did it wrote down the calls, but not what they told the
		// model: where the strings of an edit stand, only what was read would say.
		return k.withSubagents()
	case k.c.Tool == core.OpenCode && k.c.Version == "0.5.29":
		// Two calls at once read one file and wrote it: both report success, and
		// what one of them wrote is gone.
		return k.c.Base() == "interleaved_arcs"
	case k.c.Tool == core.Continue && k.c.Truth.Second() && slices.Contains([]string{"broken_answers", "multi_edit_single_commit", "parallel_calls", "replace_all"}, k.c.Base()):
		// As with Gemini CLI: the edits of one answer begin with the file as it had been.
		// The first script has none of one file in one answer.
		return true
	case k.c.Tool == core.Continue && k.c.Before("1.5.47") && k.c.Base() == "broken_answers":
		// It kept the calls of an answer that broke off, and made them at once with
		// those of the next: the same edit twice. Recorded 1.5.26.
		return true
	case k.c.Tool == core.Pi && k.c.Before("0.61.0") && slices.Contains([]string{"multi_edit_single_commit", "parallel_calls", "replace_all"}, k.c.Base()):
		return true // the same; recorded 0.58.4, no longer 0.66.1
	case k.summarised(), k.brokenOff(), k.leavesOut(), k.leavesHelpers():
		// What made the files is gone.
		return true
	case k.c.Tool == core.OpenCode && k.c.Version == "1.2.27":
		// The revert put nothing back, but deleted what it reverted.
		return k.c.Base() == "rewind_compaction"
	}
	return false
}

// unseen lists files whose content the transcripts do not show: these
// versions wrote down the patch alone, and never read what it moves and deletes.
func (k *check) unseen() []string {
	patchOnly := k.c.Before("0.105") || k.c.Before("0.130") && !k.c.Before("0.110")
	if k.c.Tool == core.Codex && patchOnly && k.c.Base() == "file_ops" {
		return []string{"README.md", "src/format.js", "src/money.js"}
	}
	return nil
}

// unshown takes out of a text what the client read and wrote as it was, but never
// showed: the line ends of Windows, and the mark of a byte order.
func (k *check) unshown(text string) string {
	if !k.written("\r\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if k.c.Tool == core.Qwen && !k.written("\ufeff") {
		text = strings.TrimPrefix(text, "\ufeff")
	}
	return text
}

// unended takes the carriage returns out of a text where the client's own diffs
// leave them out: they show which lines changed, but not how these ended.
func (k *check) unended(text string) string {
	if k.c.Tool == core.OpenCode && k.c.Base() == "odd_files" && (k.c.Before("1.3") || !k.c.Before("1.14")) {
		// It takes a byte order mark off a text before anything is written down; 1.3 does not.
		return strings.TrimPrefix(text, "\ufeff")
	}
	if k.c.Tool == core.VSCode { // the editor keeps a byte order mark beside the text, and writes it down nowhere
		return oneEnd(strings.TrimPrefix(text, "\ufeff"))
	}
	if k.c.Tool == core.Cline && k.c.Base() == "odd_files" && k.c.Before("3.1") && text != "" { // it shows neither how a line ends nor whether the last one does
		text = strings.TrimSuffix(text, "\n") + "\n"
	}
	if k.c.Base() == "odd_files" && (k.c.Tool == core.Gemini || k.c.Tool == core.Qwen) {
		return k.unshown(text)
	}
	if k.c.Tool == core.Kilo || k.c.Tool == core.Cline && !mintsOwn(k.c) {
		return strings.ReplaceAll(text, "\r\n", "\n")
	}
	return text
}

// oneEnd returns a text with line ends of both kinds as Visual Studio Code knows it: the
// editor makes them all of the kind that most have when it opens a file, before it
// writes anything down of it (recorded 1.139.1).
func oneEnd(text string) string {
	all, returns := strings.Count(text, "\n"), strings.Count(text, "\r\n")
	switch {
	case returns == 0 || returns == all:
		return text
	case 2*returns > all:
		return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
	default:
		return strings.ReplaceAll(text, "\r\n", "\n")
	}
}

// endless reports whether the client may keep from its transcript how the lines of a
// text end that was there before the session: it shows them without carriage
// returns, in reads and in edits. What was written since, it shows as it is.
func (k *check) endless(text string) bool {
	return k.c.Tool == core.ClaudeCode && strings.Contains(text, "\r\n")
}
