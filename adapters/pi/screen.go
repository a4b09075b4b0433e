package pi

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/memscribe/memscribe/adapters/internal/edit"
)

// readScreen reads a diff as the client shows it: "+12 text", "-12 text",
// " 12 text" and " ..." for what is left out. Added lines have the number that
// they get, all others the one that they had (source; recorded 0.73.1, wild
// 0.7.29).
// For "-12 b", "+12 c", " 13 d" it is one hunk that begins at line 12 of both sides.
func readScreen(text string) []edit.Hunk {
	var hunks []edit.Hunk
	var h edit.Hunk
	done := func() {
		if len(h.Lines) > 0 {
			hunks = append(hunks, h)
		}
		h = edit.Hunk{}
	}
	for line := range strings.SplitSeq(text, "\n") {
		mark, number, rest, ok := readLine(line)
		if !ok {
			done()
			continue
		}
		h.Lines = append(h.Lines, mark+rest)
		switch {
		case mark == "+" && h.NewStart == 0:
			h.NewStart = number
		case mark != "+" && h.OldStart == 0:
			h.OldStart = number - kept(h.Lines)
		}
	}
	done()
	delta := 0
	for i := range hunks {
		h := &hunks[i]
		if h.OldStart == 0 {
			h.OldStart = h.NewStart - delta - 1 // nothing but added lines
		}
		for _, l := range h.Lines {
			switch l[0] {
			case '+':
				h.NewLines++
				delta++
			case '-':
				h.OldLines++
				delta--
			default:
				h.NewLines++
				h.OldLines++
			}
		}
		h.NewStart = max(h.OldStart, 0) + delta - h.NewLines + h.OldLines
	}
	return hunks
}

// agrees reports whether a text has the lines that a diff of the screen shows of
// it, where the diff says. The client compares without carriage returns, and
// does not show whether the last line has an end.
func agrees(text, shown string) bool {
	text = feeds(strings.TrimPrefix(text, "\ufeff"))
	at := 1
	for line := range strings.SplitSeq(shown, "\n") {
		mark, number, want, ok := readLine(line)
		if !ok || mark == "+" {
			continue
		}
		for ; at < number; at++ {
			if _, text, ok = strings.Cut(text, "\n"); !ok {
				return false
			}
		}
		got, _, _ := strings.Cut(text, "\n")
		if got != strings.TrimSuffix(want, "\r") {
			return false
		}
	}
	return true
}

// kept counts the lines before the last one that the old text has.
func kept(lines []string) int {
	n := 0
	for _, l := range lines[:len(lines)-1] {
		if l[0] != '+' {
			n++
		}
	}
	return n
}

// readLine reads a line of the screen's diff. What has no number is a gap.
func readLine(line string) (mark string, number int, rest string, ok bool) {
	if line == "" || strings.IndexByte("+- ", line[0]) < 0 {
		return "", 0, "", false
	}
	digits := strings.TrimLeft(line[1:], " ")
	n := 0
	for n < len(digits) && n < 9 && digits[n] >= '0' && digits[n] <= '9' {
		n++
	}
	number, err := strconv.Atoi(digits[:n])
	if err != nil || number == 0 || n < len(digits) && digits[n] != ' ' {
		return "", 0, "", false
	}
	if n < len(digits) {
		n++
	}
	return line[:1], number, digits[n:], true
}

// replacement replaces a string of a file, which stands at an offset.
type replacement struct {
	before, after string
	at            int
}

// swap makes replacements as the client does: all are looked for in the text as
// it was, must stand there once, and may not overlap (source). Line ends are
// compared as line feeds and stay what they were.
func swap(text string, swaps []edit.Pair) (string, bool) {
	bom := ""
	if rest, ok := strings.CutPrefix(text, "\ufeff"); ok {
		bom, text = "\ufeff", rest
	}
	first := strings.IndexByte(text, '\n')
	dos := first > 0 && text[first-1] == '\r'
	text = feeds(text)
	list := make([]replacement, len(swaps))
	for i, s := range swaps {
		r := &list[i]
		r.before, r.after = feeds(s.Before), feeds(s.After)
		if r.before == "" && text != "" || strings.Count(text, r.before) != 1 {
			return "", false
		}
		r.at = strings.Index(text, r.before)
	}
	slices.SortStableFunc(list, func(a, b replacement) int { return cmp.Compare(a.at, b.at) })
	var out strings.Builder
	end := 0
	for _, r := range list {
		if r.at < end {
			return "", false
		}
		out.WriteString(text[end:r.at])
		out.WriteString(r.after)
		end = r.at + len(r.before)
	}
	out.WriteString(text[end:])
	changed := out.String()
	if dos {
		changed = strings.ReplaceAll(changed, "\n", "\r\n")
	}
	return bom + changed, true
}

// mixed reports whether the lines of a text end in several ways. Versions that record no patch
// give all of them one end (recorded 0.60.0), and one of those that do leaves them as they
// are (recorded 1.5.2).
func mixed(text string) bool {
	both := strings.Count(text, "\r\n")
	return strings.Count(text, "\r") != both || both > 0 && both != strings.Count(text, "\n")
}

// feeds is a text with line feeds alone, whatever its lines ended in.
func feeds(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// sloppy makes replacements that the client found only after it had smoothed the
// text; then the whole file is written smooth. It reports false where the diff on
// the screen is not of the smoothed text.
func sloppy(text string, swaps []edit.Pair, shown string) (string, bool) {
	for _, even := range []func(string) string{smooth, func(s string) string { return smooth(norm.NFKC.String(s)) }} {
		flat := even(text)
		if shown == "" || flat == text || !agrees(flat, shown) {
			continue
		}
		list := slices.Clone(swaps)
		for i := range list {
			list[i].Before = even(feeds(list[i].Before))
		}
		if after, ok := swap(flat, list); ok {
			return after, true
		}
	}
	return "", false
}

// smooth is a text as the client compares it where it finds no exact match: without
// space at the ends of lines, and with plain quotes, dashes and spaces (source;
// recorded 0.49.2). Later versions compose characters first, by NFKC (recorded 0.60.0).
func smooth(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.Map(plain, strings.TrimRightFunc(line, unicode.IsSpace))
	}
	return strings.Join(lines, "\n")
}

// plain is what a character is compared as.
func plain(r rune) rune {
	switch {
	case r >= '\u2018' && r <= '\u201b':
		return '\''
	case r >= '\u201c' && r <= '\u201f':
		return '"'
	case r >= '\u2010' && r <= '\u2015' || r == '\u2212':
		return '-'
	case r == '\u00a0' || r >= '\u2002' && r <= '\u200a' || r == '\u202f' || r == '\u205f' || r == '\u3000':
		return ' '
	}
	return r
}
