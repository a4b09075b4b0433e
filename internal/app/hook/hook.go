// Package hook takes one call of a tool's hook: it stores what the tool passes, redacted
// and durable, and answers with the decisions in force, within two seconds.
//
// A tool waits for its hook, so a failure is never reported to the tool. What was not
// stored is found in the transcript later.
//
//	payload ── parse (adapters/hooks) ── excluded or forgotten? ── redact ──▶ journal, synced
//	                                            │ yes: nothing is kept
//	                                            ▼
//	database ── decisions in force ── recall ──▶ answer, if the event allows one
//
// A hook runs once for every call of a tool, so it must be quick: it reads no transcript, and the
// collector is off, since the process ends soon. The whole call takes at most patience.
package hook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/memscribe/memscribe/adapters/hooks"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/setup"
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

// Run keeps one payload: what can be read from in, or the last of the arguments. An in
// that is nil is a terminal, at which nothing is passed. What the tool is told is written
// to [setup.Setup.Data].
func Run(ctx context.Context, s *setup.Setup, o Options, in io.Reader, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if s.SetGCPercent != nil && s.SetMemoryLimit != nil {
		s.SetGCPercent(-1) // it ends before that would pay
		s.SetMemoryLimit(heap)
	}
	if s.SetMaxProcs != nil {
		s.SetMaxProcs(1) // threads that look for work cost more than they would do
	}
	body, err := payload(ctx, in, args)
	if err != nil {
		return fmt.Errorf("read payload: %w", err)
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	dir, err := s.JournalDir(o.StateDir)
	if err != nil {
		return fmt.Errorf("find state folder: %w", err)
	}
	if o.Privacy.NoContent {
		o.Withhold = "no_content"
	}
	tool := slug(toolOf(o.Tool, body))
	project, file, err := o.leftOut(s, tool, body)
	if project || err != nil {
		return err
	}
	if file {
		o.Withhold = "excluded"
	}
	done, failed := o.remind(ctx, s, tool, body)
	if done {
		return failed
	}
	return errors.Join(failed, o.keep(ctx, s, dir, tool, body))
}

// remind tells the tool what is in force, if that is wanted. It reports whether that is
// all that there is to do: of what is only about to be done nothing is kept.
func (o *Options) remind(ctx context.Context, s *setup.Setup, tool core.Tool, body []byte) (done bool, err error) {
	var doc jsondoc.Doc
	if !o.Recall.Wanted {
		return false, nil
	}
	if _, err := doc.Parse(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))); err != nil {
		return false, nil //nolint:nilerr // of something else than a payload nothing is known
	}
	c := read(tool, doc.Root())
	return c.moment == forgets || c.moment == edits && c.event != "AfterTool", o.recall(ctx, s, &c)
}

// keep makes a payload durable.
func (o *Options) keep(ctx context.Context, s *setup.Setup, dir string, tool core.Tool, body []byte) error {
	scrubber, err := redact.New(o.Privacy.Rules.Redaction)
	if err != nil {
		return err
	}
	j, err := journal.Open(filepath.Join(dir, host.HookJournals, string(tool)), journal.Standard())
	if err != nil {
		return err
	}
	return j.Append(ctx, journal.HookLine(scrubber, journal.Hook{
		Tool: tool, Received: s.Now(), Payload: body, Withhold: o.Withhold,
	}))
}

// leftOut reports whether a payload is of a project that is left out or forgotten, or
// else of a file that is left out.
func (o *Options) leftOut(s *setup.Setup, tool core.Tool, payload []byte) (project, file bool, err error) {
	leave, err := o.Privacy.Leave()
	if err != nil {
		return false, false, err
	}
	var doc jsondoc.Doc
	if _, broken := doc.Parse(bytes.TrimPrefix(payload, []byte("\xef\xbb\xbf"))); broken != nil {
		return false, false, nil //nolint:nilerr // of something else than a payload nothing is known
	}
	about := subjectOf(tool, doc.Root())
	if about.Project != nil && leave(pipeline.Subject{Tool: tool, Project: about.Project}) {
		return true, false, nil
	}
	if about.Project != nil {
		if project, err = isForgotten(s, about.Project); project || err != nil {
			return project, false, err
		}
	}
	return false, about.Path != "" && leave(about), nil
}

// isForgotten reports whether a project is to stay forgotten.
func isForgotten(s *setup.Setup, p *core.Project) (bool, error) {
	file, err := s.ForgottenFile()
	if err != nil {
		return false, nil //nolint:nilerr // where there is no data folder, nothing was ever forgotten
	}
	book, err := forget.Read(file)
	if err != nil {
		return false, err
	}
	return book.Project(p), nil
}

// subjectOf returns the project that a payload is about, and the file.
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

// payload returns what the tool passes: on standard input or, by Codex's older
// notifications, as the last argument.
func payload(ctx context.Context, stdin io.Reader, args []string) ([]byte, error) {
	if n := len(args); n > 0 && strings.HasPrefix(strings.TrimSpace(args[n-1]), "{") {
		return []byte(args[n-1]), nil
	}
	if stdin == nil {
		return nil, nil // a person ran it, and would wait for the end of what they do not type
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

// slug returns a tool in the letters that the names of tools, and of their
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
