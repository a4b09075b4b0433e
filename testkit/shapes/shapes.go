// Package shapes writes the tables of known record shapes: it learns the kinds of
// object and their members from transcripts.
package shapes

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Mark stands above what is learnt; what stands above it is written by hand.
const Mark = "# Learnt from recordings and published sessions:"

// Learner learns the shapes of one tool's records.
type Learner struct {
	head                   string
	kinds                  []string
	placed                 []string // the members of a change: what is new, and where
	opaque, named, release map[string]bool
	members                map[string]map[string]bool // by path
	versions               map[string]bool
}

// New returns a Learner that keeps what is in a table: what is written by hand, and
// what was learnt before, for not every transcript that taught it was kept.
func New(table []byte) *Learner {
	hand, learnt, _ := strings.Cut(string(table), Mark)
	l := &Learner{
		head: hand, opaque: map[string]bool{}, named: map[string]bool{}, release: map[string]bool{},
		members: map[string]map[string]bool{}, versions: map[string]bool{},
	}
	for line := range strings.Lines(hand) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		into := map[string]map[string]bool{"opaque": l.opaque, "named": l.named, "release": l.release}[words[0]]
		for _, w := range words[1:] {
			switch {
			case into != nil:
				into[w] = true
			case words[0] == "kind":
				l.kinds = append(l.kinds, w)
			case words[0] == "placed":
				l.placed = append(l.placed, w)
			}
		}
	}
	for line := range strings.Lines(learnt) {
		l.remember(strings.Fields(line))
	}
	return l
}

// remember takes in a line that was learnt before.
func (l *Learner) remember(words []string) {
	if len(words) == 0 {
		return
	}
	known := l.versions
	if words[0] != "version" {
		path := strings.TrimPrefix(words[0], "-")
		if l.members[path] == nil {
			l.members[path] = map[string]bool{}
		}
		known = l.members[path]
	}
	for _, w := range words[1:] {
		known[w] = true
	}
}

// Transcript learns from a transcript, a record a line or all of it one record.
func (l *Learner) Transcript(data []byte, whole bool) {
	var doc jsondoc.Doc
	lines := bytes.Split(data, []byte("\n"))
	if whole {
		lines = [][]byte{data}
	}
	for _, rest := range lines {
		for {
			rest = bytes.TrimLeft(rest, " \t\r\n\x00\ufeff")
			n, err := doc.Parse(rest)
			if err != nil {
				break
			}
			l.learn("", doc.Root())
			if len(l.placed) == 2 {
				l.place(doc.Root().Get(l.placed[1]), doc.Root().Get(l.placed[0]))
			}
			rest = rest[n:]
		}
	}
}

func (l *Learner) learn(path string, v jsondoc.Value) {
	for e := range v.Elems() {
		l.learn(path, e)
	}
	if v.Kind() != jsondoc.Object {
		return
	}
	var kinds []string
	for _, name := range l.kinds {
		if k := v.Get(name); k.Kind() == jsondoc.String {
			kinds = append(kinds, k.Str())
		}
	}
	if len(kinds) > 0 {
		path += ":" + strings.Join(kinds, "/")
	}
	if l.members[path] == nil {
		l.members[path] = map[string]bool{}
	}
	for name, held := range v.Fields() {
		l.member(path, name.Str(), held)
	}
}

func (l *Learner) member(path, key string, held jsondoc.Value) {
	l.members[path][key] = true
	switch {
	case l.release[key] && held.Str() != "":
		l.versions[held.Str()] = true
	case l.opaque[key]:
	case l.named[key]:
		for _, h := range held.Fields() {
			l.learn(path+">"+key+"{}", h)
		}
	default:
		l.learn(path+">"+key, held)
	}
}

// place learns a value where a path says that it stands, unless that is behind an
// object of a kind: which one, a path does not say.
func (l *Learner) place(where, v jsondoc.Value) {
	path, last := "", ""
	for key := range where.Elems() {
		if key.Kind() == jsondoc.Number {
			continue
		}
		if last != "" {
			path += ">" + last
		}
		if l.opaque[last] || l.hasKinds(path) {
			return
		}
		last = key.Str()
	}
	if last == "" {
		l.learn(path, v)
		return
	}
	if l.members[path] == nil {
		l.members[path] = map[string]bool{}
	}
	l.member(path, last, v)
}

func (l *Learner) hasKinds(path string) bool {
	for known := range l.members { // any of them
		if strings.HasPrefix(known, path+":") {
			return true
		}
	}
	return false
}

// Table is what was learnt, below what is written by hand.
func (l *Learner) Table() []byte {
	var b strings.Builder
	b.WriteString(strings.TrimRight(l.head, "\n") + "\n\n" + Mark + "\n")
	if len(l.versions) > 0 {
		fmt.Fprintf(&b, "version %s\n", strings.Join(slices.Sorted(maps.Keys(l.versions)), " "))
	}
	for _, path := range slices.Sorted(maps.Keys(l.members)) {
		name := path
		if path == "" || path[0] != ':' {
			name = "-" + path
		}
		if strings.ContainsAny(name, " \t\n") {
			continue
		}
		fmt.Fprintf(&b, "%s %s\n", name, strings.Join(slices.Sorted(maps.Keys(l.members[path])), " "))
	}
	return []byte(b.String())
}
