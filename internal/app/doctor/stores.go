package doctor

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/forget"
	"github.com/memscribe/memscribe/internal/human"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/input"
	"github.com/memscribe/memscribe/io/store"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// checkStores examines the folders of the tools.
func (e *examination) checkStores(ctx context.Context) error {
	roots, err := e.Places.Look(e.setup.Machine)
	if err != nil {
		return err
	}
	for _, root := range roots {
		s, err := look(ctx, root, roots, e.Places.Links)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.count(ctx, e.setup.Machine)
		if err != nil {
			e.add("stores", Wrong, "let the user that runs memscribe read it", "%s cannot be read: %v", root.Dir, err)
		}
		if len(s.left) > 0 {
			e.add("stores", Note, "--follow-links follows them, and capture.follow_links",
				"%s: %d symbolic links lead out of the folders of the tools and are not followed: %s", root.Dir, len(s.left), s.left[0])
		}
		for _, p := range s.broken {
			e.add("stores", Wrong, "restore it from a backup, or move it away", "%s cannot be read: %v", p.File, p.Err)
		}
		s.sortBeside(roots)
		e.Stores = append(e.Stores, s)
		e.checkStore(ctx, s)
	}
	if len(e.Stores) == 0 {
		e.add("stores", Doubt, "use a tool once, or name folders with --root; --tool lists the tools", "no tool has a store here")
	}
	return e.checkForeign(roots)
}

// look counts the files in a store.
//
// Folders that cannot contain transcripts are not entered; peek looks at the files directly in
// them. The error joins those of all folders that could not be read; the Store has what was found.
func look(ctx context.Context, root discover.Root, all []discover.Root, links bool) (Store, error) {
	s := Store{Folder: root.Dir}
	if root.Adapter != nil {
		s.Tool = root.Adapter.Tool()
	}
	var failed error
	w := discover.Walk{Follow: links, Store: (&source.Places{}).IsStore, Left: func(path string) { s.left = append(s.left, path) }}
	for _, r := range all {
		w.Roots = append(w.Roots, r.Dir)
	}
	w.Enter = func(dir, rel string) bool {
		s.folders++
		enter := root.Enter(rel)
		if !enter {
			s.peek(dir)
		}
		return enter && ctx.Err() == nil
	}
	for f, err := range w.Files(root.Dir) {
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		s.file(root, f)
	}
	if s.Transcripts == 0 && errors.Is(failed, fs.ErrNotExist) {
		return s, failed
	}
	return s, failed
}

// file counts a file of the store: as a transcript if a pattern of the tool's places
// matches, else as something that looks like a store and is not read.
func (s *Store) file(root discover.Root, f discover.File) {
	if !root.Holds(f.Rel) {
		if isStore(f.Rel) {
			s.besides = append(s.besides, f.Path)
		}
		return
	}
	s.Transcripts++
	s.Bytes += f.Info.Size()
	at := f.Info.ModTime()
	if discover.Plain(f.Rel) != f.Rel {
		s.packed++
	} else if s.oldestPlain == nil || at.Before(*s.oldestPlain) {
		s.oldestPlain = &at
	}
	if slices.Contains([]string{".db", ".sqlite", ".sqlite3", ".vscdb"}, filepath.Ext(f.Rel)) {
		s.databases = append(s.databases, f.Path)
	} else {
		s.Conversations++
	}
	if s.Oldest == nil || at.Before(*s.Oldest) {
		s.Oldest = &at
	}
	if s.Newest == nil || at.After(*s.Newest) {
		s.Newest, s.NewestFile = &at, f.Path
	}
}

// count adds the conversations in the databases of a store, and records which databases cannot be
// read.
func (s *Store) count(ctx context.Context, e host.Machine) {
	for _, file := range s.databases {
		n, err := conversationsIn(ctx, e, file)
		if s.Conversations += n; err != nil {
			s.broken = append(s.broken, input.NewProblem(file, err))
		}
	}
}

// conversationsIn returns the number of conversations in a database. Unknown tables, or a tool
// that is writing, are no error if the database is sound. A database that no adapter knows is
// checked for damage only if a tool is known to keep one at that path.
func conversationsIn(ctx context.Context, e host.Machine, file string) (n int, err error) {
	options := source.IntakeOptions(ctx, e)
	db, err := store.Open(file, func(path string, schema core.Schema) (core.Adapter, core.Layout) {
		return options.Layout(filepath.ToSlash(path), schema)
	})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	switch n, err = db.Count(ctx); {
	case errors.Is(err, store.ErrBusy):
		return 0, nil
	case errors.Is(err, store.ErrUnknown) && options.IsStore(filepath.ToSlash(file)):
		_, err = db.Check(ctx)
		return 0, err
	case errors.Is(err, store.ErrUnknown):
		return 0, nil
	}
	return n, err
}

