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

// taking takes what is forgotten out of a store, or with dry counts it.
type taking func(ctx context.Context, dry bool) (n int, what string, err error)

// run goes through all stores. One that fails is named, and the others are done.
//
// The same steps serve the dry run, which only counts.
func (p *plan) run(ctx context.Context, dry bool) (done []Store) {
	do := func(kind, path string, take taking) {
		s := Store{Store: kind, Path: path}
		var err error
		if s.Removed, s.What, err = take(ctx, dry); err != nil {
			s.Error = err.Error()
		}
		switch {
		case s.Removed == 0 && (s.What == "" || strings.HasPrefix(s.What, "0 ")):
			s.What = noLines
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

// noLines is what went of a store that had nothing.
const noLines = "nothing"

const deadLetters = "memdb.dead.ndjson"

// folders are those of the data and the state; "" is none.
func (p *plan) folders() (data, state string) {
	data, _ = p.app.DataDir() // without them there is nothing in them
	state, _ = p.app.StateDir(p.StateDir)
	return data, state
}

// lines are the files of lines of JSON.
func (p *plan) lines(data string) []string {
	names := found(data, "nodes.ndjson")
	for _, name := range p.Out {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// found returns the files that match a pattern below a folder; none without a
// folder.
func found(dir string, elements ...string) []string {
	if dir == "" {
		return nil
	}
	names, _ := filepath.Glob(filepath.Join(append([]string{dir}, elements...)...)) // the pattern is right
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

// database forgets in the database of nodes. With dry it only counts.
func (p *plan) database(ctx context.Context, dry bool) (n int, what string, err error) {
	f := removal.Request{Projects: p.what.Projects, Session: p.what.Session, IDs: p.what.IDs, Before: p.what.Before}
	var went removal.Counts
	if dry {
		went, err = wouldForget(ctx, p.Database, f)
	} else {
		went, err = sqlite.Forget(ctx, p.Database, f)
	}
	what = fmt.Sprintf("%d conversations, %d decisions, %d edits, %d bindings, %d messages, %d annotations",
		went.Conversations, went.Decisions, went.Edits, went.Bindings, went.Messages, went.Annotations)
	return int(went.Nodes()+went.Messages) + went.Annotations, what, err
}

// wouldForget counts what Forget would delete.
func wouldForget(ctx context.Context, name string, f removal.Request) (went removal.Counts, err error) {
	r, err := nodedb.Open(ctx, name)
	if err != nil {
		return went, err
	}
	went, err = removal.Count(ctx, r, f)
	return went, errors.Join(err, r.Close())
}

// fromLines takes lines out of a file that no watch writes to.
//
// The lock is taken and released first: a file that a watch writes to is an error, and
// nothing is rewritten below its feet.
func (p *plan) fromLines(name string, dry bool) (int, string, error) {
	if !dry {
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

// torn judges a line that may be the torn end of a file: of that nothing stays.
func (p *plan) torn(line []byte) (bool, error) {
	gone, err := p.book.Line(line)
	return gone || err != nil, nil
}

// memory judges a memory by its node.
func (p *plan) memory(path ...string) func(body []byte) (bool, error) {
	var doc jsondoc.Doc
	return func(body []byte) (bool, error) {
		if _, err := doc.Parse(body); err != nil {
			return false, nil //nolint:nilerr // it is none of ours
		}
		return p.book.Has(doc.Root().Path(path...)), nil
	}
}

// fromStore forgets in the memory database of this machine. It takes the lock that
// watch holds, so that a running watch is never raced.
func (p *plan) fromStore(ctx context.Context, dry bool) (n int, what string, err error) {
	place := target.MemoryPlace{StateDir: p.StateDir}
	name, state, err := place.Resolve(p.app.Machine)
	if err != nil {
		return 0, "", err
	}
	if !dry {
		l, failed := lock.Beside(name)
		if failed != nil {
			return 0, "", failed
		}
		defer l.Close()
	}
	s, err := store.Open(ctx, name, store.Options{Now: p.app.Now, Random: rand.Reader, StateDir: state})
	if err != nil {
		return 0, "", err
	}
	n, err = memdb.Forget(ctx, s, p.namespace(), dry, p.book.Line)
	return n, fmt.Sprintf("%d memories", n), errors.Join(err, s.Close()) //nolint:contextcheck // what was signed is written down, whatever ends the caller
}

// namespace returns the MemDB namespace that captures go to.
func (p *plan) namespace() string {
	if p.MemDB.Namespace == "" {
		return "captured"
	}
	return p.MemDB.Namespace
}

// fromServer forgets on the MemDB server of the settings, one memory at a time.
func (p *plan) fromServer(ctx context.Context, dry bool) (n int, what string, err error) {
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

// fromSpool forgets memories that wait for a server.
func (p *plan) fromSpool(ctx context.Context, name string, dry bool) (n int, what string, err error) {
	s, err := spool.Open(ctx, name)
	if err != nil {
		return 0, "", err
	}
	n, err = s.Forget(ctx, dry, p.memory("node"))
	return n, fmt.Sprintf("%d memories that wait", n), errors.Join(err, s.Close())
}

// fromDead forgets memories that a server refused and that were kept in a file.
func (p *plan) fromDead(name string, dry bool) (int, string, error) {
	n, err := forget.Lines(name, dry, p.memory("memory", "node"))
	return n, "", err
}

// fromJournals takes out of the journals the payloads that name a session or a project
// that is forgotten, or have the words of a node.
func (p *plan) fromJournals(ctx context.Context, dry bool) (int, string, error) {
	dir, err := p.app.JournalDir(p.StateDir)
	if err != nil {
		return 0, "", err
	}
	n, err := journal.Rewrite(ctx, dir, func(path string) (int, error) {
		return forget.Lines(path, dry, p.payload)
	})
	return n, "", err
}

// payload judges a line of a journal by what it names: whose it is stands in it in the
// words of many tools.
//
// A payload is judged by its text, because each tool names session and folder in fields
// of its own. A folder must stand there as a whole: /repo is not found in /repository.
func (p *plan) payload(line []byte) (bool, error) {
	if !p.what.Before.IsZero() {
		var doc jsondoc.Doc
		if _, err := doc.Parse(line); err != nil {
			return false, nil //nolint:nilerr // it is no payload
		}
		at, err := time.Parse(time.RFC3339Nano, doc.Root().Get("received").Str())
		if err != nil || !at.Before(p.what.Before) {
			return false, nil //nolint:nilerr // when it came is not known
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

// quoted is a text as it stands within a string of JSON.
func quoted(text string) []byte {
	q := jsondoc.AppendQuoteString(nil, text)
	return q[1 : len(q)-1]
}

// names reports whether a line has a folder, or a path below it, and not one that only
// begins or ends like it.
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

// checkpoints drops the notes about which transcripts were read: they name them.
func (p *plan) checkpoints(_ context.Context, dry bool) (n int, what string, err error) {
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

// untouched are files beside the stores that may be copies of them.
//
// They are only listed. A person may have made them as a backup.
func (p *plan) untouched() (names []string) {
	data, _ := p.folders()
	for _, dir := range slices.Compact([]string{data, filepath.Dir(p.Database)}) {
		for _, name := range found(dir, "*") {
			if isFile(name) && isCopy(filepath.Base(name)) && name != p.Database && !slices.Contains(p.lines(data), name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// isCopy reports whether a name looks like that of a copy of a store.
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
