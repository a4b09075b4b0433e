package cursor

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// What Cursor writes for people to read is text: the file that a conversation is
// exported to, and the transcripts of its first agents.
//
//	# Title                                              user:
//	_Exported on <when> from Cursor (<version>)_         <user_query>
//	                                                     what was typed
//	---                                                  </user_query>
//
//	**User**                                             A:
//	                                                     what was answered
//	what was typed                                       [Tool call] Shell
//	                                                       command: ls
//	---                                                  [Tool result] Shell
//
//	**Cursor**

// ReadsText implements [core.TextParser].
func (*parser) ReadsText(record []byte) bool { return isText(record) }

// isText recognises both by their beginnings.
func isText(head []byte) bool {
	const looked = 2 << 10
	s := strings.TrimLeft(strings.TrimPrefix(string(head[:min(len(head), looked)]), "\ufeff"), " \t\r\n")
	return isExport(s) || opens(s) == asUser
}

func isExport(s string) bool {
	title, rest, _ := strings.Cut(s, "\n")
	return strings.HasPrefix(title, "# ") && exportedBy(rest) != ""
}

// exportedBy is the version in the line below a title, or "".
func exportedBy(s string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(s, "\r\n"), "\n")
	if !strings.HasPrefix(line, "_Exported on ") {
		return ""
	}
	_, version, _ := strings.Cut(line, " from Cursor (")
	version, _, _ = strings.Cut(version, ")")
	return version
}

// text reads either.
func (p *parser) text(s string) {
	s = strings.TrimPrefix(strings.ReplaceAll(s, "\r\n", "\n"), "\ufeff")
	if isExport(strings.TrimLeft(s, " \t\n")) {
		p.exports(s)
		return
	}
	p.plain(s)
}

// message is one of an export.
type message struct {
	user bool
	text string
}

// exports reads the conversations in a file; people put several into one.
func (p *parser) exports(s string) {
	lines := strings.Split(s, "\n")
	begins := -1
	for i := range lines {
		if !strings.HasPrefix(lines[i], "# ") || exportedBy(strings.Join(lines[i+1:min(len(lines), i+3)], "\n")) == "" {
			continue
		}
		if begins >= 0 {
			p.export(lines[begins:i])
		}
		begins = i
	}
	p.export(lines[begins:])
}

// export reads one conversation. It has no ids: it is named after its title and
// what was typed first, so that an export made later is the same.
func (p *parser) export(lines []string) {
	messages := messagesOf(lines)
	name := lines[0]
	if len(messages) > 0 {
		name += "\n" + messages[0].text
	}
	p.Session = "export-" + core.ContentID([]byte(name))
	version := exportedBy(strings.Join(lines[1:min(len(lines), 3)], "\n"))
	p.Send(stream.Head{ID: p.Session}, &core.SessionStart{ToolVersion: version})
	for i, m := range messages {
		h, text := stream.Head{ID: p.Session + "/" + strconv.Itoa(i+1)}, core.Plain(m.text)
		if m.user {
			p.heard(h, text, []core.Part{stream.Text(text)})
			continue
		}
		p.Says(h, "", text)
	}
}

// messagesOf cuts an export at the names of those who speak. A name counts behind
// a rule only: answers have rules and bold words of their own.
func messagesOf(lines []string) []message {
	var out []message
	from, user := -1, false
	last := "" // line that is not blank
	end := func(to int) {
		if from >= 0 {
			out = append(out, message{user, strings.Trim(strings.Join(lines[from:to], "\n"), "\n")})
		}
	}
	rule := 0
	for i, l := range lines {
		if (l == "**User**" || l == "**Cursor**") && last == "---" {
			end(rule)
			from, user = i+1, l == "**User**"
		}
		if strings.TrimSpace(l) != "" {
			last = l
			if l == "---" {
				rule = i
			}
		}
	}
	end(len(lines))
	return out
}

// role is who begins to speak in a line of a transcript.
type role uint8

const (
	asNobody role = iota
	asUser
	asAgent
)

// opens is who speaks from a line on.
func opens(s string) role {
	line, _, _ := strings.Cut(s, "\n")
	switch strings.TrimRight(line, " \r") {
	case "user:":
		return asUser
	case "assistant:", "A:":
		return asAgent
	}
	return asNobody
}

// plain reads a transcript in text. As in those of lines of JSON, no call has a
// result that says whether it succeeded.
func (p *parser) plain(s string) {
	lines := strings.Split(s, "\n")
	from, who := -1, asNobody
	end := func(to int) {
		if from < 0 {
			return
		}
		p.line++
		h := stream.Head{ID: p.Own() + "/" + strconv.Itoa(p.line)}
		if who == asAgent {
			p.answers(h, lines[from:to])
			return
		}
		text := core.Plain(strings.Trim(strings.Join(lines[from:to], "\n"), "\n"))
		p.heard(h, text, []core.Part{stream.Text(text)})
	}
	for i, l := range lines {
		if w := opens(l); w != asNobody {
			end(i)
			from, who = i+1, w
		}
	}
	end(len(lines))
}

// answers reads what the agent said, thought and called, in its order.
func (p *parser) answers(h stream.Head, lines []string) {
	turn, calls := &core.AssistantTurn{MessageID: h.ID}, 0
	say := func(text, thought string) {
		if text = strings.Trim(text, "\n"); text != "" {
			turn.Text = core.Plain(text)
			turn.Parts = []core.Part{{Kind: core.TextPart, Text: turn.Text}}
		}
		if thought != "" {
			turn.Thinking = core.Plain(thought)
		}
		if text != "" || thought != "" {
			p.Send(h, turn)
			turn = &core.AssistantTurn{MessageID: h.ID}
		}
	}
	for from := 0; from < len(lines); {
		mark, first := marked(lines[from])
		to := from + 1
		for to < len(lines) && belongs(mark, lines[to]) {
			to++
		}
		body := strings.Trim(first+"\n"+dedent(lines[from+1:to]), "\n")
		switch mark {
		case "":
			say(strings.Join(lines[from:to], "\n"), "")
		case "[Thinking]":
			say("", body)
		case "[Tool call]":
			calls++
			p.Send(h, &core.ToolCall{CallID: h.ID + "/" + strconv.Itoa(calls), Name: first, Args: p.textArgs(dedent(lines[from+1 : to]))})
		default:
			p.Known(h, "tool result")
		}
		from = to
	}
}

// marked splits a line into the mark that it begins with and the rest.
func marked(line string) (mark, rest string) {
	for _, m := range [...]string{"[Thinking]", "[Tool call]", "[Tool result]"} {
		if rest, found := strings.CutPrefix(line, m); found {
			return m, strings.TrimSpace(rest)
		}
	}
	return "", ""
}

// belongs reports whether a line continues with what a mark began: what is indented.
// What the agent says continues until the next mark.
func belongs(mark, line string) bool {
	if mark == "" {
		m, _ := marked(line)
		return m == ""
	}
	return line == "" || line[0] == ' ' || line[0] == '\t'
}

// dedent takes off two columns.
func dedent(lines []string) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimPrefix(strings.TrimPrefix(l, "\t"), "  ")
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

// textArgs are the arguments of a call: JSON, or lines of names and values that
// are kept as they stand.
func (p *parser) textArgs(body string) core.Raw {
	b := []byte(body)
	if n, err := p.args.Parse(b); err == nil && n == len(b) {
		return core.RawValue(p.args.Root())
	}
	return core.RawBytes(b)
}
