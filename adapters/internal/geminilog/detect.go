package geminilog

import (
	"bytes"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Detect judges whether a file is a conversation in this form: a log of lines, or
// the beginning of a document.
func Detect(s core.Sample) core.Fit {
	head := bytes.TrimLeft(s.Head, " \t\r\n\x00")
	if fit := headFit(head, s); fit > core.NoFit {
		return fit
	}
	best := core.NoFit
	var e entry
	if bytes.Contains(head, []byte(`"clientHistory"`)) {
		if v := stream.Parsed(new(jsondoc.Doc), head); v.Exists() {
			return e.fit(v)
		}
	}
	for _, v := range s.Records() {
		if best = max(best, e.fit(v)); best == core.NativeFit {
			break
		}
	}
	return best
}

// headFit judges a document that may be only a beginning: one that
// continues over several lines, or one long line.
func headFit(head []byte, s core.Sample) core.Fit {
	if isSaved(head) {
		return core.ShapeFit
	}
	if len(head) == 0 || head[0] != '{' {
		return core.NoFit
	}
	if stream.FirstLine(s).Exists() {
		return core.NoFit
	}
	has := func(name string) bool { return bytes.Contains(head, []byte(`"`+name+`"`)) }
	switch {
	case has("sessionId") && has("projectHash") && (has("startTime") || has("messages")):
		return core.NativeFit
	case has("id") && has("timestamp") && hasMember(head, "type", "gemini"): // one long message
		return core.NativeFit
	}
	return core.NoFit
}

// isSaved reports whether a document begins as a checkpoint does: with a list of contents, in the
// order in which the client makes them, or under "history" (source, 0.6 to 0.61; recorded 0.61.0).
func isSaved(head []byte) bool {
	const far = 512
	begin := string(bytes.Join(bytes.Fields(head[:min(len(head), far)]), nil))
	if rest, ok := strings.CutPrefix(begin, `{"history":`); ok {
		begin = rest
	}
	return strings.HasPrefix(begin, `[{"role":"user","parts":[`) || strings.HasPrefix(begin, `[{"role":"model","parts":[`)
}

// IsSaved reports whether a document is a checkpoint: contents that were saved under
// a name, or before a call that changes a file.
func IsSaved(root jsondoc.Value) bool {
	return root.Kind() == jsondoc.Array && isContent(root) || isContent(root.Get("history")) || isContent(root.Get("clientHistory"))
}

// hasMember reports whether a member of this name has this string.
func hasMember(b []byte, name, value string) bool {
	return bytes.Contains(b, []byte(`"`+name+`":"`+value+`"`)) || bytes.Contains(b, []byte(`"`+name+`": "`+value+`"`))
}

// fit judges one record. A name that other tools use too needs a second witness.
func (e *entry) fit(v jsondoc.Value) core.Fit {
	e.read(v)
	switch {
	case isContent(e.contents) && e.history.Exists():
		return core.ShapeFit // of a checkpoint before a call
	case e.session.Kind() == jsondoc.String && e.hash.Kind() == jsondoc.String && (e.start.Exists() || e.messages.Exists()):
		return core.NativeFit
	case e.set.Kind() == jsondoc.Object && e.set.Get("messages").Kind() == jsondoc.Array:
		return core.NativeFit
	case e.set.Kind() == jsondoc.Object && v.Len() == 1, e.rewind.Kind() == jsondoc.String && v.Len() == 1:
		return core.ShapeFit
	case e.session.Exists() || v.Get("uuid").Exists() || v.Get("message").Exists():
		return core.NoFit // of Claude Code, or Qwen Code
	case e.id.Kind() != jsondoc.String || !e.time.Exists() || !e.content.Exists():
		return core.NoFit
	case e.kind.Is("gemini"):
		return core.NativeFit
	case e.kind.Is("user"), e.kind.Is("info"):
		return core.ShapeFit
	}
	return core.NoFit
}

// Framing says whether a conversation is a document, which its content tells before its name: some
// collections keep documents under the names of logs. The client's own reader does the same.
func Framing(s core.Sample) core.Framing {
	head := bytes.TrimLeft(s.Head, " \t\r\n\x00")
	line, rest, more := bytes.Cut(head, []byte("\n"))
	switch first := string(bytes.TrimSpace(line)); {
	case strings.HasSuffix(s.Path, ".json"), first == "{", first == "[":
		return core.Document
	case strings.HasSuffix(s.Path, ".jsonl"), len(head) == 0:
		return core.Lines
	}
	var doc jsondoc.Doc
	if _, err := doc.Parse(line); err != nil {
		if !more && headFit(head, s) > core.NoFit {
			return core.Document // the beginning of one long line
		}
		return core.Lines
	}
	root := doc.Root()
	if len(bytes.TrimSpace(rest)) == 0 && (root.Get("messages").Exists() || root.Kind() == jsondoc.Array) {
		return core.Document
	}
	return core.Lines
}

// IsSession reports whether a path is that of a session, below "chats".
func IsSession(file string) bool {
	ext := path.Ext(file)
	return (ext == ".json" || ext == ".jsonl") && InFolder(file, "chats")
}

// InFolder reports whether a path leads through a folder of this name.
func InFolder(file, folder string) bool {
	return strings.Contains("/"+path.Dir(file)+"/", "/"+folder+"/")
}
