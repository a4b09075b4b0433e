package adaptertest

import (
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Summary writes an event in a line, so that a test can be read.
func Summary(ev *core.Event) string {
	line := ""
	switch b := ev.Body.(type) {
	case *core.SessionStart:
		line = fmt.Sprintf("start %s %s %s%s", b.Cwd, b.Git.Branch, b.Model, b.ToolVersion)
	case *core.UserTurn:
		line = "turn " + b.Text.String() + images(b.Parts)
		if ev.Injected {
			line = "put " + b.Text.String()
		}
	case *core.AssistantTurn:
		line = "said " + b.Text.String()
		if ev.Injected {
			line = "put as assistant " + b.Text.String()
		}
		if u := b.Usage; u != nil {
			line += fmt.Sprintf(" [%d %d %d %d]", u.Input, u.Output, u.CacheRead, u.CacheCreation)
		}
	case *core.ToolCall:
		line = "call " + b.Name + " " + b.CallID
	case *core.ToolResult:
		line = "result " + b.CallID + resultSummary(b)
	case *core.FileEdit:
		line = fmt.Sprintf("edit %s %s %s +%d -%d", b.Tool, b.Diff.Path, b.Diff.Change, b.Diff.Added, b.Diff.Removed)
	case *core.Compaction:
		line = fmt.Sprintf("compaction of %d to %d: %s", b.Start, b.End, b.Summary.String())
	case *core.Rewind:
		line = fmt.Sprintf("rewind to %s, %d", b.ToEvent, b.ToSeq)
	case *core.Unknown:
		line = "unknown " + b.RawType
		if b.Bookkeeping {
			line = "known " + b.RawType
		}
		if b.Reason != "" {
			line += "unreadable"
		}
	}
	if ev.Thread != "" {
		line = ev.Thread + ": " + line
	}
	if on := ev.Strand; on != nil {
		line = fmt.Sprintf("strand %d: %s", on.No, line)
		if on.Voids != "" {
			line += fmt.Sprintf(" (voids %s)", on.Voids)
		}
	}
	if ev.CopyOf != "" {
		line += " (copy of " + ev.CopyOf + ")"
	}
	return strings.TrimRight(line, " ")
}

func images(parts []core.Part) string {
	var s strings.Builder
	for _, p := range parts {
		if p.Kind == core.ImagePart {
			s.WriteString(" <" + p.MediaType + ">")
		}
	}
	return s.String()
}

func resultSummary(b *core.ToolResult) string {
	s := ""
	if !b.OK {
		s += " failed"
	}
	if b.Spawned != "" {
		s += " spawned " + b.Spawned
	}
	s += verdict(b.Verdict)
	if !b.Reason.IsEmpty() {
		s += ": " + b.Reason.String()
	}
	return s + choices(b.Choices)
}

func verdict(v core.Verdict) string {
	switch v {
	case core.Approved:
		return " approved"
	case core.Rejected:
		return " rejected"
	default:
		return ""
	}
}

func choices(all []core.Choice) string {
	var s strings.Builder
	for _, c := range all {
		s.WriteString(" {" + c.Question)
		for _, o := range c.Options {
			s.WriteString(" " + o.Text)
			if o.Chosen {
				s.WriteString("*")
			}
		}
		s.WriteString("|" + c.Answer + "}")
	}
	return s.String()
}

// Short says what was said and done in an event, with the diff of an edit; nothing
// of bookkeeping.
func Short(ev *core.Event) string {
	switch b := ev.Body.(type) {
	case *core.UserTurn:
		if ev.Injected {
			return "put " + b.Text.String()
		}
		return "user " + b.Text.String()
	case *core.AssistantTurn:
		line := "says " + b.Text.String()
		if !b.Thinking.IsEmpty() {
			line += " thinks " + b.Thinking.String()
		}
		if b.Usage != nil {
			line += fmt.Sprintf(" %+v", *b.Usage)
		}
		return line
	case *core.ToolCall:
		return "call " + b.CallID + " " + b.Name
	case *core.ToolResult:
		line := fmt.Sprintf("result %s %v", b.CallID, b.OK)
		if b.Spawned != "" {
			line += " spawned " + b.Spawned
		}
		if b.Verdict != core.NoVerdict {
			line += verdict(b.Verdict) + ": " + b.Reason.String()
		}
		var chosen strings.Builder
		for _, c := range b.Choices {
			var options []string
			for _, o := range c.Options {
				options = append(options, fmt.Sprintf("{%s %t}", o.Text, o.Chosen))
			}
			fmt.Fprintf(&chosen, " choice %q %v %q", c.Question, options, c.Answer)
		}
		return line + chosen.String()
	case *core.FileEdit:
		return "edit " + b.CallID + " " + string(b.Diff.Change) + " " + b.Diff.Path + "\n" + b.Diff.Unified
	case *core.Compaction:
		return fmt.Sprintf("compaction %d-%d %s", b.Start, b.End, b.Summary)
	case *core.Rewind:
		return fmt.Sprintf("rewind %s %d", b.ToEvent, b.ToSeq)
	case *core.SessionEnd:
		return "end " + b.Reason
	case *core.Unknown:
		if !b.Bookkeeping {
			return "unknown " + b.RawType
		}
	}
	return ""
}
