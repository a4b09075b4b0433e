package specstory

import (
	"errors"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// parser reads the one record of a history.
type parser struct {
	stream.Base

	place  int // of the piece
	isUser bool
	model  string
	time   core.Time
	text   []string // that is open
}

// ReadsText implements [core.TextParser].
func (*parser) ReadsText(record []byte) bool { return isHistory(record) }

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	_, isCut := errors.AsType[*core.OverLimit](rec.Err)
	if rec.Doc != nil || isCut || !isHistory(rec.Bytes) {
		if p.Begin(rec, send) {
			p.Unknown(stream.Head{}, "json")
		}
		return
	}
	p.BeginText(rec, send)
	p.place, p.isUser, p.model, p.time, p.text = 0, false, "", core.Time{}, nil
	text := strings.ReplaceAll(string(rec.Bytes), "\r\n", "\n")
	p.open(text)
	p.said(text)
}

// open begins the session, which the second comment names:
//
//	<!-- Claude Code Session a9555788-… (2026-07-01 12:53:16Z) -->
func (p *parser) open(text string) {
	var at core.Time
	p.Session = ""
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "_**") {
			break
		}
		_, named, found := strings.Cut(line, " Session ")
		if !found || !strings.HasPrefix(line, "<!-- ") {
			continue
		}
		name, rest, _ := strings.Cut(named, " ")
		p.Session = name
		at = moment(strings.TrimSuffix(rest, " -->"))
		break
	}
	if p.Session == "" {
		head, _, _ := strings.Cut(text, "\n_**")
		p.Session = "specstory-" + core.ContentID([]byte(head))
	}
	p.Send(stream.Head{ID: p.Session, Time: at}, &core.SessionStart{})
}

// moment reads a time in brackets, "(2026-07-01 12:53:16Z)": its last two words, since a
// model may stand before them. Seconds may be missing.
func moment(s string) core.Time {
	words := strings.Fields(strings.Trim(s, "()"))
	if len(words) < 2 {
		return core.Time{}
	}
	day, clock := words[len(words)-2], words[len(words)-1]
	if strings.Count(clock, ":") == 1 {
		clock = strings.TrimSuffix(clock, "Z") + ":00Z"
	}
	if !strings.HasSuffix(clock, "Z") {
		return core.Time{} // of an unknown zone
	}
	return core.ParseTime(day + "T" + clock)
}

// said reads the pieces: a line names who speaks, and what is said follows, with calls
// and thoughts in elements of their own. What looks like such a line within one of these
// elements, or within code, is what somebody has quoted.
func (p *parser) said(text string) {
	inside, begun := "", false
	var element []string
	for line := range strings.SplitSeq(text, "\n") {
		role, details, isHead := speaker(line)
		switch {
		case inside != "":
			element = append(element, line)
			if strings.HasSuffix(strings.TrimRight(line, " "), "</"+inside+">") {
				p.element(inside, element)
				inside, element = "", nil
			}
		case isHead:
			p.end()
			begun = true
			p.isUser, p.time, p.model = role == "User", moment(details), modelIn(details)
		case !begun:
		case !p.isUser && elementOf(line) != "":
			p.end()
			inside = elementOf(line)
			element = []string{line}
			if strings.HasSuffix(line, "</"+inside+">") {
				p.element(inside, element)
				inside, element = "", nil
			}
		default:
			p.text = append(p.text, line)
		}
	}
	if inside != "" {
		p.element(inside, element)
	}
	p.end()
}

// speaker reads the line that names who speaks: _**Agent (model 2026-07-01 12:53:22Z)**_.
func speaker(line string) (role, details string, ok bool) {
	line = strings.TrimRight(line, " ")
	inner, isOpen := strings.CutPrefix(line, "_**")
	inner, isClosed := strings.CutSuffix(inner, "**_")
	role, details, _ = strings.Cut(inner, " (")
	switch role {
	case "User", "Agent", "Assistant":
		return role, strings.TrimSuffix(details, ")"), isOpen && isClosed
	}
	return "", "", false
}

// modelIn is the model that the line names: what stands before the time, unless that is
// the mode of an editor's agent, or says that a subagent speaks.
func modelIn(details string) string {
	name, _, _ := strings.Cut(details, " ")
	if name == "mode" || strings.HasSuffix(name, ",") || strings.Trim(name, "0123456789-") == "" {
		return ""
	}
	return name
}

// elementOf is the element that a line opens.
func elementOf(line string) string {
	for _, name := range [...]string{"tool-use", "think"} {
		if strings.HasPrefix(line, "<"+name+" ") || strings.HasPrefix(line, "<"+name+">") {
			return name
		}
	}
	return ""
}

// head is the head of the next piece, which is named after its place.
func (p *parser) head() stream.Head {
	p.place++
	return stream.Head{ID: core.ContentID([]byte(p.Session + "\x00" + strconv.Itoa(p.place))), Time: p.time}
}

// element tells a call, or a thought. Of a call it is not known what came of it: what is
// shown is made for people.
func (p *parser) element(name string, lines []string) {
	h, text := p.head(), strings.Join(lines, "\n")
	if name == "tool-use" {
		_, rest, _ := strings.Cut(lines[0], `data-tool-name="`)
		tool, _, _ := strings.Cut(rest, `"`)
		p.Send(h, &core.ToolCall{CallID: h.ID, Name: tool, Args: core.RawString(text)})
		return
	}
	p.Send(h, &core.AssistantTurn{MessageID: h.ID, Model: p.model, Parts: []core.Part{{Kind: core.ThinkingPart, Text: core.Plain(text)}}})
}

// end tells what was said until here. Lines that part pieces are none of it.
func (p *parser) end() {
	text := strings.Trim(strings.Join(p.text, "\n"), "\n ")
	p.text = p.text[:0]
	for trimmed := ""; trimmed != text; {
		trimmed = text
		text = strings.Trim(strings.TrimSuffix(text, "\n---"), "\n ")
		text = strings.Trim(strings.TrimPrefix(text, "---\n"), "\n ")
	}
	if text == "" || text == "---" {
		return
	}
	h, said := p.head(), core.Plain(text)
	if !p.isUser {
		p.Send(h, &core.AssistantTurn{Text: said, MessageID: h.ID, Model: p.model, Parts: []core.Part{{Kind: core.TextPart, Text: said}}})
		return
	}
	h.Injected = isInjected(text)
	p.Said(h, said)
}

// isInjected reports whether a client put words in the person's place, as Claude Code
// does: the only ones that published histories show.
func isInjected(text string) bool {
	for _, mark := range [...]string{"[Request interrupted by user", "<command-message>", "<command-name>", "<local-command-", "<system-reminder>", "<task-notification>", "Base directory for this skill: ", "Caveat: The messages below"} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}
