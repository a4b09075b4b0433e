package doctor

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/config"
	"github.com/memscribe/memscribe/internal/human"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/nodedb/removal"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/visible"
)

// checkLimits compares the folders to be watched with the limits of inotify, on Linux
// only. More than 80 % of max_user_watches is a warning. Beyond the limit nothing is
// lost: folders that cannot be watched are polled.
func (e *examination) checkLimits() {
	if e.setup.OS != "linux" {
		return
	}
	folders := 0
	for _, s := range e.Stores {
		folders += s.folders
	}
	data, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	if err != nil {
		return
	}
	most, err := strconv.Atoi(strings.TrimSpace(string(data)))
	switch {
	case err != nil:
	case folders*10 > most*8:
		e.add("limits", Doubt, "raise it: sudo sysctl fs.inotify.max_user_watches="+strconv.Itoa(max(4*folders, 524288)),
			"%d folders are to be watched and the system allows %d for all programs; those beyond are looked at from time to time", folders, most)
	default:
		e.add("limits", OK, "", "%d folders are to be watched, of %d that the system allows", folders, most)
	}
	if exhausted := noMoreWatchers(); exhausted != nil {
		e.add("limits", Doubt, "raise it: sudo sysctl fs.inotify.max_user_instances=1024, or end programs that watch files",
			"no program of yours can begin to watch folders any more (%v): transcripts are looked at from time to time", exhausted)
	}
}

// checkDaemon reports whether watch is running.
//
// The pid is read from the lock of the state folder. A process that runs from a
// replaced file still runs the old version after an upgrade.
func (e *examination) checkDaemon() {
	dir, err := e.setup.StateDir(e.StateDir)
	if err != nil {
		e.add("watch", Wrong, "set --state-dir", "the state folder is not known: %v", err)
		return
	}
	data, err := os.ReadFile(filepath.Join(dir, "lock.pid"))
	pid, numberErr := strconv.Atoi(strings.TrimSpace(string(data)))
	if err == nil && numberErr == nil && isAlive(pid) {
		if wasReplaced(pid) {
			e.add("watch", Doubt, "stop it and start it again; of a service: 'memscribe service install' does", "watch is running, process %d, from a program that was replaced since", pid)
			return
		}
		e.add("watch", OK, "", "watch is running, process %d", pid)
		return
	}
	e.add("watch", Doubt, "'memscribe service install' has it run from now on", "watch is not running: nothing new is taken in")
}

// checkFolders checks the permissions of what the program writes, and the free space. Data,
// state and settings folders are checked with all files in them.
func (e *examination) checkFolders() {
	var dirs []string
	if dir, err := e.setup.DataDir(); err == nil {
		dirs = append(dirs, dir)
	}
	if dir, err := e.setup.StateDir(e.StateDir); err == nil {
		dirs = append(dirs, dir)
	}
	if dir, err := e.setup.ConfigDir(); err == nil {
		dirs = append(dirs, filepath.Join(dir, config.FileName))
	}
	open := 0
	for _, name := range dirs {
		switch _, err := os.Stat(name); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			e.add("access", Wrong, "let yourself read it", "%v", err)
			continue
		}
		if runtime.GOOS != "windows" { // there, rights are those of the folder
			open += e.checkAccess(name)
		}
		e.checkRoom(name)
	}
	if open == 0 {
		e.add("access", OK, "", "what is written is for you alone")
	}
}

// checkAccess reports what other users may do with a file, or with a folder and the files in it; of
// many files it names the first.
func (r *Report) checkAccess(root string) (open int) {
	first, mode := "", fs.FileMode(0)
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			r.add("access", Wrong, "let yourself read and write it: chmod -R u+rwX "+root, "%v", err)
			return nil
		}
		info, err := d.Info()
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return nil //nolint:nilerr // it was deleted meanwhile
		}
		if p := info.Mode().Perm(); p&0o077 != 0 {
			if open++; open == 1 {
				first, mode = name, p
			}
		}
		if p := info.Mode().Perm(); d.IsDir() && p&0o200 == 0 {
			r.add("access", Wrong, "chmod u+w "+name, "nothing can be written into %s (%s)", name, p)
		}
		return nil
	})
	switch {
	case open == 1:
		r.add("access", Wrong, "chmod go-rwx "+first, "others may look into %s (%s)", first, mode)
	case open > 1:
		r.add("access", Wrong, "chmod -R go-rwx "+root, "others may look into %s (%s) and %d more below %s", first, mode, open-1, root)
	}
	return open
}

// leastRoom is how many bytes should be free on a disk.
const leastRoom = 1 << 30

// checkRoom warns if the disk of a folder is nearly full. If the system does not tell the free
// space, there is no finding.
func (r *Report) checkRoom(name string) {
	free, known := freeSpace(name)
	if known && free < leastRoom {
		r.add("disk", Doubt, "make room: without any, watch waits", "%s is free where %s lies", human.Size(free), name)
	} else if known {
		r.add("disk", OK, "", "%s is free where %s lies", human.Size(free), name)
	}
}

// checkDatabase checks that the database exists, can be opened, has the current
// schema, and is private.
func (e *examination) checkDatabase(ctx context.Context) {
	name, err := e.Database()
	if err != nil {
		e.add("database", Wrong, "set --db", "the data folder is not known: %v", err)
		return
	}
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		e.add("database", Note, "'memscribe watch --once' makes it", "there is no database yet at %s", name)
		return
	}
	nodes := 0
	var since schema.Horizon
	if err == nil {
		err = eachNode(ctx, name, func(string, []byte) error {
			nodes++
			return nil
		})
	}
	if err == nil {
		since, err = horizonOf(ctx, name)
	}
	if err != nil {
		e.add("database", Wrong, "move it away and have watch make another out of the transcripts: 'memscribe watch --once'", "%s: %v", name, err)
		return
	}
	e.add("database", OK, "", "%s can be read: %d nodes, %s", name, nodes, human.Size(info.Size()))
	if text := sinceText(since); text != "" {
		e.add("retention", OK, "", "it keeps %s; what is older was let go", text)
	}
	if err := e.checkExcluded(ctx, name); err != nil {
		e.add("exclude", Doubt, "", "what is left out cannot be compared with %s: %v", name, err)
	}
}

