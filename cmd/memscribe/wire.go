package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/config"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/budget"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/intake"
	"github.com/memscribe/memscribe/io/omit"
	"github.com/memscribe/memscribe/io/shelf"
	"github.com/memscribe/memscribe/io/unpack"
)

// privacy are the flags about what may leave, and the user's rules.
type privacy struct {
	noRedact, noContent, digest bool
	exclude                     []string
	memory                      memory

	rules  *cli.Rules
	echoes bool // what only repeats a transcript gives nodes too
	shelf  pipeline.Shelf
	aside  *shelf.Shelf // where echoes wait; nil: they come like any other event
	shapes bool         // records are compared with what is known of their tool's
}

func (p *privacy) addFlags(a *app, cmd *cobra.Command) {
	p.rules = &a.Rules
	cmd.Flags().BoolVar(&p.noRedact, "no-redact", false, "leave secrets in")
	cmd.Flags().BoolVar(&p.noContent, "no-content", false, "write structure only: no texts, and paths as hashes")
	cli.Configurable(cmd, "no-content", "redact.no_content")
	cmd.Flags().StringSliceVar(&p.exclude, "exclude", nil, "leave out projects, files and transcripts that match; as in .gitignore, or a path from ~/ or / on")
	cli.Configurable(cmd, "exclude", "capture.exclude")
	cmd.Flags().BoolVar(&p.digest, "redact-digest", false, "have the same secret leave the same short digest, by a key in the state folder")
	cli.Configurable(cmd, "redact-digest", "redact.digest")
	cmd.Flags().Var(&p.memory, "memory", "how much memory the program may take, as 1GiB; an eighth of it is the longest line that is kept whole")
	cli.Configurable(cmd, "memory", "capture.memory")
}

// encoder writes what may leave, by the user's rules of redaction too.
func (p *privacy) encoder() (*core.Encoder, error) {
	e := &core.Encoder{NoContent: p.noContent}
	if p.noRedact {
		return e, nil
	}
	o := p.rules.Redaction
	if p.digest {
		key, err := p.rules.DigestKey()
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

// leave says what is left out of a capture.
func (p *privacy) leave() (func(pipeline.Subject) bool, error) {
	home := ""
	if p.rules.Home != nil {
		home, _ = p.rules.Home() // without one, ~ means nothing
	}
	omitted, err := omit.New(home, p.exclude)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("exclude: %w", err))
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

// places are the flags about where transcripts are looked for.
type places struct {
	home  string
	tools []string
	roots []string
	links bool // symbolic links are followed wherever they lead
}

func (p *places) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.home, "home", "", "home folder whose tools' transcripts are meant (default: your own)")
	cmd.Flags().StringSliceVar(&p.tools, "tools", nil, "only these tools, of "+knownTools())
	cmd.Flags().StringArrayVar(&p.roots, "root", nil, "look for transcripts in this folder instead (can be repeated)")
	cmd.Flags().BoolVar(&p.links, "follow-links", false, "follow symbolic links that lead out of the folders")
	cli.Configurable(cmd, "follow-links", "capture.follow_links")
	cli.ConfigurablePath(cmd, "home", "capture.home")
	cli.ConfigurablePath(cmd, "root", "capture.roots")
	cli.Configurable(cmd, "tools", "capture.tools", toolNames()...)
	for _, flag := range []string{"home", "tools", "root"} {
		config.WithoutArguments(cmd.Flag(flag))
	}
}

func toolNames() []string {
	var names []string
	for _, a := range adapters.All() {
		names = append(names, string(a.Tool()))
	}
	return names
}

func knownTools() string { return strings.Join(toolNames(), ", ") }

func adapterOf(tool string) (core.Adapter, error) {
	a, ok := adapters.ByTool(core.Tool(tool))
	if !ok {
		return nil, cli.Usagef("unknown tool %q; known are %s", tool, knownTools())
	}
	return a, nil
}

// adapters are those of the tools that are wanted.
func (p *places) adapters() ([]core.Adapter, error) {
	if len(p.tools) == 0 {
		return adapters.All(), nil
	}
	var chosen []core.Adapter
	for _, name := range p.tools {
		a, err := adapterOf(name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, a)
	}
	return chosen, nil
}

// wants says whether a tool's transcripts are wanted.
func (p *places) wants(t core.Tool) bool {
	return len(p.tools) == 0 || slices.Contains(p.tools, string(t))
}

