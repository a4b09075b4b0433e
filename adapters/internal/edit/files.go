package edit

import (
	"container/list"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit/mixed"
	"github.com/memscribe/memscribe/adapters/internal/edit/seek"
	"github.com/memscribe/memscribe/adapters/internal/script"
	"github.com/memscribe/memscribe/core"
)

// DefaultFilesLimit is how many bytes of text a [Files] keeps unless told otherwise.
const DefaultFilesLimit = 8 << 20

// Files knows the text of files as far as a transcript has shown it: from reads
// and writes of whole files, and from edits of known texts. With it, an edit
// that was recorded without its place becomes a diff that applies.
//
// What is known is bounded: the texts that were used longest ago are forgotten
// first. A text that a change makes uncertain is forgotten at once.
//
// The zero Files is empty and ready, with the default limit.
type Files struct {
	Limit int

	byPath map[string]*list.Element
	order  list.List // of *known; used last stands first
	size   int
	doubts int
	turns  int
	atOnce string
	mixed  mixed.Edits

	reads    []excerpt // the latest ones
	nextRead int
	differ   Differ
}

// known is the text of a file as it was last seen.
type known struct {
	path, text string
	gone       bool   // the file is not there
	open       bool   // whether its last line has an end is not known
	doubts     int    // there were when the text was seen
	turns      int    // the person had taken by then
	written    moment // when a call has written it
}

// moment is an answer of which calls run, and how many doubts there were by then.
type moment struct {
	answer string
	doubts int
}

// knowledge says how well the text of a file is known.
type knowledge uint8

const (
	unknown  knowledge = iota
	absent             // the file is not there
	believed           // something may have changed the file since its text was seen
	sure
)

// now returns the text of a file, and how well it is known.
func (f *Files) now(path string) (string, knowledge) {
	path = Clean(path)
	if e := f.excerpt(path); e != nil && e.Whole {
		return e.text, sure
	}
	e, ok := f.byPath[path]
	if !ok {
		return "", unknown
	}
	f.order.MoveToFront(e)
	switch k := e.Value.(*known); {
	case k.gone && k.doubts == f.doubts:
		return "", absent
	case k.gone:
		return "", unknown
	case k.doubts == f.doubts:
		return k.text, sure
	default:
		return k.text, believed
	}
}

// kept is the text of a file without what a read has shown since; "" if none is known.
func (f *Files) kept(path string) string {
	if e, ok := f.byPath[Clean(path)]; ok {
		return e.Value.(*known).text
	}
	return ""
}

// keep sets a text that is known no better than the one it was made of.
func (f *Files) keep(path, text string, as knowledge) {
	open, turns := f.isOpen(path), f.turns
	if e, ok := f.byPath[Clean(path)]; ok {
		turns = e.Value.(*known).turns
	}
	f.Set(path, text)
	if e, ok := f.byPath[Clean(path)]; ok {
		k := e.Value.(*known)
		k.open, k.turns = open, turns
		if as == believed {
			k.doubts--
		}
	}
}

// changed is the diff of a text that is known so well to the one made of it.
func (f *Files) changed(path, before, after string, as knowledge) core.Diff {
	d := f.differ.FromTexts(path, before, after)
	if f.isOpen(path) {
		d = openEnded(d, before)
	}
	if as == believed {
		d.Certainty = core.Told
	}
	f.keep(path, after, as)
	return d
}

// openEnded is a diff without what it says of the last line of a text, where that
// is context only; else the diff is [core.Told].
func openEnded(d core.Diff, before string) core.Diff {
	hunks, err := parseHunks(d.Unified)
	if err != nil || len(hunks) == 0 {
		return d
	}
	h := &hunks[len(hunks)-1]
	h.count()
	if h.before.at+h.before.n < countLines(before) {
		return d
	}
	last := len(h.lines) - 1
	if h.lines[last].mark != ' ' {
		d.Certainty = core.Told
		return d
	}
	h.lines = h.lines[:last]
	cut := diffOf(d.Path, hunks)
	cut.Old, cut.New = d.Old, d.New
	return cut
}