// checkExcluded reports what the database still has of projects that are now excluded: excluding
// does not delete anything.
func (e *examination) checkExcluded(ctx context.Context, name string) (err error) {
	r, err := nodedb.Open(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	left, err := e.Privacy.Held(ctx, r)
	if err != nil {
		return err
	}
	for _, project := range left.Projects {
		held, failed := removal.Count(ctx, r, removal.Request{Projects: []string{project}})
		if failed != nil {
			return failed
		}
		e.add("exclude", Note, "if that should go too: memscribe forget --project "+visible.Sprintf("%q", project)+", or --excluded for all that is left out",
			"%s is left out, and %d nodes and %d messages of it are still held", project, held.Nodes(), held.Messages)
	}
	if n := len(left.Edits); n > 0 {
		e.add("exclude", Note, "if they should go too: memscribe forget --excluded", "%d edits of files that are left out are still held", n)
	}
	return nil
}

// isAdded reports whether a node was added by a person. The source is among the first members
// of a node, so only the beginning is searched.
func isAdded(node []byte) bool {
	return bytes.Contains(node[:min(len(node), 256)], []byte(`"source":"`+string(annotate.Person)+`"`))
}

// horizonOf returns the times since which a database keeps nodes of each kind.
func horizonOf(ctx context.Context, name string) (schema.Horizon, error) {
	r, err := nodedb.Open(ctx, name)
	if err != nil {
		return schema.Horizon{}, err
	}
	h, err := lists.Horizon(ctx, r)
	return h, errors.Join(err, r.Close())
}

// sinceText returns a horizon as a text, or "" if everything is kept.
func sinceText(h schema.Horizon) string {
	var parts []string
	for _, p := range []struct {
		what  string
		begin time.Time
	}{{"conversations", h.Conversations}, {"decisions", h.Decisions}, {"edits", h.Edits}} {
		if !p.begin.IsZero() {
			parts = append(parts, p.what+" from "+p.begin.UTC().Format(time.DateOnly)+" on")
		}
	}
	return strings.Join(parts, ", ")
}

// eachNode calls f for each node of a database with its id and its JSON.
func eachNode(ctx context.Context, name string, f func(string, []byte) error) error {
	r, err := nodedb.Open(ctx, name)
	if err != nil {
		return err
	}
	return errors.Join(r.Each(ctx, f), r.Close())
}

// sumOf returns the digest by which two versions of a node are compared.
func sumOf(b []byte) [32]byte { return sha256.Sum256(b) }

// checkNodes compares the nodes of the database with those that a replay of the existing
// transcripts gives.
//
// Each node of the database is compared with the fresh one by its digest:
//
//	equal                                       counted as proven
//	both, different                             problem
//	only in the database, its transcript gone   note: it stays
//	only in the database, its transcript there  problem
//	only fresh                                  warning: not read yet
//
// Nodes that a person added, and nodes that are older than the horizon, are left out.
func (e *examination) checkNodes(ctx context.Context) error {
	name, err := e.Database()
	if err != nil {
		return err
	}
	if _, err = os.Stat(name); err != nil {
		return nil //nolint:nilerr // another check reports a missing database
	}
	since, err := horizonOf(ctx, name)
	if err != nil {
		return err
	}
	fresh, err := e.reread(ctx, since)
	if err != nil {
		return err
	}
	same, differ, gone, unexplained := 0, []string(nil), 0, []string(nil)
	err = eachNode(ctx, name, func(id string, node []byte) error {
		sum, there := fresh[id]
		delete(fresh, id)
		switch {
		case isAdded(node): // it is in no transcript
		case there && sum == sumOf(node):
			same++
		case there:
			differ = append(differ, id)
		case sourceIsGone(node):
			gone++
		default:
			unexplained = append(unexplained, id)
		}
		return nil
	})
	if err != nil {
		return err
	}
	const again = "stop watch, move the database away, and make it again: 'memscribe watch --once'"
	e.add("proof", OK, "", "%d nodes are, byte for byte, what their transcripts give", same)
	if len(differ) > 0 {
		e.add("proof", Wrong, again, "%d nodes differ from what their transcripts give, such as %s", len(differ), differ[0])
	}
	if len(unexplained) > 0 {
		e.add("proof", Wrong, again, "%d nodes follow from nothing in their transcripts, such as %s", len(unexplained), unexplained[0])
	}
	if gone > 0 {
		e.add("proof", Note, "nothing need be done: they stay; a copy of the transcripts, replayed, would prove them", "%d nodes are of transcripts that are gone", gone)
	}
	if len(fresh) > 0 {
		e.add("proof", Doubt, "have watch run, or 'memscribe watch --once'", "%d nodes are not in the database yet", len(fresh))
	}
	return nil
}

// sourceIsGone reports whether one of the files in a node's provenance no longer exists.
//
// A file in an archive (a.tar.gz!/x.jsonl) exists as long as the archive does.
func sourceIsGone(node []byte) bool {
	var n struct {
		Provenance []struct {
			File string `json:"file"`
		} `json:"provenance"`
	}
	if json.Unmarshal(node, &n) != nil {
		return false
	}
	for _, p := range n.Provenance {
		file, _, _ := strings.Cut(p.File, "!/")
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}