// choose has only what is wanted read, and from where.
func (p *places) choose(o *intake.Options) {
	o.Want, o.IsStore, o.FollowLinks = p.wants, p.isStore, p.links
}

// isStore says by its path whether a wanted tool keeps a database there.
func (p *places) isStore(path string) bool { return adapters.KeepsDatabase(path, p.wants) }

// folders are the tools' own ones.
func (p *places) folders(e cli.Env) ([]discover.Root, error) {
	chosen, err := p.adapters()
	if err != nil {
		return nil, err
	}
	d := discover.Env{OS: e.OS, Home: p.home}
	if p.home == "" {
		d.Getenv = e.Getenv
		if d.Home, err = e.Home(); err != nil {
			return nil, err
		}
	}
	roots := discover.Roots(chosen, d)
	for i := range roots {
		if roots[i].Dir, err = filepath.Abs(roots[i].Dir); err != nil {
			return nil, err
		}
	}
	return roots, nil
}

// intakeOptions are what all commands want of files.
func intakeOptions(ctx context.Context) intake.Options {
	return intake.Options{
		Detect: adapters.Detect, Layout: adapters.Layout, IsStore: (&places{}).isStore, Limits: unpack.Standard(),
		Wrap: func(r io.Reader) io.Reader { return cli.Interruptible(ctx, r) },
	}
}

// destination is where a capture goes: to a sink, or as a stream of events.
type destination struct {
	nodes  sink.Sink
	events io.Writer
}

// newCapture builds the way from transcripts to a destination.
func newCapture(p privacy, b *budget.Budget, to destination, r *cli.Reporter) (*capture.Capture, error) {
	encoder, err := p.encoder()
	if err != nil {
		return nil, err
	}
	leave, err := p.leave()
	if err != nil {
		return nil, err
	}
	set, err := pipeline.NewSet(pipeline.Options{Leave: leave, Rules: p.rules.Gate, Threshold: p.rules.Threshold, Echoes: p.echoes, Shelf: p.shelf, Shapes: p.shapes, MaxFacts: b.Facts()})
	if err != nil {
		return nil, err
	}
	return capture.New(capture.Options{
		Set: set, Encoder: encoder, Sink: to.nodes, Events: to.events, Echoes: p.aside, Report: r.Problem,
		MaxLine: b.Line(), MaxDocument: b.Document(),
	}), nil
}

// reading is a series of transcripts, and what is made of them.
type reading struct {
	privacy

	plan   *intake.Plan
	report *cli.Reporter
}

// readNodes delivers the nodes of the transcripts.
func (a *app) readNodes(ctx context.Context, r reading, s sink.Sink) (err error) {
	texts, err := shelf.New()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, texts.Close()) }()
	r.shelf = texts
	c, err := newCapture(r.privacy, a.reads(r.privacy), destination{nodes: s}, r.report)
	if err != nil {
		return err
	}
	return a.readAll(ctx, r.plan, c, r.report)
}

// readEvents prints the events of the transcripts as they come, those before an
// error too; echoes at the end, if they are the only witnesses.
func (a *app) readEvents(ctx context.Context, r reading, w io.Writer) (err error) {
	if !r.echoes {
		if r.aside, err = shelf.New(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.aside.Close()) }()
	}
	buf := bufio.NewWriterSize(w, 256<<10)
	c, err := newCapture(r.privacy, a.reads(r.privacy), destination{events: buf}, r.report)
	if err != nil {
		return err
	}
	return errors.Join(a.readAll(ctx, r.plan, c, r.report), buf.Flush())
}

// readAll reads the transcripts of a plan.
func (a *app) readAll(ctx context.Context, p *intake.Plan, c *capture.Capture, r *cli.Reporter) error {
	defer r.Left(p.Links)
	for t, err := range p.Transcripts(ctx) {
		if err != nil {
			r.CannotOpen(err)
			continue
		}
		s := c.Open(capture.Transcript{Adapter: t.Adapter, Info: t.Info, Framing: t.Framing, File: t.File, Key: t.Key})
		if t.Rows != nil {
			err = s.Rows(ctx, t.Rows)
		} else {
			err = s.Read(ctx, t.Body)
		}
		if err != nil {
			return err
		}
		stats, err := s.Close(ctx)
		if err != nil {
			return err
		}
		r.Seen(t, stats)
	}
	return c.Settle(ctx)
}
