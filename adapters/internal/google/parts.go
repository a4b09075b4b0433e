package google

import (
	"cmp"
	"iter"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Kind says what a [Part] is.
type Kind uint8

// The kinds of part.
const (
	Other Kind = iota
	Text
	Thought
	Call     // functionCall
	Response // functionResponse
	Media    // inlineData or fileData
)

// Part is one piece of a content.
type Part struct {
	Kind  Kind
	Text  jsondoc.Value // of Text and Thought: a string
	Inner jsondoc.Value // of Call, Response and Media: the object that says so
	Root  jsondoc.Value // the part itself
}

// Parts yields the parts of a content, which is a string, a part, or a list of
// both (PartListUnion in Google's API; recorded in all three forms).
func Parts(content jsondoc.Value) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		switch content.Kind() {
		case jsondoc.String, jsondoc.Object:
			yield(partOf(content))
		case jsondoc.Array:
			for v := range content.Elems() {
				if !yield(partOf(v)) {
					return
				}
			}
		default:
		}
	}
}

// partOf reads a part of a message, by the member that it has; a string is text.
func partOf(v jsondoc.Value) Part {
	p := Part{Root: v}
	if v.Kind() == jsondoc.String {
		p.Kind, p.Text = Text, v
		return p
	}
	thought := false
	for name, v := range v.Fields() {
		switch string(name.Body()) {
		case "text":
			if v.Kind() == jsondoc.String {
				p.Kind, p.Text = Text, v
			}
		case "thought":
			thought = v.Bool()
		case "functionCall":
			p.Kind, p.Inner = Call, v
		case "functionResponse":
			p.Kind, p.Inner = Response, v
		case "inlineData", "fileData":
			p.Kind, p.Inner = Media, v
		}
	}
	if thought && p.Kind == Text {
		p.Kind = Thought
	}
	return p
}

// Neutral is the part in the form of the contract.
func (p Part) Neutral(n *stream.Names) core.Part {
	switch p.Kind {
	case Text:
		return core.Part{Kind: core.TextPart, Text: core.Token(p.Text)}
	case Thought:
		return core.Part{Kind: core.ThinkingPart, Text: core.Token(p.Text)}
	case Call:
		return core.Part{Kind: core.ToolUsePart, CallID: p.Inner.Get("id").Str(), Name: n.Of(p.Inner.Get("name"))}
	case Response:
		return core.Part{Kind: core.ToolResultPart, CallID: p.Inner.Get("id").Str()}
	case Media:
		return core.Part{Kind: core.ImagePart, MediaType: n.Of(p.Inner.Get("mimeType"))}
	default:
		return core.Part{Kind: core.OtherPart, Raw: core.RawValue(p.Root)}
	}
}

// Output is what a functionResponse told the model: the text of its "output" or
// "error", as written in JSON, and whether it says that the call failed.
func Output(response jsondoc.Value) (text []byte, failed bool) {
	told := response.Get("response")
	if failure := told.Get("error"); failure.Exists() {
		return failure.Body(), true
	}
	return told.Get("output").Body(), false
}

// ResultText is the text that the result of a call told the model: of the
// functionResponse in it, or else of its first text.
func ResultText(result jsondoc.Value) (text []byte, failed bool) {
	for p := range Parts(result) {
		switch p.Kind {
		case Response:
			return Output(p.Inner)
		case Text:
			if text == nil {
				text = p.Text.Body()
			}
		default:
		}
	}
	return text, false
}

// Answer notes in a result what a person answered to a call that asked them: ask_user and
// exit_plan_mode of Gemini CLI (source, 0.27 on), ask_user_question and exit_plan_mode of Qwen Code
// (source). Told is what the model was told, as written in JSON.
func Answer(r *core.ToolResult, tool string, args jsondoc.Value, told []byte) {
	switch tool {
	case "ask_user", "ask_user_question":
		if r.OK {
			r.Choices = choices(args, string(jsondoc.Unquote(nil, told)))
		}
	case "exit_plan_mode":
		if r.OK {
			plan(r, string(jsondoc.Unquote(nil, told)))
		}
	}
}

