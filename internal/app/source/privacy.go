// Package source sets up the input of a command: the transcripts to read, the
// exclusions, the redaction rules and the memory budget. It leads transcripts to a
// sink or to a stream of events.
//
// From what a user names to the sink:
//
//	Places ── folders, tools, journals ──▶ input.Plan ──▶ Reading ──▶ capture ──▶ sink
//	Privacy ── exclusions ────────────────────────────────────────────┘ │
//	        └─ redaction, NoContent ──────────────────────────── encoder ┘
//	Memory ── budget ──▶ how many lanes, how lazy the collector is
//
// Reading on several lanes gives the sink what one lane gives it; only the order of
// lines differs.
//
// Where to find what:
//
//	places.go, journals.go   where transcripts and journals are
//	privacy.go, held.go      exclusion and redaction; what was stored before an exclusion
//	reading.go               reading a plan once, into nodes or events
//	lanes.go                 the same by several goroutines, with the same result
//	memory.go, pace.go       the memory budget, and the garbage collector
//	jobs.go                  how many lanes
package source

import (
	"fmt"
	"path/filepath"

	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/io/ignore"
)

// Privacy is what the user allows to leave the program, and the memory budget.
type Privacy struct {
	NoRedact  bool     // secrets are not removed
	NoContent bool     // no texts, and paths as hashes
	Digest    bool     // placeholders of the same secret have the same digest
	Exclude   []string // patterns of projects, files and transcripts to leave out
	Memory    Memory
	Echoes    bool // events that repeat a transcript give nodes, too

	Rules *setup.Rules
}

// Encoder returns an encoder that redacts by the built-in and the user's rules. Each caller gets
// an engine of its own; lanes fork it, so that the rules are compiled once.
func (p *Privacy) Encoder() (*encode.Encoder, error) {
	e := &encode.Encoder{NoContent: p.NoContent}
	if p.NoRedact {
		return e, nil
	}
	o := p.Rules.Redaction
	if p.Digest {
		key, err := p.Rules.DigestKey()
		if err != nil {
			return nil, err
		}
		o.DigestKey = key
	}
	engine, err := redact.New(o)
	if err != nil {
		return nil, err
	}
	e.Scrubber = engine
	return e, nil
}

// Leave returns a function that reports whether a project or a file is excluded. A relative
// path of an edit is below the project's folder. The error is a usage error about a pattern.
// The function is pure and may be called by several goroutines.
func (p *Privacy) Leave() (func(pipeline.Subject) bool, error) {
	home := ""
	if p.Rules.Home != nil {
		home, _ = p.Rules.Home() // without a home folder, ~ has no meaning
	}
	omitted, err := ignore.New(home, p.Exclude)
	if err != nil {
		return nil, usage.Mark(fmt.Errorf("exclude: %w", err))
	}
	return func(s pipeline.Subject) bool {
		if s.Path != "" {
			path := s.Path
			if s.Project != nil && s.Project.Cwd != "" && !filepath.IsAbs(path) {
				path = filepath.Join(s.Project.Cwd, path)
			}
			return omitted.Path(path)
		}
		return omitted.Project(s.Tool, s.Project.Cwd) || omitted.Project(s.Tool, s.Project.RepoRoot)
	}, nil
}