// Text returns the text of a file, if it is known or believed.
func (f *Files) Text(path string) (string, bool) {
	text, state := f.now(path)
	return text, state == sure || state == believed
}

// Sure returns the text of a file, if nothing can have changed it since it was seen.
func (f *Files) Sure(path string) (string, bool) {
	text, state := f.now(path)
	return text, state == sure
}

// Set says that a file has this text now.
func (f *Files) Set(path, text string) { f.put(known{path: Clean(path), text: text}) }

// SetOpen says that a file has this text now, as a read has shown it that does not
// tell whether the last line has an end. The text here ends with one.
func (f *Files) SetOpen(path, text string) { f.put(known{path: Clean(path), text: text, open: true}) }

// isOpen reports whether it is not known how the last line of a file ends.
func (f *Files) isOpen(path string) bool {
	e, ok := f.byPath[Clean(path)]
	return ok && e.Value.(*known).open
}

// Remove says that there is no such file now.
func (f *Files) Remove(path string) { f.put(known{path: Clean(path), gone: true}) }

// put remembers a text as the latest one, and lets the oldest go while all of them have
// more bytes than the limit. A text that is longer than that alone is not kept, nor is
// one of a file without a name.
func (f *Files) put(k known) {
	f.Forget(k.path)
	limit := f.Limit
	if limit <= 0 {
		limit = DefaultFilesLimit
	}
	size := len(k.path) + len(k.text)
	if size > limit || k.path == "" {
		return
	}
	if f.byPath == nil {
		f.byPath = map[string]*list.Element{}
	}
	k.doubts, k.turns = f.doubts, f.turns
	f.byPath[k.path] = f.order.PushFront(&k)
	f.size += size
	for f.size > limit {
		f.Forget(f.order.Back().Value.(*known).path)
	}
}

// Forget says that the text of a file is not known any more.
func (f *Files) Forget(path string) {
	path = Clean(path)
	f.dropRead(path)
	e, ok := f.byPath[path]
	if !ok {
		return
	}
	delete(f.byPath, path)
	f.order.Remove(e)
	f.size -= len(path) + len(e.Value.(*known).text)
}

// ForgetIf says that the text of some files is not known any more.
func (f *Files) ForgetIf(doubtful func(path string) bool) {
	for i := range f.reads {
		if e := &f.reads[i]; doubtful(e.path) {
			e.path = ""
		}
	}
	for path := range f.byPath { // order does not matter: each is judged alone
		if doubtful(path) {
			f.Forget(path)
		}
	}
}

// Doubt says that something may have changed any file, as a shell command may.
// What was seen is believed from now on, and no longer known.
func (f *Files) Doubt() { f.doubts++ }

// Ran records that a shell command ran, "" if it is not known which: unless it is
// known to change no file, any file may be another now.
func (f *Files) Ran(command string) {
	segments, ok := script.Words(command)
	if !ok || strings.TrimSpace(command) == "" || slices.ContainsFunc(segments, func(words []string) bool { return !script.OnlyReads(words) }) {
		f.Doubt()
	}
}

// Turn says that it was the person's turn, who may have changed or deleted any file by
// hand. An edit that finds its lines proves a text that was seen before; a write of a
// whole file proves nothing, and is reported without one.
func (f *Files) Turn() { f.turns++ }

// AtOnce says that the calls that follow are of an answer, all of which run at the same time. Two
// edits of one file may begin with the same text then, and the one that is written last wins.
func (f *Files) AtOnce(answer string) {
	f.atOnce = answer
	f.mixed.Begin(answer)
}

// left returns the text that a call which ran at the same time has left in a file; "" if there
// were two, and it is not known which.
func (f *Files) left(path string) (text string, ok bool) {
	e, ok := f.byPath[Clean(path)]
	if !ok || f.atOnce == "" {
		return "", false
	}
	k := e.Value.(*known)
	return k.text, k.written == moment{f.atOnce, f.doubts}
}

