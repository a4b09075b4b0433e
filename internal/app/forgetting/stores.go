package forgetting

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/forget"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/internal/lock"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/removal"
	"github.com/memscribe/memscribe/io/checkpoint"
	"github.com/memscribe/memscribe/io/journal"
	"github.com/memscribe/memscribe/sink/memdb"
	"github.com/memscribe/memscribe/sink/memdb/client"
	"github.com/memscribe/memscribe/sink/memdb/spool"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// taking deletes from one store, or only counts if dry. n is how many things, what says it
// in words; "" stands for "n lines".
type taking func(ctx context.Context, dry bool) (n int, what string, err error)

// run works through all stores, or only counts if dry. An error of one store becomes part of
// its entry and does not stop the others. The order is the one of the package comment: what
// people query is deleted first. Stores that do not exist are left out.
func (p *part) run(ctx context.Context, dry bool) (done []Store) {
	do := func(kind, path string, take taking) {
		s := Store{Store: kind, Path: path}
		var err error
		if s.Removed, s.What, err = take(ctx, dry); err != nil {
			s.Error = err.Error()
		}
		switch {
		case s.Removed == 0 && (s.What == "" || strings.HasPrefix(s.What, "0 ")):
			s.What = nothing
		case s.What == "":
			s.What = fmt.Sprintf("%d lines", s.Removed)
		}
		done = append(done, s)
	}
	if p.Database != "" {
		do("database", p.Database, p.database)
	}
	if p.Postgres != "" {
		do("postgres", p.Postgres, func(context.Context, bool) (int, string, error) { return 0, "", errPostgres })
	}
	data, state := p.folders()
	for _, name := range p.lines(data) {
		do("lines", name, func(_ context.Context, dry bool) (int, string, error) { return p.fromLines(name, dry) })
	}
	if name := filepath.Join(data, "memories.db"); isFile(name) {
		do("memdb", name, p.fromStore)
	}
	if p.MemDB.URL != "" {
		do("memdb", p.MemDB.URL, p.fromServer)
	}
	for _, name := range found(state, "memdb-*", "memdb.spool") {
		do("spool", name, func(ctx context.Context, dry bool) (int, string, error) { return p.fromSpool(ctx, name, dry) })
	}
	for _, name := range slices.Concat(found(state, "memdb-*", deadLetters), found(data, deadLetters)) {
		do("refused", name, func(_ context.Context, dry bool) (int, string, error) { return p.fromDead(name, dry) })
	}
	if state != "" {
		do("journals", filepath.Join(state, "journal"), p.fromJournals)
		do("checkpoints", state, p.checkpoints)
	}
	if kept := filepath.Join(state, gitrepo.KeptFolder); state != "" && len(p.what.Projects) > 0 && isDir(kept) {
		do("git", kept, func(_ context.Context, dry bool) (int, string, error) {
			n, err := gitrepo.Discard(kept, dry)
			return n, fmt.Sprintf("%d files", n), err
		})
	}
	return done
}

// nothing is what is said of a store that had nothing to delete.
const nothing = "nothing"

// deadLetters is the file of memories that a server has refused.
const deadLetters = "memdb.dead.ndjson"

// folders returns the data folder and the state folder; "" if there is none.
func (p *part) folders() (data, state string) {
	data, _ = p.setup.DataDir() // a folder that cannot be named holds nothing
	state, _ = p.setup.StateDir(p.StateDir)
	return data, state
}