// plan reads the answer to a plan that was put before a person.
func plan(r *core.ToolResult, told string) {
	const words = "Plan rejected. User feedback: "
	switch rest, ok := strings.CutPrefix(told, words); {
	case ok:
		reason, _, _ := strings.Cut(rest, "\n\nThe plan is stored at: ")
		r.Verdict, r.Reason = core.Rejected, core.Plain(strings.TrimSpace(reason))
	case strings.HasPrefix(told, "Plan rejected. "), strings.HasPrefix(told, "Plan execution was not approved."):
		r.Verdict = core.Rejected
	case strings.HasPrefix(told, "User approved."), strings.HasPrefix(told, "User has approved your plan."),
		strings.HasPrefix(told, "Plan approved."):
		r.Verdict = core.Approved
	}
}

// choices reads the answers to the questions of a call. Gemini CLI tells the
// model {"answers":{"0":"…"}}, Qwen Code "**header**: answer", a line each.
func choices(args jsondoc.Value, told string) []core.Choice {
	answer := func(i int, header string) (string, bool) { return lineAnswer(told, i, header) }
	var doc jsondoc.Doc
	if _, err := doc.Parse([]byte(told)); err == nil {
		answers := doc.Root().Get("answers")
		answer = func(i int, _ string) (string, bool) {
			v := answers.Get(strconv.Itoa(i))
			return v.Str(), v.Kind() == jsondoc.String
		}
	}
	var list []core.Choice
	i := -1
	for q := range args.Get("questions").Elems() {
		i++
		text, ok := answer(i, q.Get("header").Str())
		if !ok {
			continue
		}
		list = append(list, choice(q, text))
	}
	return list
}

// lineAnswer finds "**header**: answer". An answer may have several lines.
func lineAnswer(told string, i int, header string) (string, bool) {
	header = cmp.Or(header, "Question "+strconv.Itoa(i+1))
	_, rest, ok := strings.Cut("\n"+told, "\n**"+header+"**: ")
	text, _, _ := strings.Cut(rest, "\n**")
	return text, ok
}

// choice is one question with its answer: options, or words of the person's own.
func choice(q jsondoc.Value, answer string) core.Choice {
	c := core.Choice{Question: q.Get("question").Str()}
	c.Options, c.Answer = stream.Options(q.Get("options"), answer)
	return c
}

// Turn collects what a message says, until it is known whose words they are. Its lists use
// the same memory for each message.
type Turn struct {
	Said, Put       []core.Text // a person's words, and the client's
	Parts, PutParts []core.Part
	Responses       int  // to calls
	Appended        bool // what follows is not the person's
}

// Reset makes the turn empty.
func (t *Turn) Reset() {
	*t = Turn{Said: t.Said[:0], Put: t.Put[:0], Parts: t.Parts[:0], PutParts: t.PutParts[:0]}
}

// Add sorts in a text: a person's, or the client's.
func (t *Turn) Add(said bool, text core.Text) {
	if said {
		t.Said = append(t.Said, text)
	} else {
		t.Put = append(t.Put, text)
	}
	t.Attach(said, stream.Text(text))
}

// AddSome sorts in a text that is not empty.
func (t *Turn) AddSome(said bool, text string) {
	if text != "" {
		t.Add(said, core.Plain(text))
	}
}

// Attach sorts in a part that is no text.
func (t *Turn) Attach(said bool, part core.Part) {
	if said {
		t.Parts = append(t.Parts, part)
	} else {
		t.PutParts = append(t.PutParts, part)
	}
}

// IsPerson reports whether a person typed any of it.
func (t *Turn) IsPerson() bool { return len(t.Said) > 0 || len(t.Parts) > 0 }

// IsPut reports whether the client says any of it.
func (t *Turn) IsPut() bool { return len(t.Put) > 0 || len(t.PutParts) > 0 }
