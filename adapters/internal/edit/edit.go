// Package edit turns what tools record of a change to a file into a
// [core.Diff] in standard unified format.
//
// Tools record very different things: both full texts, a list of hunks, a unified diff without its
// head, a pair of strings to replace, or a patch in the V4A form that has no line numbers at all.
// Where the text that the file had before is known (see [Files]), the diff carries exact numbers
// and applies to that text; where it is not, hunks are numbered from line 1 on, and the diff says
// so ([core.Certainty]).
//
// Everything here is a pure function, but for Files, which is a plain cache.
// The work on hostile input is bounded: a diff that would take too long gets
// coarser, a search that would take too long reports that it found nothing.
package edit

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// context is the number of unchanged lines around a change.
const context = 3

// FromTexts is the diff between two full texts of one file. Its Old and New are these texts.
func FromTexts(path, before, after string) core.Diff {
	return new(Differ).FromTexts(path, before, after)
}

// Created is the diff that makes a file with the given text.
func Created(path, text string) core.Diff {
	return whole(core.Diff{Path: Clean(path), New: &text, Change: core.Create}, "", text)
}

// Written is the diff of a file that was given its whole content, where it is not
// known whether it was there before, or what it held.
func Written(path, text string) core.Diff {
	return whole(core.Diff{Path: Clean(path), New: &text, Change: core.Write}, "", text)
}

// Deleted is the diff that removes a file with the given text.
func Deleted(path, text string) core.Diff {
	return whole(core.Diff{Path: Clean(path), Old: &text, Change: core.Delete}, text, "")
}

// DeletedUnseen is the diff that removes a file whose text is not known: it has
// a head and no hunks, and is [core.Told].
func DeletedUnseen(path string) core.Diff {
	return whole(core.Diff{Path: Clean(path), Change: core.Delete, Certainty: core.Told}, "", "")
}

// whole writes the diff of a file that is created, deleted or written as a whole.
func whole(d core.Diff, before, after string) core.Diff {
	from, to := oldName(d.Path), newName(d.Path)
	if d.Change == core.Create {
		from = devNull
	}
	if d.Change == core.Delete {
		to = devNull
	}
	w := new(Differ).writer()
	w.head(from, to)
	w.texts(before, after)
	return w.finish(d)
}

// Renamed makes a diff of one file into the diff of the same change together with a
// rename from oldPath to d.Path.
func Renamed(d core.Diff, oldPath string) core.Diff {
	oldPath = Clean(oldPath)
	body := d.Unified
	for _, mark := range []string{"--- ", "+++ "} {
		if strings.HasPrefix(body, mark) {
			_, body, _ = strings.Cut(body, "\n")
		}
	}
	w := writer{}
	w.head(oldName(oldPath), newName(d.Path))
	d.OldPath, d.Change = oldPath, core.Rename
	d.Unified = string(w.buf) + body
	return d
}

// Replaced is the diff of an edit where only the replaced and the new string are
// known: one hunk that stands for whole lines, is numbered from 1 and is
// [core.Told]. Old and New of the result are the two strings.
func Replaced(path, before, after string) core.Diff {
	return new(Differ).Replaced(path, before, after)
}

// wholeLines ends the last piece of a string that may begin and end within a
// line, so that it counts as a line too. Nothing is no line.
func wholeLines(lines []string) []string {
	last := len(lines) - 1
	if last < 0 {
		return nil
	}
	if strings.HasSuffix(lines[last], "\n") {
		return append(lines, "\n")
	}
	lines[last] += "\n"
	return lines
}

// Replace replaces old by new in text, once or everywhere. It reports false if there is nothing to
// replace, or if once would not be unique: no tool applies such an edit.
func Replace(text, before, after string, all bool) (string, bool) {
	if before == "" {
		return after, text == ""
	}
	n := strings.Count(text, before)
	switch {
	case n == 0:
		return "", false
	case n > 1 && !all:
		return "", false
	case (len(after)-len(before))*n > maxText:
		return "", false
	}
	return strings.ReplaceAll(text, before, after), true
}

// maxText bounds what Replace makes: replacing every letter of a long text by
// another long text is no edit.
const maxText = 64 << 20

// Clean is a path without detours: a file has one name, whichever way a call went to it
// ("src/../docs/a", recorded with Claude Code 2.1.330). Paths with backslashes stay as they are.
func Clean(name string) string {
	if !strings.Contains(name, "/.") && !strings.Contains(name, "//") && !strings.HasPrefix(name, "./") || strings.Contains(name, "://") {
		return name
	}
	return path.Clean(name)
}

// splitLines cuts a text after each line feed. Every line keeps its end, so
// that a last line without one differs from the same line with one.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return appendLines(nil, s)
}

// appendLines appends the lines of a text.
func appendLines(lines []string, s string) []string {
	lines = slices.Grow(lines, strings.Count(s, "\n")+1)
	for s != "" {
		end := strings.IndexByte(s, '\n') + 1
		if end == 0 {
			end = len(s)
		}
		lines = append(lines, s[:end])
		s = s[end:]
	}
	return lines
}

// joinLines is the inverse of splitLines.
func joinLines(lines []string) string { return strings.Join(lines, "") }

// LF is a text whose lines end with a line feed alone.
func LF(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// CRLF is a text whose lines end with a carriage return and a line feed.
func CRLF(text string) string { return strings.ReplaceAll(LF(text), "\n", "\r\n") }

// Unnumbered takes the numbers off the lines of a file that a tool shows from the first one on, as
// in "  1|text": the number, and a mark behind it. It reports false if a line has not its number.
func Unnumbered(shown, mark string) (text string, ok bool) {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(shown) {
		n++
		number, rest, found := strings.Cut(line, mark)
		if !found || strings.TrimLeft(number, " ") != strconv.Itoa(n) {
			return "", false
		}
		b.WriteString(rest)
	}
	return b.String(), true
}

// Fenced is the diff in a block of Markdown; "" if a text has none, or only its beginning.
func Fenced(text string) string {
	_, rest, _ := strings.Cut(text, "```diff\n")
	end := strings.LastIndex(rest, "\n```")
	return rest[:end+1]
}
