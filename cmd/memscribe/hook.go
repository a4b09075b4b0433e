package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/adapters/hooks"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/io/journal"
)

const (
	// hookPatience is how long a hook waits for its input and for the disk. A tool
	// that waits longer for a hook than this has other troubles.
	hookPatience = 2 * time.Second
	// maxPayload is how much of a payload is looked at.
	maxPayload = 64 << 20
)

type hookOptions struct {
	privacy

	tool     string
	stateDir string
	withhold string // why of the payload only pointers are kept
}

func (a *app) newHook() *cobra.Command {
	var o hookOptions
	cmd := &cobra.Command{
		Use:   "hook",
		Short: "Take in what a tool passes to its hooks",
		Long: `Hook is what a tool's hook runs: it takes what the tool passes on standard input,
or as the last argument, makes it durable, without its secrets, and ends. It
writes nothing to standard output and exits 0, whatever happens: a hook must not
disturb whoever runs it. With --verbose it says on stderr what went wrong.`,
		Example: `  memscribe hook --tool claude_code
  memscribe hook --tool codex '{"type":"agent-turn-complete"}'`,
		Args:               cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			o.withhold = "settings" // a rule of the user's may be among what cannot be read
			a.quietly(func() error {
				err := a.Configure(cmd, args)
				if err == nil {
					o.withhold = ""
				}
				return err
			})
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Started = true
			a.quietly(func() error { return a.hook(cmd.Context(), o, args) })
			return nil
		},
	}
	o.rules = &a.Rules
	cmd.Flags().BoolVar(&o.noContent, "no-content", false, "keep only whose payload it is and where its transcript lies")
	cli.Configurable(cmd, "no-content", "redact.no_content")
	cmd.Flags().StringSliceVar(&o.exclude, "exclude", nil, "keep nothing of projects that match")
	cli.Configurable(cmd, "exclude", "capture.exclude")
	cmd.SetFlagErrorFunc(func(*cobra.Command, error) error { return nil })
	cmd.Flags().StringVar(&o.tool, "tool", "", "the tool that runs the hook (default: what its input looks like)")
	cli.AddStateDir(cmd, &o.stateDir)
	return cmd
}

// quietly does what must not be noticed if it fails.
func (a *app) quietly(do func() error) {
	defer func() {
		if r := recover(); r != nil && a.Verbose {
			a.Stderr.Printf("memscribe: hook broke: %v\n", r)
		}
	}()
	if err := do(); err != nil && a.Verbose {
		a.Stderr.Printf("memscribe: %v\n", err)
	}
}

// hookHeap is the heap at which a hook collects garbage after all.
const hookHeap = 110 << 20

func (a *app) hook(ctx context.Context, o hookOptions, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, hookPatience)
	defer cancel()
	debug.SetGCPercent(-1) // it ends before that would pay
	debug.SetMemoryLimit(hookHeap)
	payload, err := a.payload(ctx, args)
	if err != nil {
		return fmt.Errorf("read payload: %w", err)
	}
	if len(bytes.TrimSpace(payload)) == 0 {
		return nil
	}
	dir, err := a.JournalDir(o.stateDir)
	if err != nil {
		return fmt.Errorf("find state folder: %w", err)
	}
	scrubber, err := redact.New(o.rules.Redaction)
	if err != nil {
		return err
	}
	if o.noContent {
		o.withhold = "no_content"
	}
	tool := slug(toolOf(o.tool, payload))
	project, file, err := o.leftOut(tool, payload)
	if project || err != nil {
		return err
	}
	if file {
		o.withhold = "excluded"
	}
	j, err := journal.Open(filepath.Join(dir, cli.HookJournals, string(tool)), journal.Standard())
	if err != nil {
		return err
	}
	return j.Append(ctx, journal.HookLine(scrubber, journal.Hook{
		Tool: tool, Received: a.Now(), Payload: payload, Withhold: o.withhold,
	}))
}

// leftOut reports whether a payload is of a project that is left out, or else of a
// file that is.
func (o *hookOptions) leftOut(tool core.Tool, payload []byte) (project, file bool, err error) {
	leave, err := o.leave()
	if err != nil {
		return false, false, err
	}
	var doc jsondoc.Doc
	if _, err := doc.Parse(bytes.TrimPrefix(payload, []byte("\xef\xbb\xbf"))); err != nil {
		return false, false, nil //nolint:nilerr // of something else than a payload nothing is known
	}
	s := subjectOf(tool, doc.Root())
	if s.Project != nil && leave(pipeline.Subject{Tool: tool, Project: s.Project}) {
		return true, false, nil
	}
	return false, s.Path != "" && leave(s), nil
}

// subjectOf is the project that a payload is about, and the file.
func subjectOf(tool core.Tool, payload jsondoc.Value) pipeline.Subject {
	s := pipeline.Subject{Tool: tool}
	cwd := cmp.Or(payload.Get("cwd").Str(), payload.Path("tool_info", "cwd").Str())
	for v := range payload.Get("workspace_roots").Elems() {
		cwd = cmp.Or(cwd, v.Str())
	}
	if cwd != "" {
		s.Project = &core.Project{Cwd: cwd}
	}
	s.Path = payload.Get("file_path").Str()
	for _, in := range []string{"tool_input", "toolArgs", "tool_info"} {
		args := payload.Get(in)
		s.Path = cmp.Or(s.Path, args.Get("file_path").Str(), args.Get("filePath").Str(), args.Get("path").Str())
	}
	return s
}

// payload is what the tool passes: on standard input or, by Codex's older
// notifications, as the last argument.
func (a *app) payload(ctx context.Context, args []string) ([]byte, error) {
	if n := len(args); n > 0 && strings.HasPrefix(strings.TrimSpace(args[n-1]), "{") {
		return []byte(args[n-1]), nil
	}
	if f, ok := a.Stdin.(*os.File); ok {
		if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
			return nil, err
		}
	}
	in := cli.Interruptible(ctx, a.Stdin)
	payload, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
	if err != nil || len(payload) <= maxPayload {
		return payload, err
	}
	_, err = io.Copy(io.Discard, in) // a writer must not fail for its reader
	return payload[:maxPayload], err
}

// toolOf says whose hook it is.
func toolOf(named string, payload []byte) core.Tool {
	var doc jsondoc.Doc
	if _, err := doc.Parse(bytes.TrimPrefix(payload, []byte("\xef\xbb\xbf"))); err != nil {
		return core.Tool(named)
	}
	tool, sure := hooks.ToolOf(doc.Root())
	if sure || named == "" {
		return tool
	}
	return core.Tool(named)
}

// slug is a tool in the letters of which the names of tools, and of their
// journals' folders, are made: this one may come from anywhere.
func slug(tool core.Tool) core.Tool {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_':
			return r
		}
		return -1
	}, strings.ToLower(string(tool)))
	name = strings.TrimLeft(name, "0123456789_")
	if name == "" {
		return hooks.Unnamed
	}
	return core.Tool(name[:min(len(name), 40)])
}
