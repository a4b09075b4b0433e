package input

import (
	"path/filepath"
	"slices"
	"strings"
)

// Divide divides what will be read into parts of about size bytes, each given by the
// numbers of its sources. A part ends with a folder where that is possible, and never
// between a file and the folder that has its name: sessions that continue each other
// mostly lie together. There is one part if something can be read only once.
func (p *Plan) Divide(size int64) [][]int {
	var (
		parts [][]int
		part  []int
		bytes int64
		stem  string // of the folder that belongs to the latest file
	)
	for i := range p.sources {
		path := p.sources[i].path
		belongs := stem != "" && strings.HasPrefix(path, stem)
		if !belongs {
			stem = strings.TrimSuffix(path, filepath.Ext(path)) + string(filepath.Separator)
			ends := len(part) > 0 && filepath.Dir(path) != filepath.Dir(p.sources[i-1].path)
			if ends && bytes >= size/2 || bytes >= 2*size {
				parts, part, bytes = append(parts, part), nil, 0
			}
		}
		part, bytes = append(part, i), bytes+max(p.sources[i].size, 0)
	}
	parts = append(parts, part)
	if p.isOnce() {
		return [][]int{slices.Concat(parts...)}
	}
	return parts
}

// isOnce reports whether something can be read only once: a pipe, standard input.
func (p *Plan) isOnce() bool {
	return slices.ContainsFunc(p.sources, func(s source) bool { return s.size < 0 })
}

// Bytes returns how much some of the sources hold.
func (p *Plan) Bytes(numbers []int) (n int64) {
	for _, i := range numbers {
		n += max(p.sources[i].size, 0)
	}
	return n
}

// Part returns a plan of some of the sources. Several may be read at the same time, each by
// a goroutine of its own; what was found in one counts once [Plan.Join] was called.
func (p *Plan) Part(numbers []int) *Plan {
	part := p.Again(numbers)
	if p.options.Progress == nil {
		return part
	}
	before := int64(0)
	part.options.Progress = func(done int64) {
		p.sharing.Lock()
		defer p.sharing.Unlock()
		p.progress(done - before)
		before = done
	}
	return part
}

// Again returns a plan of some of the sources that were read before: reading them is no
// progress.
func (p *Plan) Again(numbers []int) *Plan {
	part := &Plan{options: p.options, found: map[string]bool{}, strays: p.strays, whole: p}
	part.options.Progress = nil
	for _, i := range numbers {
		part.sources = append(part.sources, p.sources[i])
		part.Size += max(p.sources[i].size, 0)
	}
	return part
}

// Join takes in what was found in a part that has been read.
func (p *Plan) Join(part *Plan) {
	p.sharing.Lock()
	defer p.sharing.Unlock()
	p.Skipped += part.Skipped
	for named, found := range part.found { // each for itself
		p.found[named] = p.found[named] || found
	}
}

// mostSmall is how large a file may be that is read beside others of its kind. What one
// line or conversation takes at most stands in the budget once; a small file cannot take
// it, and what is packed, a database, or a conversation in many files may.
const mostSmall = 8 << 20

// HasLarge reports whether one of the sources is too large to be read beside another one
// that is.
func (p *Plan) HasLarge(numbers []int) bool {
	return slices.ContainsFunc(numbers, func(i int) bool { return p.sources[i].size > mostSmall })
}

// onlyOne waits until no other part reads something large, and keeps them from it until
// [Plan.together].
func (p *Plan) onlyOne() {
	if p.whole != nil && !p.alone {
		p.whole.large.Lock()
		p.alone = true
	}
}

// together lets other parts read something large.
func (p *Plan) together() {
	if p.alone {
		p.alone = false
		p.whole.large.Unlock()
	}
}
