package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/demo"
)

// oldHome is a home in which an earlier version of the program has worked (.ci/keep).
type oldHome struct {
	*world

	nodes, memories string
	decisions       []string // that were in force
}

// eachKept has a test look at what every version left.
func eachKept(t *testing.T, look func(oldHome)) {
	t.Helper()
	all, err := filepath.Glob("testdata/upgrade/*.tar.gz")
	if err != nil || len(all) == 0 {
		t.Fatalf("nothing was kept: %v", err)
	}
	for _, name := range all {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".tar.gz"), func(t *testing.T) {
			w := &world{t: t, dir: t.TempDir()}
			home := filepath.Join(w.dir, "home")
			if err := demo.Install(home); err != nil {
				t.Fatal(err)
			}
			unpackKept(t, name, home)
			k := oldHome{world: w, nodes: filepath.Join(home, ".local/share/memscribe/nodes.db"), memories: filepath.Join(home, ".local/share/memscribe/memories.db")}
			k.moveKey()
			said, err := os.ReadFile(filepath.Join(home, ".local/decisions"))
			if err != nil {
				t.Fatal(err)
			}
			k.decisions = strings.Fields(string(said))
			look(k)
		})
	}
}

// unpackKept puts what was kept into a home.
func unpackKept(t *testing.T, name, home string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(home)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil && h.Typeflag == tar.TypeDir {
			err = root.MkdirAll(strings.TrimSuffix(h.Name, "/"), 0o700)
		} else if err == nil {
			var b []byte
			if b, err = io.ReadAll(r); err == nil {
				err = root.WriteFile(h.Name, b, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// moveKey puts the key of the memories where this home has it: the folder's name is made
// of the database's path.
func (k oldHome) moveKey() {
	k.t.Helper()
	sum := sha256.Sum256([]byte(k.memories))
	state := filepath.Join(k.dir, "home/.local/state/memscribe")
	all, err := filepath.Glob(filepath.Join(state, "memdb-*"))
	if err != nil || len(all) != 1 {
		k.t.Fatalf("folders of keys: %q, %v", all, err)
	}
	if err := os.Rename(all[0], filepath.Join(state, "memdb-"+hex.EncodeToString(sum[:8]))); err != nil {
		k.t.Fatal(err)
	}
}

// ids are the decisions that a database has in force.
func (k oldHome) ids() (all []string) {
	k.t.Helper()
	for _, m := range regexp.MustCompile(`"node":"decision","id":"([^"]+)"`).FindAllStringSubmatch(k.run("query", "decisions", "--json"), -1) {
		all = append(all, m[1])
	}
	return all
}

// TestUpgrade opens what every kept version has left: its decisions are read before
// anything is written, what a person said of them stays, the chain of memories is whole,
// and a watch continues.
func TestUpgrade(t *testing.T) {
	eachKept(t, func(k oldHome) {
		before := strings.Join(k.ids(), " ")
		if want := strings.Join(k.decisions, " "); before != want {
			k.t.Errorf("decisions %s, want %s", before, want)
		}
		if said := k.run("memdb", "verify"); !strings.Contains(said, "good: ") {
			k.t.Errorf("the memories: %s", said)
		}
		k.run("watch", "--once")
		k.run("watch", "--once", "--sink", "memdb")
		if said := k.run("memdb", "verify"); !strings.Contains(said, "good: ") {
			k.t.Errorf("the memories, after a watch: %s", said)
		}
		if said := k.run("annotations"); !strings.Contains(said, "kept by ") || !strings.Contains(said, "reject ") {
			k.t.Errorf("what a person said: %s", said)
		}
		if said := k.run("memdb", "token", "list"); !strings.Contains(said, "reader") {
			k.t.Errorf("the tokens: %s", said)
		}
	})
}

// TestDowngrade gives an older program, which this one plays, databases of a version that
// does not exist yet: every command says so and what to do, and changes nothing.
func TestDowngrade(t *testing.T) {
	eachKept(t, func(k oldHome) {
		for _, name := range []string{k.nodes, k.memories} {
			db, err := sql.Open("sqlite", name)
			if err == nil {
				_, err = db.ExecContext(t.Context(), "PRAGMA journal_mode = delete; PRAGMA user_version = 9999")
				err = errors.Join(err, db.Close())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		nodes, memories := sumOf(k.t, k.nodes), sumOf(k.t, k.memories)
		for _, line := range []string{
			"query decisions", "why x.go", "stats", "rules", "export --format csv", "search x", "accept decision:1", "mcp", "serve --addr 127.0.0.1:0", "watch --once",
			"replay --sink sqlite", "watch --once --sink memdb", "memdb verify", "memdb serve --addr 127.0.0.1:0",
		} {
			cmd := k.command(k.t.Context(), strings.Fields(line)...)
			out, err := cmd.CombinedOutput()
			said := string(out)
			if err == nil || !strings.Contains(said, "written by a newer version of Memscribe: its schema is 9999") || !strings.Contains(said, "install that version again") {
				k.t.Errorf("%s: %v: %s", line, err, said)
			}
		}
		if sumOf(k.t, k.nodes) != nodes || sumOf(k.t, k.memories) != memories {
			k.t.Error("a database was changed")
		}
	})
}

func sumOf(t *testing.T, name string) (sum [sha256.Size]byte) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return sha256.Sum256(b)
}
