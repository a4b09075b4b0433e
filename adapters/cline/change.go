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
func (p *parser) changed(file string, replaced []pair, final string, saved bool) core.Diff {
	if !saved {
		return p.unseen(file, replaced)
	}
	known, shown := p.files.Text(file)
	if shown && !strings.HasSuffix(known, "\n") {
		final = strings.TrimSuffix(final, "\n") // as in written
	}
	before, ok := undone(final, replaced)
	if !ok {
		before, ok = known, shown
	}
	p.files.Set(file, final)
	if !ok {
		return joined(file, replaced)
	}
	d := edit.FromTexts(file, before, final)
	if len(replaced) == 1 {
		d.Old, d.New = &replaced[0].before, &replaced[0].after
	} else {
		d.Old, d.New = nil, nil
	}
	return d
}

// unseen is the edit whose outcome is not shown.
func (p *parser) unseen(file string, replaced []pair) core.Diff {
	text, ok := p.files.Text(file)
	after := text
	for _, r := range replaced {
		next, found := edit.Replace(after, r.before, r.after, false)
		ok = ok && found
		after = next
	}
	if !ok {
		p.files.Forget(file)
		return joined(file, replaced)
	}
	p.files.Set(file, after)
	return edit.FromTexts(file, text, after)
}

// undone takes replacements back, the last one first. It reports false if one of
// them cannot be told from the rest of the text.
func undone(text string, replaced []pair) (string, bool) {
	end := len(text)
	for i, r := range slices.Backward(replaced) {
		if r.after == "" {
			return "", false
		}
		at := strings.LastIndex(text[:end], r.after)
		if at < 0 || strings.Contains(text[:at], r.after) && i == 0 {
			return "", false
		}
		text = text[:at] + r.before + text[at+len(r.after):]
		end = at
	}
	return text, len(replaced) > 0
}

// joined is the diff of replacements whose places are not known.
func joined(file string, replaced []pair) core.Diff {
	var all core.Diff
	for i, r := range replaced {
		d := edit.Replaced(file, r.before, r.after)
		if i == 0 {
			all = d
			continue
		}
		_, hunks, _ := strings.Cut(d.Unified, "@@")
		all.Unified += "@@" + hunks
		all.Added, all.Removed, all.Old, all.New = all.Added+d.Added, all.Removed+d.Removed, nil, nil
	}
	return all
}
