package edit

import (
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/myers"
)

// Facts are what a transcript tells of an edit of one file. An adapter fills in what the
// record says; [Files.Of] chooses the best source and makes the diff.
type Facts struct {
	Path string

	Before, After *string // the texts of the file that the tool recorded, whole
	Content       *string // what the call wrote as the whole file
	Created       bool    // the tool says that the file was not there

	Pairs []Pair // the replacements that the call asked for
	// Redo makes the replacements in a text, or in the part of it from a line on, as the
	// tool makes them; nil: one after the other, as [Replace] does.
	Redo func(text string, start int) (after string, ok bool)

	// Shown is the diff that the tool made itself; nil if it made none. It is asked only
	// if nothing better is known.
	Shown func() (core.Diff, bool)
	// Agrees reports whether a change of a text, or of a part of it from a line on, is the one that
	// the tool shows. What is believed needs it; nil agrees to all that is known for sure.
	Agrees func(before, after string, start int) bool

	Unix    bool // the tool shows and records every line with the line end of Unix
	CRLF    bool // it shows that the lines of the file end with "\r\n"
	Strings bool // Old and New of the diff are the strings of the replacement, not the texts

	surprised bool // the text was known for sure, and was another one
}

// Text is a text that is recorded; nil if the value is no string.
func Text(v jsondoc.Value) *string {
	if v.Kind() != jsondoc.String {
		return nil
	}
	s := v.Str()
	return &s
}

// Of makes the diff of an edit that was applied, from the best of
//
//	the two texts that the tool recorded
//	the text that it recorded, or that is known, with the edit done to it again
//	the part of the text that is known, with the edit done to it again
//	the diff that the tool made itself
//	the strings of the call, of unknown place
//
// It reports false if nothing changed, or if the facts say too little. What the file holds
// now is known from then on.
//
// As a choice, from the top. What is known of a file is sure (it was written or shown
// whole) or believed (something may have changed it since, as a command that ran):
//
//	both texts recorded? ──────────────────────────────▶ diff of the two
//	the whole content given? ── before known, agrees ──▶ diff to it
//	                        └── else the tool's own diff ▶ or Write: before not known
//	text known, edit can be made, agrees? ─────────────▶ diff of the two
//	a part known, edit can be made there, agrees? ─────▶ diff, moved to its line
//	the tool's own diff? ──────────────────────────────▶ that, applied to what is known
//	strings only ──────────────────────────────────────▶ hunks from line 1 on, place unknown
//
// Where the tool shows a diff, Agrees compares with it: a text that was believed and
// does not give the same change is forgotten.
func (f *Files) Of(t Facts) (d core.Diff, ok bool) {
	left, beside := f.left(t.Path)
	switch {
	case t.Path == "":
		return d, false
	case t.Before != nil && t.After != nil && !t.Created:
		before, _ := f.before(&t)
		after := *t.After
		if before != *t.Before {
			after = EndedLike(before, after)
		}
		d = f.between(t.Path, before, after)
	case t.Content != nil:
		d = f.given(&t)
	case len(t.Pairs) > 0 || t.Shown != nil:
		d = f.edited(&t)
	}
	if t.Strings && t.Content == nil {
		t.name(&d)
	}
	d = f.wrote(d, left, beside)
	if f.mixed.Add(&d, t.surprised) {
		d.Certainty = core.Told
		f.Remove(d.Path)
	}
	return d, d.Added+d.Removed > 0 || d.Change == core.Create || d.Change == core.Write
}

// name has a diff say what the call said.
func (t *Facts) name(d *core.Diff) {
	d.Old, d.New = nil, nil
	if len(t.Pairs) == 1 {
		d.Old, d.New = &t.Pairs[0].Before, &t.Pairs[0].After
	}
	if d.Change == core.Create {
		d.Old = nil
	}
}

// before is the text that the file had.
func (f *Files) before(t *Facts) (string, knowledge) {
	known, state := f.now(t.Path)
	text := known
	if t.Before != nil {
		text, state = *t.Before, sure
	}
	if state != sure && state != believed || !t.Unix {
		return text, state
	}
	for _, ended := range []string{known, f.kept(t.Path)} { // what was written is known with its line ends
		if strings.Contains(ended, "\r\n") && LF(ended) == text {
			return ended, state
		}
	}
	if t.CRLF && t.Before == nil {
		text = CRLF(text)
	}
	return text, state
}

// fits reports whether a change of a text that is known so well is the one that the tool
// shows, if it shows any.
func (t *Facts) fits(before, after string, start int, state knowledge) bool {
	switch {
	case state != sure && state != believed:
		return false
	case t.Agrees == nil:
		return state == sure
	}
	return t.Agrees(before, after, start)
}

