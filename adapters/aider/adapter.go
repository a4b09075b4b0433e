// Package aider reads the chat histories of aider.
//
// A history is Markdown, one file for a repository, to which every session is
// appended:
//
//	# aider chat started at 2026-08-01 10:00:00
//
//	#### what was typed
//
//	what was answered, with the edits as blocks in it
//
//	> Applied edit to src/a.go
//	> Commit 672ae42 feat: what was done
//
// It has neither ids nor calls, and of times only when a session began, on a clock of
// unknown zone.
//
// docs/adapters/aider.md says what is known of the format, and how.
package aider

import (
	"bytes"
	"path"
	"strings"

	"github.com/memscribe/memscribe/core"
)

const (
	fileName = ".aider.chat.history.md"
	begins   = "# aider chat started at "
	onPage   = `class="chat-transcript"` // of sessions that aider's own site shows
)

// Adapter knows aider.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Aider }

// Places are none: histories lie in the repositories, and are read where they are
// named.
func (Adapter) Places() []core.Place { return nil }

// Framing says that a history is one piece.
func (Adapter) Framing(core.Sample) core.Framing { return core.Document }

// NewParser returns a parser for one history.
func (Adapter) NewParser(core.StreamInfo) core.Parser { return &parser{} }

// Detect judges by the line that begins a session, or by the name.
func (Adapter) Detect(s core.Sample) core.Fit {
	switch {
	case hasLine(s.Head, begins):
		return core.NativeFit
	case isPage(s.Head):
		return core.ShapeFit
	case path.Base(strings.ReplaceAll(s.Path, `\`, "/")) == fileName:
		return core.PathFit
	}
	return core.NoFit
}

// hasLine reports whether a line of a text begins so.
func hasLine(text []byte, beginning string) bool {
	return bytes.HasPrefix(text, []byte(beginning)) || bytes.Contains(text, []byte("\n"+beginning))
}

// isPage reports whether a text is a page that shows a session.
func isPage(text []byte) bool {
	return bytes.Contains(text, []byte(onPage)) && hasLine(text, userMark)
}
