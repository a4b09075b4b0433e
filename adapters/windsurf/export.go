package windsurf

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// The conversation that a person downloads is Markdown:
//
//	# Cascade Chat Conversation
//
//	  Note: _This is purely the output of the chat conversation and does not contain …_
//
//	### User Input
//
//	what was typed
//
//	*Viewed [a.go](file:///w/a.go) *
//
//	### Planner Response
//
//	what was answered
//
//	*Edited relevant file*
//
// It has neither ids nor times, and says of a call only that it was made.
const exportTitle = "# Cascade Chat Conversation"

// isExport recognises an export by its title.
func isExport(head []byte) bool {
	const looked = 1 << 10
	s := strings.TrimLeft(strings.TrimPrefix(string(head[:min(len(head), looked)]), "\ufeff"), " \t\r\n")
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimRight(line, " \r") == exportTitle
}

// ReadsText implements [core.TextParser].
func (p *parser) ReadsText(record []byte) bool { return !p.stored && isExport(record) }

// said is a piece of an export.
type said struct {
	user bool
	text string
	call string // the tool, if it is a call; the text is then what was shown of it
}

// export reads a conversation. It is named after how it begins, and each piece after
// its place and what it says, so that an export made later adds what is new.
func (p *parser) export(s string) {
	all := pieces(strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n"))
	var begins []byte
	for _, x := range all[:min(len(all), 2)] {
		begins = append(append(begins, x.text...), 0)
	}
	p.Session = "export-" + core.ContentID(begins)
	p.send(p.Session, &core.SessionStart{})
	for i, x := range all {
		id := core.ContentID([]byte(p.Session + "\x00" + strconv.Itoa(i) + "\x00" + x.text))
		text := core.Plain(x.text)
		parts := []core.Part{stream.Text(text)}
		switch {
		case x.call != "":
			p.send(id, &core.ToolCall{CallID: id, Name: x.call, Args: core.RawString(x.text)})
		case x.user:
			p.send(id, &core.UserTurn{Text: text, Parts: parts})
		default:
			p.send(id, &core.AssistantTurn{Text: text, MessageID: id, Parts: parts})
		}
	}
}

// pieces cuts an export at the names of those who speak, and at what was done.
func pieces(lines []string) []said {
	var all []said
	var open []string
	user, begun := false, false
	end := func() {
		if text := strings.Trim(strings.Join(open, "\n"), "\n"); text != "" && begun {
			all = append(all, said{user: user, text: text})
		}
		open = open[:0]
	}
	for _, l := range lines {
		switch mark := strings.TrimRight(l, " "); {
		case mark == "### User Input", mark == "### Planner Response":
			end()
			user, begun = mark == "### User Input", true
		case begun && doneBy(l) != "":
			end()
			all = append(all, said{text: strings.Trim(l, "* "), call: doneBy(l)})
			user = false // the agent continues
		default:
			open = append(open, l)
		}
	}
	end()
	return all
}

// doneBy is the step that a line shows, by the name that it has in a transcript, or
// "".
func doneBy(line string) string {
	text, found := strings.CutPrefix(line, "*")
	if !found || !strings.HasSuffix(text, "*") {
		return ""
	}
	for _, step := range [...]struct{ shown, kind string }{
		{"Viewed [", "view_file"},
		{"Listed directory [", "list_directory"},
		{"Grep searched codebase", "grep_search"},
		{"Searched filesystem", "find"},
		{"Edited relevant file", "code_action"},
		{"User accepted the command `", "run_command"},
		{"Checked command status", "command_status"},
		{"Updated todo list", "todo_list"},
	} {
		if strings.HasPrefix(text, step.shown) {
			return step.kind
		}
	}
	return ""
}