// lines returns the NDJSON files.
func (p *part) lines(data string) []string {
	names := found(data, "nodes.ndjson")
	for _, name := range p.Out {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// found returns the files that match a pattern below a folder; none if dir is "".
func found(dir string, elements ...string) []string {
	if dir == "" {
		return nil
	}
	// only a malformed pattern is an error
	names, _ := filepath.Glob(filepath.Join(append([]string{dir}, elements...)...))
	return names
}

// isDir reports whether name is a folder.
func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// isFile reports whether name is a regular file.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// database deletes nodes, messages and annotations from the node database. The sink overwrites
// freed pages, so that nothing of a deleted text is left in the file.
func (p *part) database(ctx context.Context, dry bool) (n int, what string, err error) {
	f := removal.Request{Projects: p.what.Projects, Session: p.what.Session, IDs: p.what.IDs, Before: p.what.Before}
	var went removal.Counts
	if dry {
		went, err = wouldForget(ctx, p.Database, f)
	} else if err = p.private(p.Database); err == nil {
		went, err = sqlite.Forget(ctx, p.Database, f)
	}
	what = fmt.Sprintf("%d conversations, %d decisions, %d edits, %d bindings, %d messages, %d annotations",
		went.Conversations, went.Decisions, went.Edits, went.Bindings, went.Messages, went.Annotations)
	return int(went.Nodes()+went.Messages) + went.Annotations, what, err
}

// wouldForget counts what [sqlite.Forget] would delete.
func wouldForget(ctx context.Context, name string, f removal.Request) (went removal.Counts, err error) {
	r, err := nodedb.Open(ctx, name)
	if err != nil {
		return went, err
	}
	went, err = removal.Count(ctx, r, f)
	return went, errors.Join(err, r.Close())
}

// fromLines deletes lines from an NDJSON file. If a watch is writing to the file, that is an
// error and the file stays as it is. Opening the lock of the file for a moment shows whether
// one is.
func (p *part) fromLines(name string, dry bool) (int, string, error) {
	if !dry {
		if err := p.private(name); err != nil {
			return 0, "", err
		}
		l, err := lock.OpenLog(name)
		if err != nil {
			return 0, "", err
		}
		if err := l.Close(); err != nil {
			return 0, "", err
		}
	}
	n, err := forget.Lines(name, dry, p.torn)
	return n, "", err
}

// private keeps an output that is about to be written to from others.
func (p *part) private(name string) error { return p.setup.Private(p.setup.Logger(), name, "") }

// torn reports whether a line is deleted. A line that is no JSON, such as the torn end of
// a file, cannot be judged and is deleted too.
func (p *part) torn(line []byte) (bool, error) {
	gone, err := p.book.Line(line)
	return gone || err != nil, nil
}

// memory returns a function that judges a memory by the node at path in it.
func (p *part) memory(path ...string) func(body []byte) (bool, error) {
	var doc jsondoc.Doc
	return func(body []byte) (bool, error) {
		if _, err := doc.Parse(body); err != nil {
			return false, nil //nolint:nilerr // it is not one of ours
		}
		return p.book.Has(doc.Root().Path(path...)), nil
	}
}

// fromStore forgets in the memory database of this machine. It holds the lock that watch takes,
// so the two never write at once. The hash chain of a database keeps an entry for each memory
// that was forgotten, without its text.
func (p *part) fromStore(ctx context.Context, dry bool) (n int, what string, err error) {
	place := target.MemoryPlace{StateDir: p.StateDir}
	name, state, err := place.Resolve(p.setup.Machine)
	if err != nil {
		return 0, "", err
	}
	if !dry {
		l, failed := lock.Beside(name)
		if failed != nil {
			return 0, "", failed
		}
		defer l.Close()
		if err = p.private(name); err != nil {
			return 0, "", err
		}
	}
	s, err := store.Open(ctx, name, store.Options{Now: p.setup.Now, Random: rand.Reader, StateDir: state})
	if err != nil {
		return 0, "", err
	}
	if n, err = memdb.Forget(ctx, s, p.namespace(), dry, p.book.Line); err == nil && !dry {
		err = s.Wiped(ctx)
	}
	return n, fmt.Sprintf("%d memories", n), errors.Join(err, s.Close()) //nolint:contextcheck // what was signed is written down, whatever ends the caller
}

// namespace returns the MemDB namespace that captures go to.
func (p *part) namespace() string {
	if p.MemDB.Namespace == "" {
		return "captured"
	}
	return p.MemDB.Namespace
}

// fromServer forgets on the MemDB server of the settings, one memory at a time.
func (p *part) fromServer(ctx context.Context, dry bool) (n int, what string, err error) {
	token := ""
	if p.MemDB.TokenFile != "" {
		if token, err = local.ReadToken(p.MemDB.TokenFile); err != nil {
			return 0, "", err
		}
	}
	c, err := client.New(client.Options{URL: p.MemDB.URL, Token: token})
	if err != nil {
		return 0, "", err
	}
	defer c.Close()
	n, err = memdb.Forget(ctx, c, p.namespace(), dry, p.book.Line)
	return n, fmt.Sprintf("%d memories", n), err
}

// fromSpool deletes memories that wait for a server.
func (p *part) fromSpool(ctx context.Context, name string, dry bool) (n int, what string, err error) {
	s, err := spool.Open(ctx, name)
	if err != nil {
		return 0, "", err
	}
	n, err = s.Forget(ctx, dry, p.memory("node"))
	return n, fmt.Sprintf("%d memories that wait", n), errors.Join(err, s.Close())
}

// fromDead deletes memories that a server refused and that were kept in a file.
func (p *part) fromDead(name string, dry bool) (int, string, error) {
	n, err := forget.Lines(name, dry, p.memory("memory", "node"))
	return n, "", err
}

// fromJournals deletes from the journals the payloads that name a forgotten session or
// project, or contain the text of a forgotten node.
func (p *part) fromJournals(ctx context.Context, dry bool) (int, string, error) {
	dir, err := p.setup.JournalDir(p.StateDir)
	if err != nil {
		return 0, "", err
	}
	n, err := journal.Rewrite(ctx, dir, func(path string) (int, error) {
		return forget.Lines(path, dry, p.payload)
	})
	return n, "", err
}

// payload reports whether a line of a journal is deleted. Each tool has members of its own for
// session and folder, so it searches the text of the line for the quoted session id or folder.
// With Before, only lines that were received before it count.
func (p *part) payload(line []byte) (bool, error) {
	if !p.what.Before.IsZero() {
		var doc jsondoc.Doc
		if _, err := doc.Parse(line); err != nil {
			return false, nil //nolint:nilerr // not a payload
		}
		at, err := time.Parse(time.RFC3339Nano, doc.Root().Get("received").Str())
		if err != nil || !at.Before(p.what.Before) {
			return false, nil //nolint:nilerr // its time is not known
		}
		if p.Project == "" && p.Session == "" {
			return true, nil
		}
	}
	if p.Node != "" {
		return p.words != "" && bytes.Contains(line, quoted(p.words)), nil
	}
	for _, s := range p.sessions {
		if s != "" && bytes.Contains(line, quoted(s)) {
			return true, nil
		}
	}
	return slices.ContainsFunc(p.what.Projects, func(folder string) bool { return names(line, quoted(folder)) }), nil
}

// quoted returns text as it is written inside a JSON string, without the quotes.
func quoted(text string) []byte {
	q := jsondoc.AppendQuoteString(nil, text)
	return q[1 : len(q)-1]
}

// names reports whether a line contains a folder or a path below it. A longer name that
// begins or ends with the same bytes does not count.
func names(line, folder []byte) bool {
	const (
		before = "\"'` \t(=:,;"
		after  = "\"'` \t)=:,;/\\"
	)
	for from := 0; ; {
		at := bytes.Index(line[from:], folder)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(folder)
		if (at == 0 || strings.IndexByte(before, line[at-1]) >= 0) && (end == len(line) || strings.IndexByte(after, line[end]) >= 0) {
			return true
		}
		from = at + 1
	}
}

// checkpoints deletes the notes about which transcripts were read, because they contain the
// names of files. The next watch reads all transcripts again. A running watch holds their lock
// and would write them again, so they are left to it.
func (p *part) checkpoints(_ context.Context, dry bool) (n int, what string, err error) {
	_, state := p.folders()
	notes := found(state, "done-*")
	if len(p.what.Projects) == 0 && p.what.Session == "" || len(notes) == 0 {
		return 0, "", nil
	}
	what = fmt.Sprintf("%d files that name transcripts", len(notes))
	if dry {
		return len(notes), what, nil
	}
	l, err := checkpoint.Acquire(state)
	if errors.Is(err, lock.ErrTaken) {
		return 0, "they name transcripts, and a running watch keeps them", nil
	}
	if err != nil {
		return 0, "", err
	}
	for _, name := range notes {
		err = errors.Join(err, os.Remove(name))
	}
	return len(notes), what, errors.Join(err, l.Release())
}

// untouched returns files beside the stores that look like copies of them. They are only
// listed, because a person may have made them as a backup.
func (p *part) untouched() (names []string) {
	data, _ := p.folders()
	for _, dir := range slices.Compact([]string{data, filepath.Dir(p.Database)}) {
		for _, name := range found(dir, "*") {
			if isFile(name) && isCopy(filepath.Base(name)) && !p.isOwn(name) && !slices.Contains(p.lines(data), name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// isOwn reports whether a file is the database, or one of those that belong to it.
func (p *part) isOwn(name string) bool {
	rest, ok := strings.CutPrefix(name, p.Database)
	return ok && (rest == "" || rest == "-wal" || rest == "-shm" || rest == ".lock")
}

// isCopy reports whether a file name looks like a copy of a store.
func isCopy(name string) bool {
	for _, ours := range []string{"nodes.db", "nodes.ndjson", "nodes.annotations.ndjson", "memories.db", deadLetters, forget.FileName} {
		if name == ours || name == ours+"-wal" || name == ours+"-shm" || name == ours+".lock" {
			return false
		}
	}
	for _, sign := range []string{"nodes", "memories", "backup", ".bak", ".old", ".db", ".sqlite", "~"} {
		if strings.Contains(name, sign) {
			return true
		}
	}
	return false
}
