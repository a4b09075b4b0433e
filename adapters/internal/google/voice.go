// Package google reads what Gemini CLI and its fork Qwen Code both write: parts in the form of
// Google's API, the records of their tools, and the words that the clients put in a person's mouth.
//
// The two keep different logs. What is in them is the same:
//
//	content   a string, a part, or a list of strings and parts; see [Parts]
//	voice     whose words a text is; see [Judge]
//	edit      a call of write_file, replace or edit, its answer, and the diff
//	          that the client made for the screen; see [Files.Of]
//	question  a call that put questions or a plan before the person
//
// The evidence for each fact stands where it is used, with the version of the
// client: recorded, seen in the wild, or read in its source.
package google

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Voice says whose words a text of the user's role is. The API knows no other
// role for what a client itself puts in.
type Voice uint8

// The voices.
const (
	Person  Voice = iota // typed, or sent as a prompt by the person's own program
	Client               // put in by the client
	Context              // put in by the client, and tells where the work happens
	Command              // typed, but a command for the client, not for the model
	Summary              // what a compression left of the conversation
	Mixed                // a person's words with the client's around them; see [Unmix]
	Errand               // what the client asks a subagent of its own to do; see [Asked]
)

// Judge says whose words a text is, by how it begins. Body is the text as it is written in JSON.
func Judge(body []byte) Voice {
	b := trimLeft(body)
	if len(b) == 0 {
		return Person
	}
	if rest, ok := bytes.CutPrefix(b, []byte(`\u003c`)); ok { // rewritten by a program of another language
		b = append([]byte("<"), rest[:min(len(rest), maxTag)]...)
	}
	switch b[0] {
	case '<':
		return tagVoice(b, body)
	case '/':
		if isCommand(b) {
			return Command
		}
	case '-', 'B', 'H', 'I', 'S', 'T', 'U', 'Y', '[':
		if v := phraseVoice(b); v != Person {
			return v
		}
	}
	if bytes.Contains(b, []byte(reference)) {
		return Mixed
	}
	return Person
}

// reference opens what a client appends for the files that a prompt names with
// an "@" (source of Gemini CLI 0.6 to 0.56 and of Qwen Code).
const reference = `--- Content from referenced files ---`

// maxTag is more than the longest name of a tag.
const maxTag = 48

// tagVoice judges a text that begins with a tag: b is its beginning, with that tag as it is meant.
func tagVoice(b, whole []byte) Voice {
	end := 1
	for end < len(b) && end < maxTag && isTagByte(b[end]) {
		end++
	}
	switch string(b[1:end]) {
	case "session_context": // recorded 0.61.0
		return Context
	case "state_snapshot": // recorded 0.61.0
		return Summary
	case hookContext: // recorded 0.61.0: what hooks add, before the prompt or alone
		return afterHook(whole)
	case "qwen:user-prompt-submit-context", // wild, Qwen 0.21.13
		"qwen:session-start-context", // reported by another reader
		"system-reminder":            // source of Qwen Code
		return Client
	}
	return Person
}

// hookContext is the tag around what hooks add. The client escapes the signs of tags
// inside it (source).
const hookContext = "hook_context"

// afterHook judges a text that begins with what a hook added.
func afterHook(body []byte) Voice {
	_, after, _ := bytes.Cut(body, []byte("/"+hookContext))
	for _, end := range [...]string{">", `\u003e`} {
		rest, ok := bytes.CutPrefix(after, []byte(end))
		rest = trimLeft(rest)
		if !ok || len(rest) == 0 || bytes.Contains(rest[:min(len(rest), maxTag)], []byte(hookContext)) {
			continue // nothing, or what no client writes
		}
		if v := Judge(rest); v != Person {
			return v
		}
		return Mixed
	}
	return Client
}

// isTagByte reports whether a byte is in the name of a tag.
func isTagByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == ':'
}

// isCommand reports whether a text is a slash command: one word behind a slash, which no path is.
// The clients keep such texts out of titles and of resumed histories (source); when a prompt is
// passed on the command line, some versions send them to the model all the same (recorded:
// "/compact …" in Gemini CLI 0.61.0, "/compress" in Qwen Code 0.5.2).
func isCommand(b []byte) bool {
	word := b[1:]
	if i := bytes.IndexAny(word, " \\"); i >= 0 {
		word = word[:i]
	}
	if len(word) == 0 || word[0] < 'a' || word[0] > 'z' {
		return false
	}
	for _, c := range word {
		if !isTagByte(c) {
			return false
		}
	}
	return true
}

