package edit

import (
	"container/list"

	"github.com/memscribe/memscribe/core"
)

// DefaultFilesLimit is how many bytes of text a [Files] keeps unless told
// otherwise.
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
}

type known struct {
	path, text string
	doubts     int // there were when the text was seen
}

// Text returns the text of a file, if it is known.
func (f *Files) Text(path string) (string, bool) {
	e, ok := f.byPath[Clean(path)]
	if !ok {
		return "", false
	}
	f.order.MoveToFront(e)
	return e.Value.(*known).text, true
}

// Set says that a file has this text now.
func (f *Files) Set(path, text string) {
	path = Clean(path)
	f.Forget(path)
	limit := f.Limit
	if limit <= 0 {
		limit = DefaultFilesLimit
	}
	if len(path)+len(text) > limit {
		return
	}
	if f.byPath == nil {
		f.byPath = map[string]*list.Element{}
	}
	f.byPath[path] = f.order.PushFront(&known{path, text, f.doubts})
	f.size += len(path) + len(text)
	for f.size > limit {
		f.Forget(f.order.Back().Value.(*known).path)
	}
}

// Forget says that the text of a file is not known any more.
func (f *Files) Forget(path string) {
	path = Clean(path)
	e, ok := f.byPath[path]
	if !ok {
		return
	}
	delete(f.byPath, path)
	f.order.Remove(e)
	f.size -= len(path) + len(e.Value.(*known).text)
}

// Doubt says that something may have changed any file. Texts stay known, but a
// patch is not shown in more of them than it names itself.
func (f *Files) Doubt() { f.doubts++ }

// doubtful reports whether a text was seen before the last doubt.
func (f *Files) doubtful(path string) bool {
	e, ok := f.byPath[Clean(path)]
	return !ok || e.Value.(*known).doubts != f.doubts
}

// Clear forgets everything.
func (f *Files) Clear() {
	clear(f.byPath)
	f.order.Init()
	f.size = 0
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
		f.Set(k.path, k.text)
	}
	f.Doubt()
}

// Write records that a file was written whole. The diff is against the text
// that it had, if that is known, and else creates it.
func (f *Files) Write(path, text string) core.Diff {
	before, ok := f.Text(path)
	f.Set(path, text)
	if !ok {
		return Created(path, text)
	}
	return FromTexts(path, before, text)
}

// Replace records that a string of a file was replaced by another, once or
// everywhere. Old and New of the diff are these strings.
func (f *Files) Replace(path, before, after string, all bool) core.Diff {
	d := core.Diff{}
	text, ok := f.Text(path)
	changed := ""
	if ok {
		changed, ok = Replace(text, before, after, all)
	}
	if ok {
		d = FromTexts(path, text, changed)
		f.Set(path, changed)
	} else {
		d = Replaced(path, before, after)
		f.Forget(path)
	}
	d.Old, d.New = &before, &after
	return d
}

// Apply records a diff that the tool made itself. If the text that the file had
// is known and the diff applies to it, but not where it says, the numbers are
// put right.
func (f *Files) Apply(d core.Diff) core.Diff {
	from := d.Path
	if d.Change == core.Rename {
		from = d.OldPath
	}
	before, ok := f.Text(from)
	if from != d.Path {
		f.Forget(from)
	}
	if d.Change == core.Delete {
		f.Forget(from)
		return d
	}
	if d.Change == core.Create {
		before, ok = "", true
	}
	if !ok {
		f.Forget(d.Path)
		return d
	}
	after, exact, err := apply(before, d.Unified)
	if err != nil {
		f.Forget(d.Path)
		return d
	}
	f.Set(d.Path, after)
	if exact {
		return d
	}
	moved := FromTexts(d.Path, before, after)
	if d.Change == core.Rename {
		moved = Renamed(moved, from)
	}
	moved.Old, moved.New = d.Old, d.New
	return moved
}

// Follow records a diff that is right as it is, and that shows a text where it
// says. A text that it does not fit is forgotten.
func (f *Files) Follow(d core.Diff) {
	from := d.Path
	if d.Change == core.Rename {
		from = d.OldPath
	}
	before, ok := f.Text(from)
	f.Forget(from)
	f.Forget(d.Path)
	if d.Change == core.Delete {
		return
	}
	if d.Change == core.Create {
		before, ok = "", true
	}
	if !ok {
		return
	}
	if after, exact, err := apply(before, d.Unified); err == nil && exact {
		f.Set(d.Path, after)
	}
}

// Rewrite records that a file was created, whether it was there or not. The diff
// is against the text that it had if that is known for sure, and else creates
// it.
func (f *Files) Rewrite(path, text string) core.Diff {
	if f.doubtful(path) {
		f.Forget(path)
	}
	return f.Write(path, text)
}

// Patch records a V4A patch of one file. A patch that creates a file that is
// known already changes it.
func (f *Files) Patch(p FilePatch) core.Diff {
	before, ok := f.Text(p.Path)
	doubtful := f.doubtful(p.Path)
	f.Forget(p.Path)
	d := p.Diff()
	if d.Path != p.Path {
		f.Forget(d.Path)
	}
	if !ok || doubtful && p.Change != core.Modify && p.Change != core.Rename {
		if p.Change == core.Create {
			f.Set(p.Path, p.Text)
		}
		return d
	}
	exact, err := p.DiffOf(before)
	if err != nil {
		return d
	}
	after := exact.New
	if doubtful {
		exact = p.placed(d, before)
	}
	if after != nil {
		f.Set(d.Path, *after)
	}
	if p.Change == core.Modify || p.Change == core.Rename {
		exact.Old, exact.New = nil, nil // not what the tool recorded
	}
	if e, ok := f.byPath[d.Path]; ok && doubtful {
		e.Value.(*known).doubts--
	}
	return exact
}
