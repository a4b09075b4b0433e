package input

import (
	"path/filepath"
	"slices"
	"strings"
)

// Divide returns parts of about size bytes each, as numbers of sources. A part ends at the end of
// a folder if possible, and never between a file and the folder with its name: sessions that
// continue each other are mostly together. There is only one part if a source can be read only
// once.
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

// isOnce reports whether a source can be read only once, such as a pipe or standard input.
func (p *Plan) isOnce() bool {
	return slices.ContainsFunc(p.sources, func(s source) bool { return s.size < 0 })
}

// Bytes returns the number of bytes of some sources.
func (p *Plan) Bytes(numbers []int) (n int64) {
	for _, i := range numbers {
		n += max(p.sources[i].size, 0)
	}
	return n
}

// Part returns a plan of some sources. Several parts may be read at the same time, each by one
// goroutine. [Plan.Join] adds the results of a part to the whole.
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

// Again returns a plan of some sources that were read before. Reading them does not count as
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

// Join adds the results of a part that was read.
func (p *Plan) Join(part *Plan) {
	p.sharing.Lock()
	defer p.sharing.Unlock()
	p.Skipped += part.Skipped
	for named, found := range part.found { // each for itself
		p.found[named] = p.found[named] || found
	}
}

// mostSmall is the size in bytes of the largest file that lanes read at the same time. The memory
// budget has room for one line or conversation of the largest size. A small file cannot have one;
// a packed file, a database, or a conversation in many files can.
const mostSmall = 8 << 20

// HasLarge reports whether one of the sources is larger than mostSmall.
func (p *Plan) HasLarge(numbers []int) bool {
	return slices.ContainsFunc(numbers, func(i int) bool { return p.sources[i].size > mostSmall })
}

// onlyOne waits until no other part reads a large source. Until [Plan.together] is called, no
// other part can.
func (p *Plan) onlyOne() {
	if p.whole != nil && !p.alone {
		p.whole.large.Lock()
		p.alone = true
	}
}

// together lets other parts read large sources again.
func (p *Plan) together() {
	if p.alone {
		p.alone = false
		p.whole.large.Unlock()
	}
}
