package codex

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/codex/shell"
	"github.com/memscribe/memscribe/core/jsondoc"
)

const (
	// how many bytes of an answer are looked at: the tool's own words stand at one end
	frontLen = 600
	tailLen  = 300
)

// outcome judges the answer to a call: a string, a list of parts, or an object with
// "content" and "success" (wild). Where nothing is said of failure, it is taken for a
// success that was not stated: such an answer is no proof that a patch was applied.
func (p *parser) outcome(v jsondoc.Value) shell.Outcome {
	switch v.Kind() {
	case jsondoc.Array:
		return p.outcomeOfParts(v)
	case jsondoc.Object:
		if s := v.Get("success"); s.Kind() == jsondoc.Bool {
			return shell.Outcome{OK: s.Bool(), Stated: s.Bool()}
		}
		if code, ok := v.Path("metadata", "exit_code").Int(); ok {
			return shell.Outcome{OK: code == 0, Stated: code == 0}
		}
		return p.outcomeOf(v.Get("content").Body())
	case jsondoc.String:
		return p.outcomeOf(v.Body())
	default:
		return shell.Outcome{OK: true}
	}
}

// outcomeOfParts judges an answer by its first text. In code mode that says how
// the script ended, and the texts after it what the script printed: the answer
// to what it called, where models do no more than that (0.169, recorded).
func (p *parser) outcomeOfParts(v jsondoc.Value) shell.Outcome {
	o, first := shell.Outcome{OK: true}, true
	for part := range v.Elems() {
		t := part.Get("text")
		if t.Kind() != jsondoc.String {
			continue
		}
		if first {
			o, first = p.outcomeOf(t.Body()), false
			continue
		}
		if p.printsFailure(t) {
			o.OK, o.Stated = false, false
		}
	}
	return o
}

// printsFailure reports whether what a script printed is the answer to a command that
// failed, or that of a server to a call that did (0.169, recorded).
func (p *parser) printsFailure(t jsondoc.Value) bool {
	head := p.head(t)
	if strings.HasPrefix(head, `{"chunk_id":`) {
		code, ok := p.nested(t).Get("exit_code").Int()
		return ok && code != 0
	}
	return strings.HasPrefix(head, `{"content":[`) && p.nested(t).Get("isError").Bool()
}

// outcomeOf judges the beginning of an answer, and the end of one that is a
// JSON document with metadata.
func (p *parser) outcomeOf(body []byte) shell.Outcome {
	body = shell.BehindCommand(body, `\n`)
	p.buf = jsondoc.Unquote(p.buf[:0], body[:min(len(body), frontLen)])
	front := p.buf
	if bytes.HasPrefix(front, []byte("{")) {
		p.buf = jsondoc.Unquote(p.buf, body[max(len(body)-tailLen, 0):])
		return shell.OutcomeOfJSON(p.buf)
	}
	if code, ok := shell.ExitCode(front); ok {
		return shell.Outcome{OK: code == "0", Stated: code == "0"}
	}
	if bytes.HasPrefix(shell.BehindFrames(front), []byte(`{"output":`)) {
		p.buf = jsondoc.Unquote(p.buf, body[max(len(body)-tailLen, 0):])
		return shell.OutcomeOfJSON(p.buf)
	}
	switch {
	case bytes.HasPrefix(front, []byte(`[{"type":"text","text":"tool call error: `)): // a server that is gone (0.114, recorded)
		return shell.Outcome{}
	case bytes.Contains(front, []byte("Process running with session ID")),
		bytes.HasPrefix(front, []byte("Script running")):
		return shell.Outcome{OK: true, Running: true}
	case bytes.HasPrefix(front, []byte("Script completed")), bytes.HasPrefix(front, []byte("Success. ")):
		return shell.Outcome{OK: true, Stated: true}
	}
	return shell.Outcome{OK: !shell.IsFailure(front), Rejected: shell.IsRejection(front)}
}