// phraseVoice judges a text by the sentences that the clients put in.
func phraseVoice(b []byte) Voice {
	for _, p := range [...]struct {
		begin string
		voice Voice
	}{
		{`I ran the following shell command:\n`, Client},                      // recorded 0.61.0: a line that begins with "!"
		{`This is the Gemini CLI. We are setting up the context`, Context},    // source, 0.6 to 0.28
		{`This is the Qwen Code. We are setting up the context`, Context},     // source
		{`- **Workspace Directories:**`, Client},                              // source, /dir add
		{`I'm currently working in the `, Client},                             // source, /dir add before 0.29
		{`Here is the user's editor context as a JSON object`, Client},        // source
		{`Here is a summary of changes in the user's editor context`, Client}, // source
		{`Background execution update:\n<background_output>`, Client},         // source
		{`System: Please continue.`, Client},                                  // wild 0.2x, source
		{`System: Potential loop detected.`, Client},                          // source
		{`[User message received during tool execution]: `, Mixed},            // source of Qwen Code
		{`User steering update:\n<user_input>`, Mixed},                        // source
		{`User hints:\n<user_input>`, Mixed},                                  // source
		// To subagents, whose words are in the session's file before 0.31.
		{`You have stopped calling tools without finishing.`, Client},                            // recorded 0.26.0, 0.61.0
		{`You have exceeded the maximum number of turns. You have one final chance`, Client},     // source
		{`You have exceeded the time limit. You have one final chance`, Client},                  // source
		{`Your task is to do a deep investigation of the codebase to find all relevant`, Errand}, // recorded 0.26.0
		{`Your task is to answer the following question about Gemini CLI:`, Errand},              // source
	} {
		if len(b) >= len(p.begin) && string(b[:len(p.begin)]) == p.begin {
			return p.voice
		}
	}
	return Person
}

// trimLeft drops white space from the beginning of a string as written in JSON.
func trimLeft(b []byte) []byte {
	for len(b) > 0 {
		switch {
		case b[0] == ' ':
			b = b[1:]
		case len(b) > 1 && b[0] == '\\' && (b[1] == 'n' || b[1] == 't' || b[1] == 'r'):
			b = b[2:]
		default:
			return b
		}
	}
	return b
}

// Unmix separates a person's words in a text from the client's around them. Either may be empty.
func Unmix(text string) (said, put string) {
	if strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "<"+hookContext+">") {
		if context, rest, ok := strings.Cut(text, "</"+hookContext+">"); ok {
			said, put = Unmix(strings.TrimLeft(rest, " \t\r\n"))
			return said, context + "</" + hookContext + ">" + put
		}
	}
	if inner, ok := strings.CutPrefix(strings.TrimLeft(text, "\n"), "[User message received during tool execution]: "); ok {
		return inner, ""
	}
	if before, after, ok := strings.Cut(text, "<user_input>\n"); ok && strings.HasPrefix(text, "User ") {
		if inner, rest, ok := strings.Cut(after, "\n</user_input>"); ok {
			return inner, before + rest
		}
	}
	if at := strings.Index(text, reference); at >= 0 {
		return strings.TrimRight(text[:at], "\n"), text[at:]
	}
	return text, ""
}

// Asked is what the model asked a subagent to do: an [Errand] has it between tags,
// as the call has it; any other text is all of it.
func Asked(text string) string {
	for _, tag := range [...]string{"objective", "question"} { // source, 0.9 to 0.36
		_, rest, ok := strings.Cut(text, "\n<"+tag+">\n")
		if at := strings.LastIndex(rest, "\n</"+tag+">"); ok && at >= 0 && strings.HasPrefix(text, "Your task is to ") {
			return rest[:at]
		}
	}
	return text
}

// IsReference reports whether a part of a prompt opens what the client appended
// for the files that the prompt names: neither it nor what follows is a person's.
func IsReference(body []byte) bool {
	return bytes.HasPrefix(trimLeft(body), []byte(reference))
}

// Workspace is the first workspace folder that a [Context] names, "" if none: where the client
// works. Later text of a Context holds names of files, so that only its beginning is looked at.
func Workspace(context jsondoc.Value) string {
	const far = 2048
	b := context.Body()
	b = b[:min(len(b), far)]
	for _, mark := range []string{`**Workspace Directories:**\n  - `, `working in the directory: `} { // recorded 0.61.0; source, 0.6 to 0.28
		_, after, ok := bytes.Cut(b, []byte(mark))
		if !ok {
			continue
		}
		if end := lineEnd(after); end < len(after) || len(b) < far {
			return string(jsondoc.Unquote(nil, after[:end]))
		}
	}
	return ""
}

// lineEnd is where the first line of a string ends, as written in JSON: a
// backslash of a Windows path is no escape for what follows it.
func lineEnd(b []byte) int {
	for i := 0; i+1 < len(b); i++ {
		if b[i] != '\\' {
			continue
		}
		if b[i+1] == 'n' {
			return i
		}
		i++
	}
	return len(b)
}
