package kimi

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// answered reads the result of a call, and the edit that it made.
func (p *parser) answered(h stream.Head, id string, result jsondoc.Value) {
	made := p.calls.Take(id)
	body := &core.ToolResult{
		CallID: id, OK: !stream.Member(result, "isError", "is_error").Bool(), Output: core.RawValue(result.Get("output")),
		Spawned: made.spawned, Verdict: made.verdict,
	}
	p.Send(h, body)
	var args jsondoc.Value
	if _, err := p.args.Parse(made.args); err == nil {
		args = p.args.Root()
	}
	if made.name == "Bash" || made.name == "Shell" {
		p.files.Ran(args.Get("command").Str())
	}
	if body.OK {
		p.Edit(h, id, made.name, p.changed(made.name, args, result))
	}
}

// changed is what a call that succeeded did to a file. Reads tell what files hold.
func (p *parser) changed(tool string, args, result jsondoc.Value) core.Diff {
	file := p.Resolve(args.Get("path").Str())
	if file == "" {
		return core.Diff{}
	}
	switch tool {
	case "Read":
		p.wasRead(file, result)
	case "Edit":
		return p.replaced(file, args)
	case "ReadFile":
		p.legacyRead(file, result)
	case "StrReplaceFile":
		return p.legacyEdited(file, nil, args, result)
	case "Write", "WriteFile":
		content := args.Get("content").Str()
		if args.Get("mode").Is("append") {
			return p.appended(file, content)
		}
		if tool == "WriteFile" {
			return p.legacyEdited(file, &content, args, result)
		}
		return p.files.Write(file, p.written(content, result))
	}
	return core.Diff{}
}

// replaced is the diff of one replacement. The client shows files whose lines all
// end with CR LF without the CR, and puts it back.
func (p *parser) replaced(file string, args jsondoc.Value) core.Diff {
	before, after, all := args.Get("old_string").Str(), args.Get("new_string").Str(), args.Get("replace_all").Bool()
	text, ok := p.files.Text(file)
	switch rest, marked := strings.CutPrefix(text, byteOrderMark); {
	case ok && isCRLF(text):
		before, after = edit.CRLF(before), edit.CRLF(after)
	case ok && marked: // which the client drops
		if changed, found := edit.Replace(rest, before, after, all); found {
			d := p.files.Write(file, changed)
			d.Old, d.New = &before, &after
			return d
		}
	}
	return p.files.Replace(file, before, after, all)
}

// appended is the diff of text that was put behind the end of a file.
func (p *parser) appended(file, content string) core.Diff {
	if text, ok := p.files.Sure(file); ok {
		return p.files.Write(file, text+content)
	}
	p.files.Forget(file)
	return edit.Replaced(file, "", content)
}

// written is the text that a call has written: as the result counts its bytes.
func (p *parser) written(content string, result jsondoc.Value) string {
	_, rest, ok := strings.Cut(result.Get("output").Str(), "Wrote ")
	count, _, _ := strings.Cut(rest, " ")
	if n, err := strconv.Atoi(count); ok && err == nil && n != len(content) && n == len(edit.CRLF(content)) {
		return edit.CRLF(content)
	}
	return content
}

// wasRead takes in what a file holds, if it was shown whole: a number and a tab
// before each line, and a note that says so. How the last line ends is not shown.
func (p *parser) wasRead(file string, result jsondoc.Value) {
	note := result.Get("note").Str()
	for _, sign := range []string{"starting from line 1.", "Requested range complete.", "End of file reached."} {
		if !strings.Contains(note, sign) {
			return
		}
	}
	for _, sign := range []string{"carriage-return", "Detected file encoding", "Lossy"} {
		if strings.Contains(note, sign) {
			return
		}
	}
	text, ok := edit.Unnumbered(result.Get("output").Str()+"\n", "\t")
	held, known := p.files.Sure(file)
	if ok && (!known || strings.TrimSuffix(edit.LF(held), "\n") != strings.TrimSuffix(text, "\n")) { // else it is known better
		p.files.SetOpen(file, text)
	}
}

// tracked holds what is believed of a file to what the client noted of it before
// its first edit in a turn: that it is not there, or the hash of its content. So it
// is known again, with the ends of its lines, whatever happened since it was seen.
// A text that has no such hash in any likely form is forgotten.
func (p *parser) tracked(v jsondoc.Value) {
	file, entry := p.Resolve(v.Get("path").Str()), v.Get("entry")
	hash := entry.Get("contentHash").Str()
	if key := entry.Get("key"); key.Kind() == jsondoc.Null && hash == "" {
		p.files.Remove(file)
		return
	}
	if n, ok := entry.Get("size").Int(); ok && n == 0 {
		p.files.Set(file, "")
		return
	}
	text, ok := p.files.Text(file)
	if !ok || hash == "" {
		return
	}
	open := strings.TrimSuffix(text, "\n")
	for _, likely := range []string{text, open, edit.CRLF(text), edit.CRLF(open), byteOrderMark + text, byteOrderMark + open} {
		sum := sha256.Sum256([]byte(likely))
		if hex.EncodeToString(sum[:]) == hash {
			p.files.Set(file, likely)
			return
		}
	}
	p.files.Forget(file)
}

// byteOrderMark may stand before a text; reads do not show it.
const byteOrderMark = "\ufeff"

// isCRLF reports whether every line of a text ends with CR LF.
func isCRLF(text string) bool {
	n := strings.Count(text, "\n")
	return n > 0 && strings.Count(text, "\r\n") == n && strings.Count(text, "\r") == n
}