// given is the diff of a file whose whole content the call gives.
func (f *Files) given(t *Facts) core.Diff {
	before, state := f.before(t)
	switch {
	case t.Created:
		return f.Create(t.Path, *t.Content)
	case t.Before != nil, t.Agrees != nil && t.fits(t.plain(before), *t.Content, 1, state):
		return f.between(t.Path, before, *t.Content)
	case t.Shown != nil && (t.Agrees != nil || state != sure):
		if d, ok := t.Shown(); ok {
			d.New = t.Content
			f.Set(t.Path, *t.Content)
			return d
		}
	}
	return f.Write(t.Path, *t.Content)
}

// between is the diff of two whole texts.
func (f *Files) between(path, before, after string) core.Diff {
	f.Set(path, after)
	return f.differ.FromTexts(path, before, after)
}

// edited is the diff of an edit from a known text, a part, a diff or strings.
func (f *Files) edited(t *Facts) core.Diff {
	before, state := f.before(t)
	if state == sure || state == believed {
		plain := t.plain(before)
		after, ok := t.redo(plain, 1)
		switch {
		case !ok:
		case t.fits(plain, after, 1, state):
			if plain != before {
				after = EndedLike(before, after)
			}
			return f.between(t.Path, before, after)
		case t.Agrees != nil:
			t.surprised = state == sure
			f.Forget(t.Path) // it is another text
		}
	}
	if text, start := f.Part(t.Path); start > 0 {
		if after, ok := t.redo(text, start); ok && t.fits(text, after, start, sure) {
			f.setPart(t.Path, after, start)
			return Shifted(f.differ.FromTexts(t.Path, text, after), start-1)
		}
	}
	if t.Shown != nil {
		if d, ok := t.Shown(); ok {
			return f.Apply(d)
		}
	}
	if len(t.Pairs) == 0 {
		return core.Diff{}
	}
	if t.Agrees != nil {
		f.Forget(t.Path) // what is known was tried
	}
	return f.ReplaceAll(t.Path, t.Pairs)
}

// plain is a text as the tool shows it.
func (t *Facts) plain(text string) string {
	if t.Unix {
		return LF(text)
	}
	return text
}

// redo makes the replacements in a text.
func (t *Facts) redo(text string, start int) (after string, ok bool) {
	if t.Redo != nil {
		return t.Redo(text, start)
	}
	for _, p := range t.Pairs {
		if text, ok = Replace(text, p.Before, p.After, p.All); !ok {
			return "", false
		}
	}
	return text, ok
}

// EndedLike gives the lines of a text, as a tool shows them, the ends that most lines of a
// file have. Tools put a carriage return before every line feed, also where one is.
func EndedLike(file, text string) string {
	if 2*strings.Count(file, "\r\n") <= strings.Count(file, "\n") {
		return text
	}
	return strings.ReplaceAll(text, "\n", "\r\n")
}

// Differ makes diffs one after the other, in memory that it uses again: an edit is
// a few lines, and finding them takes several times the memory of what comes out.
// The zero Differ is ready. It serves one goroutine.
type Differ struct {
	buf    []byte
	a, b   []string
	script myers.Script
}

// most is how much memory is kept for the next diff, in lines; a line of text in
// buf counts as some tens of bytes.
const most = 16 << 10

// FromTexts is what the function of this name is.
func (d *Differ) FromTexts(path, before, after string) core.Diff {
	path = Clean(path)
	w := d.writer()
	w.head(oldName(path), newName(path))
	w.texts(before, after)
	return w.finish(core.Diff{Path: path, Old: &before, New: &after, Change: core.Modify})
}

// Replaced is what the function of this name is.
func (d *Differ) Replaced(path, before, after string) core.Diff {
	path = Clean(path)
	w := d.writer()
	w.head(oldName(path), newName(path))
	isWhole := strings.HasSuffix(before, "\n") && strings.HasSuffix(after, "\n")
	if countLines(before)+countLines(after) > manyLines {
		w.replaced(ended(before, isWhole), ended(after, isWhole), 0)
	} else {
		a, b := d.lines(before, after)
		if !isWhole {
			a, b = wholeLines(a), wholeLines(b)
		}
		w.wholeTexts(a, b)
	}
	return w.finish(core.Diff{Path: path, Old: &before, New: &after, Change: core.Modify, Certainty: core.Told})
}

// ended is a text whose last piece counts as a line, as [wholeLines] has it.
func ended(text string, isWhole bool) string {
	if isWhole || text == "" {
		return text
	}
	return text + "\n"
}

// lines are those of two texts, until the next call.
func (d *Differ) lines(before, after string) (a, b []string) {
	d.a, d.b = appendLines(d.a[:0], before), appendLines(d.b[:0], after)
	return d.a, d.b
}

// writer begins a diff.
func (d *Differ) writer() writer { return writer{buf: d.buf[:0], differ: d} }

// rest takes back the memory of a diff that is done, unless it was a large one.
// What it was about is let go.
func (d *Differ) rest(buf []byte) {
	const lineSize = 32
	if d.buf = buf; cap(buf) > most*lineSize {
		d.buf = nil
	}
	clear(d.a)
	clear(d.b)
	if cap(d.a)+cap(d.b) > most {
		d.a, d.b, d.script = nil, nil, myers.Script{}
	}
	d.script.Forget()
}
