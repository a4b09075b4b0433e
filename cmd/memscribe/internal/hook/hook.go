// Package hook implements the command hook: it stores what a tool passes to its
// hook, redacted and durable, within two seconds.
package hook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/memscribe/memscribe/adapters/hooks"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/forget"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/io/journal"
)

const (
	// patience is how long a hook waits for its input and for the disk. A tool
	// that waits longer for a hook than this has other troubles.
	patience = 2 * time.Second
	// maxPayload is how much of a payload is looked at.
	maxPayload = 64 << 20
)

// Options say what is kept of a payload.
type Options struct {
	Privacy  source.Privacy
	Tool     string // that runs the hook; "": by what its input looks like
	StateDir string
	Withhold string // why of the payload only pointers are kept; "": all of it is
	Recall   Recall
}

// heap is the heap at which a hook collects garbage after all.
const heap = 110 << 20

// Run keeps one payload: what is on standard input, or the last of the arguments.
func Run(ctx context.Context, a *cli.App, o Options, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if a.SetGCPercent != nil && a.SetMemoryLimit != nil {
		a.SetGCPercent(-1) // it ends before that would pay
		a.SetMemoryLimit(heap)
	}
	if a.SetMaxProcs != nil {
		a.SetMaxProcs(1) // threads that look for work cost more than they would do
	}
	body, err := payload(ctx, a.Stdin, args)
	if err != nil {
		return fmt.Errorf("read payload: %w", err)
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	dir, err := a.JournalDir(o.StateDir)
	if err != nil {
		return fmt.Errorf("find state folder: %w", err)
	}
	if o.Privacy.NoContent {
		o.Withhold = "no_content"
	}
	tool := slug(toolOf(o.Tool, body))
	project, file, err := o.leftOut(a, tool, body)
	if project || err != nil {
		return err
	}
	if file {
		o.Withhold = "excluded"
	}
	done, failed := o.remind(ctx, a, tool, body)
	if done {
		return failed
	}
	return errors.Join(failed, o.keep(ctx, a, dir, tool, body))
}

// remind tells the tool what is in force, if that is wanted. It reports whether that is
// all that there is to do: of what is only about to be done nothing is kept.
func (o *Options) remind(ctx context.Context, a *cli.App, tool core.Tool, body []byte) (done bool, err error) {
	var doc jsondoc.Doc
	if !o.Recall.Wanted {
		return false, nil
	}
	if _, err := doc.Parse(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))); err != nil {
		return false, nil //nolint:nilerr // of something else than a payload nothing is known
	}
	c := read(tool, doc.Root())
	return c.moment == forgets || c.moment == edits && c.event != "AfterTool", o.recall(ctx, a, &c)
}

// keep makes a payload durable.
func (o *Options) keep(ctx context.Context, a *cli.App, dir string, tool core.Tool, body []byte) error {
	scrubber, err := redact.New(o.Privacy.Rules.Redaction)
	if err != nil {
		return err
	}
	j, err := journal.Open(filepath.Join(dir, host.HookJournals, string(tool)), journal.Standard())
	if err != nil {
		return err
	}
	return j.Append(ctx, journal.HookLine(scrubber, journal.Hook{
		Tool: tool, Received: a.Now(), Payload: body, Withhold: o.Withhold,
	}))
}

// leftOut reports whether a payload is of a project that is left out or forgotten, or
// else of a file that is left out.
func (o *Options) leftOut(a *cli.App, tool core.Tool, payload []byte) (project, file bool, err error) {
	leave, err := o.Privacy.Leave()
	if err != nil {
		return false, false, err
	}
	var doc jsondoc.Doc
	if _, broken := doc.Parse(bytes.TrimPrefix(payload, []byte("\xef\xbb\xbf"))); broken != nil {
		return false, false, nil //nolint:nilerr // of something else than a payload nothing is known
	}
	s := subjectOf(tool, doc.Root())
	if s.Project != nil && leave(pipeline.Subject{Tool: tool, Project: s.Project}) {
		return true, false, nil
	}
	if s.Project != nil {
		if project, err = isForgotten(a, s.Project); project || err != nil {
			return project, false, err
		}
	}
	return false, s.Path != "" && leave(s), nil
}

// isForgotten reports whether a project is to stay forgotten.
func isForgotten(a *cli.App, p *core.Project) (bool, error) {
	file, err := a.ForgottenFile()
	if err != nil {
		return false, nil //nolint:nilerr // where there is no data folder, nothing was ever forgotten
	}
	book, err := forget.Read(file)
	if err != nil {
		return false, err
	}
	return book.Project(p), nil
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
func payload(ctx context.Context, stdin io.Reader, args []string) ([]byte, error) {
	if n := len(args); n > 0 && strings.HasPrefix(strings.TrimSpace(args[n-1]), "{") {
		return []byte(args[n-1]), nil
	}
	if f, ok := stdin.(*os.File); ok {
		if term.IsTerminal(int(f.Fd())) {
			return nil, nil // a person ran it, and would wait for the end of what they do not type
		}
	}
	in := interrupt.Reader(ctx, stdin)
	body, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
	if err != nil || len(body) <= maxPayload {
		return body, err
	}
	_, err = io.Copy(io.Discard, in) // a writer must not fail for its reader
	return body[:maxPayload], err
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

// slug is a tool in the letters that the names of tools, and of their
// journals' folders, are made of: this one may come from anywhere.
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
