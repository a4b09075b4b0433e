package ignore

import (
	"path"
	"strings"
)

// pattern is one line.
type pattern struct {
	segments []string
	back     bool // it reverses an earlier pattern
	all      bool // it matches everything
}

// patterns are the lines of a file, in order. The last one that matches counts.
type patterns []pattern

// parse parses a line. ok is false for a pattern that can match nothing.
func parse(text string) (pattern, bool) {
	var p pattern
	text, p.back = strings.CutPrefix(text, "!")
	text = strings.TrimSuffix(strings.TrimSpace(text), "/")
	rooted := strings.Contains(text, "/")
	text = strings.Trim(text, "/")
	if text == "" || text == "*" || text == "**" {
		p.all = !p.back
		return p, rooted || text != ""
	}
	p.segments = strings.Split(text, "/")
	if !rooted {
		p.segments = append([]string{"**"}, p.segments...)
	}
	for _, s := range p.segments {
		if _, err := path.Match(s, ""); err != nil || s == "" {
			return p, false
		}
	}
	return p, true
}

// match reports whether a path, or a folder above it, is left out, and whether any pattern matched.
func (ps patterns) match(name string) (out, said bool) {
	if len(ps) == 0 { // nearly every folder has none
		return false, false
	}
	segments := strings.Split(name, "/")
	for _, p := range ps {
		if p.all || p.matches(segments) {
			out, said = !p.back, true
		}
	}
	return out, said
}

// matches reports whether the pattern matches a path or a folder above it.
func (p *pattern) matches(segments []string) bool {
	for n := 1; n <= len(segments); n++ {
		if matchAll(p.segments, segments[:n]) {
			return true
		}
	}
	return false
}

// matchAll reports whether a pattern matches a whole path. It backtracks to the last "**" only,
// which is sufficient.
func matchAll(pattern, segments []string) bool {
	p, s := 0, 0
	starP, starS := -1, 0
	for s < len(segments) {
		if p < len(pattern) && pattern[p] == "**" {
			starP, starS = p, s
			p++
			continue
		}
		if p < len(pattern) {
			if ok, err := path.Match(pattern[p], segments[s]); ok && err == nil {
				p, s = p+1, s+1
				continue
			}
		}
		if starP < 0 {
			return false
		}
		starS++
		p, s = starP+1, starS
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}