// wrote notes that a call has written a file. If the diff does not begin with the text that
// a call beside it has left, it is not known which of the two the file held.
func (f *Files) wrote(d core.Diff, left string, beside bool) core.Diff {
	disputed := beside && !begins(d, left) && !begins(d, LF(left))
	if disputed {
		d.Certainty = core.Told
		f.Remove(d.Path)
	}
	if e, ok := f.byPath[Clean(d.Path)]; ok {
		k := e.Value.(*known)
		if k.written = (moment{f.atOnce, f.doubts}); disputed {
			k.doubts--
		}
	}
	return d
}

// begins reports whether a text is the one that a diff begins with.
func begins(d core.Diff, text string) bool {
	_, exact, err := apply(text, d.Unified)
	return d.Change == core.Write || d.Change != core.Create && exact && err == nil
}

// Clear forgets everything.
func (f *Files) Clear() {
	clear(f.byPath)
	f.order.Init()
	f.size, f.reads = 0, nil
}

// Kept is what was known of files at one moment.
type Kept []known

// Keep returns what is known now, for a later [Files.Back].
func (f *Files) Keep() Kept {
	kept := make(Kept, 0, f.order.Len())
	for e := f.order.Back(); e != nil; e = e.Prev() {
		kept = append(kept, *e.Value.(*known))
	}
	return kept
}

// Back has known what was known then, and nothing of what came after it. Whether
// the files are so again may be in doubt.
func (f *Files) Back(kept Kept) {
	f.Clear()
	for _, k := range kept {
		f.put(k)
	}
	f.Doubt()
}

// Write records that a file was given its whole content. The diff is against the text that the file
// had, if that is known; it creates a file that is known to be absent; else it is a [core.Write].
func (f *Files) Write(path, text string) core.Diff {
	before, state := f.now(path)
	if e, ok := f.byPath[Clean(path)]; ok && e.Value.(*known).turns != f.turns {
		state = unknown
	}
	if state == sure {
		d := f.changed(path, before, text, sure)
		f.Set(path, text)
		return d
	}
	f.Set(path, text)
	if state == absent {
		return Created(path, text)
	}
	return Written(path, text)
}

// Create records that a file was made that was not there before, as the tool says.
func (f *Files) Create(path, text string) core.Diff {
	f.Set(path, text)
	return Created(path, text)
}

// Replace records that a string of a file was replaced by another, once or
// everywhere. Old and New of the diff are these strings.
func (f *Files) Replace(path, before, after string, all bool) core.Diff {
	text, state := f.now(path)
	changed, ok := "", state == sure || state == believed
	if ok {
		changed, ok = Replace(text, before, after, all)
	}
	if !ok {
		f.Forget(path)
		return Replaced(path, before, after)
	}
	d := f.changed(path, text, changed, state)
	d.Old, d.New = &before, &after
	return d
}

// Pair is a replacement of one string by another, once or everywhere.
type Pair struct {
	Before, After string
	All           bool
}

// ReplaceAll records that strings of a file were replaced, one after the other.
func (f *Files) ReplaceAll(path string, pairs []Pair) core.Diff {
	if len(pairs) == 1 {
		return f.Replace(path, pairs[0].Before, pairs[0].After, pairs[0].All)
	}
	text, state := f.now(path)
	after, ok := text, state == sure || state == believed
	for i := 0; ok && i < len(pairs); i++ {
		after, ok = Replace(after, pairs[i].Before, pairs[i].After, pairs[i].All)
	}
	if !ok {
		f.Forget(path)
		return ReplacedAll(path, pairs)
	}
	return f.changed(path, text, after, state)
}

// Apply records a diff that the tool made itself. If the text that the file had is known and the
// diff applies to it, but not where it says, the numbers are put right.
func (f *Files) Apply(d core.Diff) core.Diff { return f.applied(d, true) }

