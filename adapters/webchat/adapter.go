// Package webchat parses the conversation archives that people download from
// Claude.ai and ChatGPT.
//
// Both are one document with a list of conversations, which is not followed but read
// when it is named. There are no edits in it: what was decided is what it tells.
//
// docs/adapters/webchat.md says what is known of the format, and how.
package webchat

import (
	"bytes"

	"github.com/memscribe/memscribe/core"
)

// Adapter knows the archives of one of the two.
type Adapter struct{ Name core.Tool }

// Tool names the tool.
func (a Adapter) Tool() core.Tool { return a.Name }

// Places are none: archives lie where somebody has put them.
func (Adapter) Places() []core.Place { return nil }

// Framing says that files are documents.
func (Adapter) Framing(core.Sample) core.Framing { return core.Document }

// NewParser returns a parser for one archive.
func (a Adapter) NewParser(core.StreamInfo) core.Parser { return &parser{tool: a.Name} }

// Detect judges by the members of the first conversation.
func (a Adapter) Detect(s core.Sample) core.Fit {
	head := bytes.TrimLeft(s.Head, " \t\r\n\x00\ufeff")
	if !bytes.HasPrefix(head, []byte("[")) && !bytes.HasPrefix(head, []byte("{")) {
		return core.NoFit
	}
	has := func(marks ...string) bool {
		for _, m := range marks {
			if !bytes.Contains(head, []byte(m)) {
				return false
			}
		}
		return true
	}
	switch {
	case a.Name == core.ClaudeAI && has(`"chat_messages"`, `"uuid"`, `"created_at"`):
		return core.NativeFit
	case a.Name == core.ChatGPT && has(`"mapping"`, `"create_time"`, `"author"`):
		return core.NativeFit
	}
	return core.NoFit
}
