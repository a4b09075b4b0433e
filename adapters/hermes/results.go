package hermes

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// answer is what a tool answered, which is JSON, and the text behind it: the client
// appends the notes of a folder that is worked in for the first time, warnings of
// calls that fail again and again, and what a person says meanwhile. What a server
// answered it puts between marks. Of an answer that is no JSON there is the text alone.
func (p *parser) answer(content jsondoc.Value) (out jsondoc.Value, behind string) {
	if content.Kind() != jsondoc.String {
		return stream.Nested(&p.result, content), ""
	}
	text := stream.Unmarked(content.Str())
	n, err := p.result.Parse([]byte(text))
	if err != nil || p.result.Root().Kind() != jsondoc.Object {
		return jsondoc.Value{}, text
	}
	return p.result.Root(), text[n:]
}

// What the client itself answers for a tool that did not come to its end.
const (
	failed   = "Error executing tool"
	canceled = "[Tool execution cancelled"
	skipped  = "[Tool execution skipped"
	laidDown = "<persisted-output>" // the answer was too long, and lies in a file
)

// succeeded reads the tool's own signals. The tools that edit files answer with
// JSON and nothing else.
func succeeded(name string, out jsondoc.Value, text string) bool {
	if !out.Exists() {
		isOf := func(mark string) bool { return strings.HasPrefix(text, mark) }
		edits := name == "write_file" || name == "patch"
		return !slices.ContainsFunc([]string{failed, canceled, skipped}, isOf) && (!edits || isOf(laidDown))
	}
	if e := out.Get("error"); e.Kind() == jsondoc.String && e.Str() != "" || e.Kind() == jsondoc.Object {
		return false
	}
	if s := out.Get("success"); s.Exists() && !s.Bool() {
		return false
	}
	code, ok := out.Get("exit_code").Int()
	return !ok || code == 0
}

// How the client puts down what a person said while a tool was at work, until it
// put a mark around it and since; and the notes of a folder, which are no person's.
const (
	guidance  = "\n\nUser guidance: "
	outOfBand = "\n\n[OUT-OF-BAND USER MESSAGE"
	bandEnds  = "\n[/OUT-OF-BAND USER MESSAGE]"
	notes     = "\n\n[Subdirectory context discovered: "
)

// steered are what a person said while a tool was at work: it stands last behind
// the tool's answer. Without the mark it cannot be told from what notes say.
func steered(behind string) []string {
	var all []string
	for {
		rest, ok := strings.CutSuffix(behind, bandEnds)
		i := strings.LastIndex(rest, outOfBand)
		if !ok || i < 0 {
			break
		}
		_, said, _ := strings.Cut(rest[i+len(outOfBand):], "]\n")
		all, behind = append(all, said), rest[:i]
	}
	slices.Reverse(all)
	if i := strings.Index(behind, guidance); i >= 0 && !strings.Contains(behind, notes) {
		all = append(strings.Split(behind[i+len(guidance):], guidance), all...)
	}
	return all
}