// Follow records a diff that is right as it is, and that shows a text where it
// says. A text that it does not fit is forgotten. If a call that ran at the same time has
// given the file that text, it is not known which of the two the file held.
func (f *Files) Follow(d core.Diff) core.Diff { return f.applied(d, false) }

// applied records a diff, and puts its numbers right where that is wanted and the text is
// known for sure: of one that is believed, the tool knows better where it is.
func (f *Files) applied(d core.Diff, settle bool) core.Diff {
	from := d.Path
	if d.Change == core.Rename {
		from = d.OldPath
	}
	left, beside := f.left(from)
	before, state := f.now(from)
	if from != d.Path {
		f.Forget(from)
	}
	after, exact, err := "", false, seek.ErrNoMatch
	switch {
	case d.Change == core.Delete:
		f.Remove(from)
		return f.wrote(d, left, beside)
	case d.Change == core.Create:
		state = sure
		after, exact, err = apply("", d.Unified)
	case state == sure || state == believed:
		after, exact, err = apply(before, d.Unified)
	}
	switch {
	case err != nil, !exact && (state == believed || !settle):
		f.Forget(d.Path)
		return f.wrote(d, left, beside)
	case !exact:
		moved := FromTexts(d.Path, before, after)
		if d.Change == core.Rename {
			moved = Renamed(moved, from)
		}
		moved.Old, moved.New = d.Old, d.New
		d = moved
	}
	f.keep(d.Path, after, state)
	return f.wrote(d, left, beside)
}

// Patches records a V4A patch of any files. Resolve makes a path absolute.
func (f *Files) Patches(text string, resolve func(string) string) (diffs []core.Diff, err error) {
	parts, err := ParsePatch(text)
	if err != nil {
		return nil, err
	}
	for _, p := range Merge(parts) {
		if p.Path = resolve(p.Path); p.MoveTo != "" {
			p.MoveTo = resolve(p.MoveTo)
		}
		if d := f.Patch(p); d.Added+d.Removed > 0 || d.Change != core.Modify {
			diffs = append(diffs, d)
		}
	}
	return diffs, nil
}

// Move records that a file got another name. What is known of it moves along.
func (f *Files) Move(from, to string) {
	text, known := f.Text(from)
	f.Forget(from)
	f.Forget(to)
	if known {
		f.Set(to, text)
	}
}

// Delete records that a file was deleted. The diff has its text where that is known.
func (f *Files) Delete(path string) core.Diff {
	text, known := f.Text(path)
	f.Forget(path)
	if known {
		return Deleted(path, text)
	}
	return DeletedUnseen(path)
}

// Changed records both texts of a file: the one that it had and the one that it has.
func (f *Files) Changed(path, before, after string) core.Diff {
	f.Set(path, after)
	return FromTexts(path, before, after)
}

// Patch records a V4A patch of one file. A patch that adds a file writes it, whether it was there
// or not. Tools find the lines of an update although spaces and quotes differ, so that the lines of
// a patch are what the file held only if they are in its text.
func (f *Files) Patch(p FilePatch) core.Diff {
	if p.Change == core.Create {
		return f.Write(p.Path, p.Text)
	}
	before, state := f.now(p.Path)
	f.Remove(p.Path)
	if p.Change == core.Delete {
		if state == sure {
			return Deleted(p.Path, before)
		}
		return DeletedUnseen(p.Path)
	}
	d := p.Diff()
	if d.Path != p.Path {
		f.Forget(d.Path)
	} else {
		f.Forget(p.Path)
	}
	if state != sure && state != believed {
		return d
	}
	exact, err := p.DiffOf(before)
	if err != nil {
		return d
	}
	if exact.New != nil {
		f.keep(d.Path, *exact.New, state)
	}
	if state == believed {
		return p.placed(d, before)
	}
	exact.Old, exact.New = nil, nil // not what the tool recorded
	return exact
}
