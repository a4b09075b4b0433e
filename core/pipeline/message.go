package pipeline

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Messages returns the messages since the last call, in the order of reading. A message
// that is read again is returned again.
func (s *Set) Messages() []*core.Message {
	all := s.messages
	s.messages = nil
	return all
}

// collectMessage adds the message of an event to what Messages returns.
func (s *Stream) collectMessage(ev *core.Event) {
	var m core.Message
	switch b := ev.Body.(type) {
	case *core.UserTurn:
		if ev.Injected {
			return
		}
		m.Kind, m.Text = core.Asked, b.Text.String()
	case *core.AssistantTurn:
		m.Kind, m.Model = core.Said, b.Model
		if !ev.Injected {
			m.Text = b.Text.String()
		}
		if b.Usage != nil {
			usage := *b.Usage
			m.Usage, m.Response = &usage, b.MessageID
		}
	case *core.ToolCall:
		m.Kind, m.Text = core.Command, commandOf(b)
	default:
		return
	}
	if m.Usage == nil && strings.TrimSpace(m.Text) == "" {
		return
	}
	m.ID = core.NodeID("message", ev.Source, s.origin(ev))
	m.Source, m.Session, m.Thread, m.Seq, m.Time, m.Project = ev.Source, ev.Session, ev.Thread, ev.Seq, ev.Time, ev.Project
	m.Copied, m.File, m.At = ev.CopyOf != "", s.file, ev.At
	s.set.messages = append(s.set.messages, &m)
}

// origin returns what the id of a message is made from: the tool's id of the call or the
// record, else the record's content.
func (s *Stream) origin(ev *core.Event) string {
	if call, ok := ev.Body.(*core.ToolCall); ok && call.CallID != "" {
		return "call\x00" + ev.CallIdentity(call.CallID)
	}
	if id := ev.Identity(); id != "" {
		return ev.Name() + "\x00" + id
	}
	if s.rawID == "" {
		s.rawID = core.ContentID(s.raw)
	}
	s.messagesOfRecord++
	return s.rawID + "\x00" + strconv.Itoa(s.messagesOfRecord)
}

// commandOf returns the command of a call to a shell, else "". A call to a shell has an
// argument "command" or "cmd", as a string or a list of words, and no path.
func commandOf(call *core.ToolCall) string {
	args := call.Args.Value()
	if args.Kind() == jsondoc.String && (bytes.Contains(args.Body(), []byte("cmd")) || bytes.Contains(args.Body(), []byte("command"))) {
		var inner jsondoc.Doc // some clients store arguments as a JSON string
		if _, err := inner.Parse(args.AppendStr(nil)); err != nil {
			return ""
		}
		args = inner.Root()
	}
	var command jsondoc.Value
	for name, v := range args.Fields() {
		switch string(name.Body()) {
		case "command", "cmd":
			command = v
		case "path", "file_path", "filePath":
			return ""
		}
	}
	if command.Kind() == jsondoc.String {
		return command.Str()
	}
	var words []string
	for word := range command.Elems() {
		words = append(words, word.Str())
	}
	return strings.Join(words, " ")
}
