package cline

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
)

// written is the edit that wrote a file whole. The result shows a line end behind
// the last line also where there is none.
func (p *parser) written(file, content, final string, saved bool) core.Diff {
	if !saved || final == content+"\n" {
		final = content
	}
	return p.files.Write(file, final)
}

// changed is the edit that replaced texts in a file. What the file held before is
// found by taking the replacements back, else from what was shown before.
// For example, the result shows "a\nc\n" and "b" was replaced by "c": taken back, the
// file was "a\nb\n". That fails where the new text stands several times, or is empty.
func (p *parser) changed(file string, replaced []edit.Pair, final string, saved bool) core.Diff {
	t := edit.Facts{Path: file, Pairs: replaced, Strings: saved}
	if !saved {
		d, _ := p.files.Of(t)
		return d
	}
	known, shown := p.files.Text(file)
	if shown && !strings.HasSuffix(known, "\n") {
		final = strings.TrimSuffix(final, "\n") // as in written
	}
	before, ok := undone(final, replaced)
	if !ok {
		before, ok = known, shown
	}
	if ok {
		t.Before, t.After = &before, &final
	}
	d, _ := p.files.Of(t)
	p.files.Set(file, final)
	return d
}

// undone takes replacements back, the last one first. It reports false if one of
// them cannot be told from the rest of the text.
func undone(text string, replaced []edit.Pair) (string, bool) {
	end := len(text)
	for i, r := range slices.Backward(replaced) {
		if r.After == "" {
			return "", false
		}
		at := strings.LastIndex(text[:end], r.After)
		if at < 0 || strings.Contains(text[:at], r.After) && i == 0 {
			return "", false
		}
		text = text[:at] + r.Before + text[at+len(r.After):]
		end = at
	}
	return text, len(replaced) > 0
}
