package bind

import (
	"iter"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/topic"
)

// changesObject reports whether an edit changes the number of things that a ban forbids, and
// whether it is known what those are: the options that were not chosen. A name is in a line
// with all of its parts in sequence, a phrase in a line with all of its words. A file
// extension stands for its files. The path of the edit counts as a changed line.
//
//	forbidden         changed by             not by
//	left-pad          -  "left-pad": "1.3"   +  padding-left: 2px
//	force push        +  git push --force    +  git push
//	js                app.js                 app.css
//	vendored files    vendor/x.js            src/x.js
func (c *changes) changesObject(e *segment.Edit, d *segment.Decision) (touched, known bool) {
	for _, o := range d.Options {
		if o.Chosen {
			continue
		}
		for text := range objectsOf(o.Text) {
			parts := sequence(text)
			if len(parts) == 0 {
				if text == "" {
					continue
				}
				if path := e.Diff.Path; strings.EqualFold(path[strings.LastIndexByte(path, '.')+1:], text) {
					return true, true
				}
				continue
			}
			known = true
			inOrder := !strings.ContainsAny(text, " \t\n")
			if containsWords(sequence(inProject(e)), parts, inOrder) || c.changesCount(e, parts, inOrder) {
				return true, true
			}
		}
	}
	return false, known
}

// objectsOf yields the things that an option names, without place, time, purpose and
// remarks: "lodash" and "ramda" of "lodash (too big) or ramda in this repo".
func objectsOf(option string) iter.Seq[string] {
	return func(yield func(string) bool) {
		begin := 0
		words := strings.Fields(option)
		for k, w := range words {
			end, next := false, false
			switch strings.ToLower(w) {
			case "in", "on", "at", "to", "for", "from", "with", "of", "as", "after", "before", "when", "if", "anywhere", "here":
				end = k > 0
			case "or", "nor":
				next = k > 0
			}
			if aside := strings.IndexAny(w, "(<"); aside == 0 && k > 0 {
				end = true
			}
			if !end && !next {
				continue
			}
			if !yield(strings.Join(words[begin:k], " ")) || end {
				return
			}
			begin = k + 1
		}
		yield(strings.Join(words[begin:], " "))
	}
}

// inProject returns the path of an edit relative to its project.
func inProject(e *segment.Edit) string {
	if p := e.Head.Project; p != nil {
		return strings.TrimPrefix(e.Diff.Path, p.Cwd)
	}
	return e.Diff.Path
}

// changes are the words of an edit's changed lines, read when they are first needed.
type changes struct {
	lines []changed
	words map[uint32]bool // of all lines
	reads int
}

// changed is a line that an edit adds or removes.
type changed struct {
	words []uint32
	added bool
}

// maxReads is how many objects are searched in the lines of one edit. A turn may have
// thousands of bans.
const maxReads = 256

// changesCount reports whether an edit changes the number of lines with these words.
func (c *changes) changesCount(e *segment.Edit, parts []uint32, inOrder bool) bool {
	if c.words == nil {
		c.words = map[uint32]bool{}
		eachChange(e, func(line string) {
			words := sequence(line[1:min(len(line), maxLine)])
			c.lines = append(c.lines, changed{words, line[0] == '+'})
			for _, w := range words {
				c.words[w] = true
			}
		})
	}
	if slices.ContainsFunc(parts, func(p uint32) bool { return !c.words[p] }) {
		return false
	}
	if c.reads++; c.reads > maxReads {
		return false
	}
	n := 0
	for _, line := range c.lines {
		switch {
		case !containsWords(line.words, parts, inOrder):
		case line.added:
			n++
		default:
			n--
		}
	}
	return n != 0
}

// containsWords reports whether a line has all of these words; with inOrder, in sequence.
func containsWords(line, parts []uint32, inOrder bool) bool {
	if !inOrder {
		return !slices.ContainsFunc(parts, func(p uint32) bool { return !slices.Contains(line, p) })
	}
	for ; len(line) >= len(parts); line = line[1:] {
		if slices.Equal(line[:len(parts)], parts) {
			return true
		}
	}
	return false
}

// sequence returns the words of a text in order.
func sequence(text string) (all []uint32) {
	topic.Each(text, func(word uint32) bool {
		all = append(all, word)
		return true
	})
	return all
}
