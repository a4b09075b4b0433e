package main

import (
	"database/sql"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
)

// TestRestorePage does what docs/operations.md says under "Back up", goes on
// working, loses the databases and does what it says under "Restore from a
// backup": afterwards both hold what they held before they were lost.
func TestRestorePage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts several processes")
	}
	p := &follower{world: &world{t: t, dir: t.TempDir()}}
	p.home = filepath.Join(p.dir, "home")
	p.session("interleaved_arcs")
	p.run("watch", "--once")
	p.run("watch", "--once", "--sink", "memdb")
	p.follow("## Back up")

	p.session("ban")
	p.run("watch", "--once")
	p.run("watch", "--once", "--sink", "memdb")
	nodes, memories := p.nodes("nodes.db"), p.nodes("memories.db")
	if len(nodes) == 0 || !slices.Equal(nodes, memories) {
		t.Fatalf("%d nodes, %d memories", len(nodes), len(memories))
	}
	older := p.nodes(filepath.Join(p.dir, "memories-backup.db"))
	if len(older) == 0 || len(older) >= len(memories) {
		t.Fatalf("the backup holds %d of %d memories", len(older), len(memories))
	}
	p.follow("## Restore from a backup")
	if got := p.nodes("nodes.db"); !slices.Equal(got, nodes) {
		t.Errorf("%d nodes are there again, of %d", len(got), len(nodes))
	}
	if got := p.nodes("memories.db"); !slices.Equal(got, memories) {
		t.Errorf("%d memories are there again, of %d", len(got), len(memories))
	}
	if p.refused == 0 {
		t.Error("the page shows no command that finds something")
	}
}

// follower is somebody who does what a page says.
type follower struct {
	*world

	home    string
	refused int // commands that are to find something
}

// session adds a recorded session to the home folder.
func (p *follower) session(scenario string) {
	p.t.Helper()
	from := filepath.Join("../../fixtures/claude_code/2.1.329", scenario, "home")
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		to := filepath.Join(p.home, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o600)
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

// follow runs the commands of a section. Those whose remark begins with "bad" end
// with something found.
func (p *follower) follow(title string) {
	p.t.Helper()
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		p.t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "\n"+title+"\n")
	section, _, ended := strings.Cut(section, "\n## ")
	if !ok || !ended {
		p.t.Fatalf("the page has no section %s", title)
	}
	for _, line := range shellLines(section) {
		if strings.Contains(line, "postgres://") {
			continue // a server that only its reader has; sink/memdb/pgstore restores one
		}
		finds := strings.Contains(line, "# bad")
		said, err := p.shell(line)
		if finds {
			p.refused++
		}
		if (err != nil) != finds {
			p.t.Errorf("%s: %v\n%s", line, err, said)
		}
	}
}

// shell runs a line in the folder of the backups. The program sqlite3, which a
// machine need not have, is stood in for by the library.
func (p *follower) shell(line string) (string, error) {
	p.t.Helper()
	if rest, ok := strings.CutPrefix(line, "sqlite3 ~/"); ok {
		name, statement, _ := strings.Cut(rest, " ")
		statement = strings.ReplaceAll(strings.Trim(statement, `"`), "INTO '", "INTO '"+p.dir+"/")
		return "", p.statement(filepath.Join(p.home, name), statement)
	}
	cmd := p.command(p.t.Context())
	sh := exec.CommandContext(p.t.Context(), "sh", "-c", line)
	sh.Dir, sh.Env = p.dir, cmd.Env
	said, err := sh.CombinedOutput()
	return string(said), err
}

func (p *follower) statement(name, statement string) error {
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(p.t.Context(), statement)
	return err
}

// nodes are the nodes in a database of nodes or memories, sorted.
func (p *follower) nodes(name string) (all []string) {
	p.t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(p.home, ".local/share/memscribe", name)
	}
	query := "SELECT id FROM nodes ORDER BY id"
	if strings.HasPrefix(filepath.Base(name), "memories") {
		query = "SELECT m.id FROM memories AS m JOIN versions AS v USING (n) ORDER BY m.id"
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		p.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(p.t.Context(), query)
	if err != nil {
		p.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			p.t.Fatal(err)
		}
		all = append(all, id)
	}
	if err := rows.Err(); err != nil {
		p.t.Fatal(err)
	}
	return all
}

// TestRestoredMemories has each command that writes to memories meet a chain that
// was cut: it ends at once, with 3, and says what to do.
func TestRestoredMemories(t *testing.T) {
	if testing.Short() {
		t.Skip("starts several processes")
	}
	p := &follower{world: &world{t: t, dir: t.TempDir(), address: freeAddress(t)}}
	p.home = filepath.Join(p.dir, "home")
	p.session("interleaved_arcs")
	database := filepath.Join(p.home, ".local/share/memscribe/memories.db")
	p.run("watch", "--once", "--sink", "memdb")
	if err := os.Remove(database); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"watch", "--sink", "memdb"},
		{"watch", "--once", "--sink", "memdb"},
		{"replay", "--sink", "memdb"},
		{"memdb", "serve", "--addr", p.address},
	} {
		cmd := p.command(t.Context(), args...)
		said, _ := cmd.CombinedOutput() // how it ends is asked below
		if code := cmd.ProcessState.ExitCode(); code != cli.ExitFound || !strings.Contains(string(said), "'memscribe memdb rekey'") {
			t.Errorf("%v ended with %d:\n%s", args, code, said)
		}
	}
	p.run("memdb", "rekey")
	p.run("watch", "--once", "--sink", "memdb")
	if !strings.Contains(p.run("memdb", "verify"), "another key signs") {
		t.Error("verify does not say that another key signs")
	}
}