// checkStore checks one tool's store: unread files, unknown records, and wrong times.
func (e *examination) checkStore(ctx context.Context, s Store) {
	e.sayBeside(&s)
	if s.Transcripts == 0 {
		return
	}
	e.checkDrift(ctx, s)
	e.checkClock(s)
}

// checkDrift looks for unknown records in the newest transcript of a store.
//
// It represents the tool's present version. Files of more than 64 MiB are left to the command
// verify. The reader has no sink and encodes without content, so nothing of the transcript can
// leave it.
func (e *examination) checkDrift(ctx context.Context, s Store) {
	const most = 64 << 20
	if info, err := os.Stat(s.NewestFile); err != nil {
		return
	} else if info.Size() > most {
		e.add("drift", Note, "'memscribe verify "+s.NewestFile+"' does", "%s: its newest transcript has %s and was not read", s.Tool, human.Size(info.Size()))
		return
	}
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		return
	}
	stats := pipeline.Stats{Unknown: map[string]int64{}}
	reader := capture.New(capture.Options{Set: set, Encoder: &encode.Encoder{NoContent: true}, Report: func(capture.Problem) {}})
	options := source.IntakeOptions(ctx, e.setup.Machine)
	e.Places.Choose(&options)
	for t, err := range options.Paths([]string{s.NewestFile}).Transcripts(ctx) {
		if err != nil {
			e.add("drift", Doubt, "see what it is: 'memscribe parse --events "+s.NewestFile+"'", "%s: its newest transcript cannot be read: %v", s.Tool, report.Unwrapped(err))
			return
		}
		stream := reader.Open(capture.Transcript{Adapter: t.Adapter, Info: t.Info, Framing: t.Framing, File: t.File, Key: t.Key})
		if t.Rows != nil {
			err = stream.Rows(ctx, t.Rows)
		} else {
			err = stream.Read(ctx, bufio.NewReader(t.Body))
		}
		got, closeErr := stream.Close(ctx)
		if err != nil || closeErr != nil {
			return
		}
		stats.Records += got.Records
		for kind, n := range got.Unknown { // order does not matter: counts
			stats.Unknown[kind] += n
		}
	}
	if len(stats.Unknown) == 0 {
		e.add("drift", OK, "", "%s: every record of its newest transcript is known (%d)", s.Tool, stats.Records)
		return
	}
	e.add("drift", Doubt, "the records are kept; a newer memscribe may know them",
		"%s: its newest transcript has records that no adapter knows: %s", s.Tool, strings.Join(slices.Sorted(maps.Keys(stats.Unknown)), ", "))
}

// nodeSums is a sink that keeps only a SHA-256 of each node, by id. It leaves out the nodes
// that are older than the horizon of the database, as the database would refuse them.
type nodeSums struct {
	sums  map[string][32]byte
	since schema.Horizon
}

// Apply implements [sink.Sink].
func (n *nodeSums) Apply(_ context.Context, lines []sink.Line) error {
	for _, l := range lines {
		keeps, err := sqlite.Keeps(n.since, l.JSON)
		if err != nil {
			return err
		}
		if keeps {
			n.sums[l.ID] = sumOf(l.JSON)
		}
	}
	return nil
}

// Flush implements [sink.Sink].
func (*nodeSums) Flush(context.Context) error { return nil }

// Close implements [sink.Sink].
func (*nodeSums) Close() error { return nil }

// reread reads every transcript again, as replay does.
//
// It keeps 32 bytes for each node, so a database of a million nodes needs about 100 MB.
func (e *examination) reread(ctx context.Context, since schema.Horizon) (map[string][32]byte, error) {
	options := source.IntakeOptions(ctx, e.setup.Machine)
	e.Places.Choose(&options)
	bar := e.setup.Progress(false)
	bar.Of(&options)
	plan, err := e.Places.Plan(e.setup.Machine, options, e.StateDir, nil)
	if err != nil {
		return nil, err
	}
	sums := &nodeSums{map[string][32]byte{}, since}
	r := source.Reading{Privacy: e.Privacy, Plan: plan, Report: e.setup.NewReporter(), Env: e.setup.Machine}
	defer bar.Over(plan)()
	var to sink.Sink = sums
	if file, failed := e.setup.ForgottenFile(); failed == nil {
		if to, err = forget.Keep(sums, file); err != nil {
			return nil, err
		}
	}
	return sums.sums, r.Nodes(ctx, to)
}
