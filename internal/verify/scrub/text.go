package scrub

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// text replaces a long string by a placeholder; other values stay.
func text(v jsontext.Value) []byte {
	return ifString(v, func(s string) bool { return len(s) >= long })
}

// wrapped replaces a long string that a vendor's wrapper begins: those stand
// where people's words stand too.
func wrapped(v jsontext.Value) []byte {
	return ifString(v, func(s string) bool { return len(s) >= 2*long && vendorWrapped(s) })
}

// advice replaces a long text that tells the model how to work.
func advice(v jsontext.Value) []byte {
	return ifString(v, func(s string) bool {
		return len(s) >= 2*long && strings.HasPrefix(strings.TrimSpace(s), "# task_progress") || strings.HasPrefix(s, "[TASK RESUMPTION]")
	})
}

// wrappers begin texts that tools put into conversations.
func wrappers() []string {
	return []string{
		"<system-reminder>", "<permissions instructions>", "<user_instructions>", "# AGENTS.md instructions for ",
		"<skills_instructions>", "<collaboration_mode>", "<apps_instructions>", "<plugins_instructions>", "<model_switch>",
		"<personality_spec>",
	}
}

// vendorWrapped reports whether a text begins with what a client wraps around its own words.
func vendorWrapped(s string) bool {
	for _, w := range wrappers() {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

// ifString replaces a value by a placeholder if it is a string of a vendor's; others stay.
func ifString(v jsontext.Value, vendors func(string) bool) []byte {
	if v.Kind() != jsontext.KindString {
		return v
	}
	b, err := jsontext.AppendUnquote(nil, v)
	s := string(b)
	if err != nil || strings.Contains(s, mark) || !vendors(s) {
		return v
	}
	now, err := jsontext.AppendQuote(nil, placeholder(s))
	if err != nil {
		return v
	}
	return now
}

// placeholder stands for s. The lines and tags by which a reader tells what kind
// of text it is stay around it.
func placeholder(s string) string {
	head, rest := opening(s)
	foot := ""
	if i := strings.LastIndex(rest, "</"); i >= 0 && strings.HasSuffix(strings.TrimSpace(rest), ">") && len(rest)-i < 60 {
		rest, foot = rest[:i], rest[i:]
	}
	return fmt.Sprintf("%s%s%d bytes]%s", head, mark, len(rest), foot)
}

// opening cuts the wrapper at the start of s off.
func opening(s string) (head, rest string) {
	const agents, block = "# AGENTS.md instructions for ", "<INSTRUCTIONS>\n"
	if strings.HasPrefix(s, agents) {
		if i := strings.Index(s, block); i > 0 && i < 2*long {
			return s[:i+len(block)], s[i+len(block):]
		}
	}
	if i := strings.IndexByte(s, '>'); strings.HasPrefix(s, "<") && i > 0 && i < 60 {
		return s[:i+1], s[i+1:]
	}
	return "", s
}

// shape replaces a value by its shape: of an array the first element, of a text
// a placeholder, all else as it is.
func shape(v jsontext.Value) []byte {
	switch v.Kind() {
	case jsontext.KindString:
		return ifString(v, func(s string) bool { return len(s) > 40 && strings.ContainsRune(s, ' ') })
	case jsontext.KindBeginArray, jsontext.KindBeginObject:
		return shapeOfMany(v)
	default:
		return v
	}
}

// shapeOfMany returns the shape of an array or object.
func shapeOfMany(v jsontext.Value) []byte {
	dec := newDecoder(v)
	open, err := dec.ReadToken()
	if err != nil {
		return v
	}
	array := open.Kind() == jsontext.KindBeginArray
	out := []byte{byte(open.Kind())}
	for n := 0; dec.PeekKind() != jsontext.KindEndArray && dec.PeekKind() != jsontext.KindEndObject; n++ {
		el, err := dec.ReadValue()
		if err != nil {
			return v
		}
		switch {
		case array && n > 0:
			continue
		case !array && n%2 == 0:
			if n > 0 {
				out = append(out, ',')
			}
			out = append(append(out, bytes.Clone(el)...), ':')
			continue
		}
		out = append(out, shape(bytes.Clone(el))...)
	}
	if array {
		return append(out, ']')
	}
	return append(out, '}')
}
