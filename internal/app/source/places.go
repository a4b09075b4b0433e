package source

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/search"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/input"
)

// Places are the folders in which transcripts are looked for.
type Places struct {
	Home  string   // the home folder of the tools; "" means the user's own
	Tools []string // only these tools; empty means all
	Roots []string // folders in place of the tools' own
	Links bool     // symbolic links are followed out of the folders
}

// ToolNames returns the names of all tools with an adapter.
func ToolNames() []string {
	var names []string
	for _, a := range adapters.All() {
		names = append(names, string(a.Tool()))
	}
	return names
}

// KnownTools returns the names of the tools as a text for messages.
func KnownTools() string { return strings.Join(ToolNames(), ", ") }

// Detect returns a function like [adapters.Detect] that also knows the tools that the settings
// describe. Files in the places of such a tool are its own; a file elsewhere is its own if no
// other tool fits as well.
func Detect(e host.Machine) func(core.Sample) (core.Adapter, core.Fit) {
	if len(e.Own) == 0 {
		return adapters.Detect
	}
	return func(s core.Sample) (core.Adapter, core.Fit) {
		best, fit := adapters.Detect(s)
		for _, own := range e.Own {
			if f := own.Detect(s); f > fit || f == core.NativeFit {
				best, fit = own, f
			}
		}
		return best, fit
	}
}

// Layout returns a function like [adapters.Layout] that also knows the tools that the settings
// describe.
func Layout(e host.Machine) func(string, core.Schema) (core.Adapter, core.Layout) {
	return func(path string, s core.Schema) (core.Adapter, core.Layout) {
		best, layout := adapters.Layout(path, s)
		for _, own := range e.Own {
			if l, f := own.Layout(path, s); f == core.NativeFit || f != core.NoFit && best == nil {
				best, layout = own, l
			}
		}
		return best, layout
	}
}

// AdapterOf returns the adapter of a tool, or a usage error.
func AdapterOf(e host.Machine, tool string) (core.Adapter, error) {
	for _, own := range e.Own {
		if string(own.Tool()) == tool {
			return own, nil
		}
	}
	a, ok := adapters.ByTool(core.Tool(tool))
	if !ok {
		if near := search.Near(tool, ToolNames()); len(near) > 0 {
			return nil, usage.Errorf("unknown tool %q; there is %s", tool, strings.Join(near, ", "))
		}
		return nil, usage.Errorf("unknown tool %q; known are %s", tool, KnownTools())
	}
	return a, nil
}

// Adapters returns the adapters of the wanted tools.
func (p *Places) Adapters(e host.Machine) ([]core.Adapter, error) {
	if len(p.Tools) == 0 {
		return adapters.All(), nil
	}
	var chosen []core.Adapter
	for _, name := range p.Tools {
		a, err := AdapterOf(e, name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, a)
	}
	return chosen, nil
}

// Wants reports whether a tool's transcripts are wanted.
func (p *Places) Wants(t core.Tool) bool {
	return len(p.Tools) == 0 || slices.Contains(p.Tools, string(t))
}

// Choose limits the options of an input to the wanted tools.
func (p *Places) Choose(o *input.Options) {
	o.Want, o.IsStore, o.FollowLinks = p.Wants, p.IsStore, p.Links
}

// IsStore reports whether a wanted tool keeps a database at a path.
func (p *Places) IsStore(path string) bool { return adapters.KeepsDatabase(path, p.Wants) }

// Folders returns the folders of the wanted tools.
func (p *Places) Folders(e host.Machine) ([]discover.Root, error) {
	chosen, err := p.Adapters(e)
	if err != nil {
		return nil, err
	}
	d := discover.Env{OS: e.OS, Home: p.Home}
	if p.Home == "" {
		d.Getenv = e.Getenv
		if d.Home, err = e.Home(); err != nil {
			return nil, err
		}
	}
	roots := discover.Roots(chosen, d)
	for _, own := range e.Own {
		for _, pattern := range own.Paths() {
			if p.Wants(own.Tool()) && p.Home == "" {
				roots = append(roots, discover.Below(own, pattern))
			}
		}
	}
	for i := range roots {
		if roots[i].Dir, err = filepath.Abs(roots[i].Dir); err != nil {
			return nil, err
		}
	}
	return roots, nil
}

// Look returns the folders to search: Roots, or else those of the wanted tools.
func (p *Places) Look(e host.Machine) ([]discover.Root, error) {
	if _, err := p.Adapters(e); err != nil {
		return nil, err
	}
	if len(p.Roots) == 0 {
		return p.Folders(e)
	}
	var roots []discover.Root
	for _, dir := range p.Roots {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, fmt.Errorf("find root %s: %w", dir, err)
		}
		roots = append(roots, discover.Everything(abs))
	}
	return roots, nil
}

// Plan returns a plan of the transcripts below paths or, without paths, of the tools'
// transcripts and of the journals that belong to them. No transcript is read yet. The error is
// a usage error, or says that the home folder is not known.
func (p *Places) Plan(e host.Machine, o input.Options, stateDir string, paths []string) (*input.Plan, error) {
	if _, err := p.Adapters(e); err != nil {
		return nil, err
	}
	if paths = append(paths, p.Roots...); len(paths) > 0 {
		if p.Home != "" {
			return nil, usage.Errorf("--home is for when no path is given")
		}
		return o.Paths(paths), nil
	}
	roots, err := p.Folders(e)
	if err != nil {
		return nil, err
	}
	journals, err := Journals(e, stateDir, *p)
	if err != nil {
		return nil, err
	}
	if roots, err = WithJournals(roots, journals); err != nil {
		return nil, err
	}
	return o.Places(roots), nil
}
