package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/testkit/size"
)

// ownLine is a line of a file, and the call that wrote it; "" is a person.
type ownLine struct{ text, by string }

// gitWork is a project in which an agent and a person take turns, and whose commits are
// rewritten meanwhile. It knows who wrote each line.
type gitWork struct {
	*testing.T

	r       *rand.Rand
	dir     string
	now     time.Time
	files   map[string][]ownLine
	parts   []map[string][]ownLine // the files after each change since the last commit
	records bytes.Buffer           // of the transcript
	last    string                 // the id of the last record
	n       int
}

// git runs git at the moment that it is now.
func (g *gitWork) git(args ...string) string {
	g.Helper()
	at := g.now.Format(time.RFC3339)
	cmd := exec.CommandContext(g.Context(), "git", args...)
	cmd.Dir = g.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at,
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// tick lets a minute go by.
func (g *gitWork) tick() { g.now = g.now.Add(time.Minute) }

// line makes up a line of code. Every fifth is one that stands in many places.
func (g *gitWork) line(by string) ownLine {
	g.n++
	common := []string{"\treturn nil\n", "\t}\n", "\n", "\tif err != nil {\n", "}\n"}
	if g.r.IntN(5) == 0 {
		return ownLine{common[g.r.IntN(len(common))], by}
	}
	words := []string{"total", "order", "cursor", "page", "limit", "store", "cache", "token"}
	word := func() string { return words[g.r.IntN(len(words))] }
	return ownLine{fmt.Sprintf("\t%s%d := %s.%s(%s, %d)\n", word(), g.n, word(), word(), word(), g.r.IntN(1000)), by}
}

func (g *gitWork) some(n int, by string) (all []ownLine) {
	for range n {
		all = append(all, g.line(by))
	}
	return all
}

// write puts a file on the disk.
func (g *gitWork) write(name string) {
	g.Helper()
	path := filepath.Join(g.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		g.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(textOf(g.files[name])), 0o600); err != nil {
		g.Fatal(err)
	}
}

func textOf(lines []ownLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text)
	}
	return b.String()
}

// name is one of the files.
func (g *gitWork) name() string {
	all := slices.Sorted(maps.Keys(g.files))
	return all[g.r.IntN(len(all))]
}

// changed notes how the files are after a change.
func (g *gitWork) changed(name string, lines []ownLine) {
	g.files[name] = lines
	g.write(name)
	g.parts = append(g.parts, maps.Clone(g.files))
}

// byHand has a person replace a line, or put one in.
func (g *gitWork) byHand() {
	g.tick()
	name := g.name()
	lines := slices.Clone(g.files[name])
	at := g.r.IntN(len(lines))
	g.changed(name, slices.Replace(lines, at, at+g.r.IntN(2), g.some(1+g.r.IntN(2), "")...))
}

// record adds a record to the transcript.
func (g *gitWork) record(kind string, message, result any) {
	g.n++
	id := fmt.Sprintf("00000000-0000-4000-8000-%012d", g.n)
	rec := map[string]any{
		"type": kind, "uuid": id, "sessionId": "5e550001-0000-4000-8000-000000000000", "cwd": g.dir, "version": "2.1.240",
		"isSidechain": false, "userType": "external", "timestamp": g.now.Format("2006-01-02T15:04:05.000Z"), "message": message,
	}
	if g.last != "" {
		rec["parentUuid"] = g.last
	}
	if result != nil {
		rec["toolUseResult"] = result
	}
	if err := json.NewEncoder(&g.records).Encode(rec); err != nil {
		g.Fatal(err)
	}
	g.last = id
}

// byAgent has the agent replace some lines, as its transcript tells.
func (g *gitWork) byAgent() {
	g.tick()
	name := g.name()
	old := g.files[name]
	at, gone := g.r.IntN(len(old)), 1+g.r.IntN(3)
	gone = min(gone, len(old)-at)
	call := fmt.Sprintf("toolu_%024d", g.n)
	added := g.some(1+g.r.IntN(5), call)
	lines := slices.Replace(slices.Clone(old), at, at+gone, added...)
	before, after := max(at-3, 0), min(at+gone+3, len(old))
	var hunk []string
	for i := before; i < after; i++ {
		mark := " "
		if i >= at && i < at+gone {
			mark = "-"
		}
		if i == at+gone {
			hunk = appendAdded(hunk, added)
		}
		hunk = append(hunk, mark+strings.TrimSuffix(old[i].text, "\n"))
	}
	if at+gone == after {
		hunk = appendAdded(hunk, added)
	}
	path := filepath.Join(g.dir, name)
	from, to := at, at+gone // of what the call names: it must stand in one place alone
	for strings.Count(textOf(old), textOf(old[from:to])) > 1 {
		from, to = max(from-1, 0), min(to+1, len(old))
	}
	oldText := textOf(old[from:to])
	newText := textOf(old[from:at]) + textOf(added) + textOf(old[at+gone:to])
	g.record("assistant", map[string]any{"role": "assistant", "model": "claude-opus-4-8", "content": []any{map[string]any{
		"type": "tool_use", "id": call, "name": "Edit", "input": map[string]any{"file_path": path, "old_string": oldText, "new_string": newText},
	}}}, nil)
	g.record("user", map[string]any{"role": "user", "content": []any{map[string]any{"tool_use_id": call, "type": "tool_result", "content": "updated"}}},
		map[string]any{
			"filePath": path, "oldString": oldText, "newString": newText, "originalFile": textOf(old), "userModified": false, "replaceAll": false,
			"structuredPatch": []any{map[string]any{
				"oldStart": before + 1, "oldLines": after - before, "newStart": before + 1, "newLines": after - before - gone + len(added), "lines": hunk,
			}},
		})
	g.changed(name, lines)
}

func appendAdded(hunk []string, added []ownLine) []string {
	for _, l := range added {
		hunk = append(hunk, "+"+strings.TrimSuffix(l.text, "\n"))
	}
	return hunk
}

// commit commits what there is.
func (g *gitWork) commit() {
	g.tick()
	g.git("add", "-A")
	g.git("commit", "-q", "--allow-empty", "-m", "change "+strconv.Itoa(g.n))
	g.parts = nil
}

// byParts commits the changes since the last commit one by one.
func (g *gitWork) byParts() {
	g.git("add", "-A")
	for _, part := range g.parts {
		g.tick()
		for name, lines := range part {
			blob := filepath.Join(g.TempDir(), "blob")
			if err := os.WriteFile(blob, []byte(textOf(lines)), 0o600); err != nil {
				g.Fatal(err)
			}
			g.git("update-index", "--add", "--cacheinfo", "100644,"+g.git("hash-object", "-w", blob)+","+name)
		}
		g.git("commit", "-q", "--allow-empty", "-m", "a part of "+strconv.Itoa(g.n))
	}
	g.commit()
}

// rename gives a file another name, and changes it in the same commit.
func (g *gitWork) rename() {
	name := g.name()
	to := fmt.Sprintf("lib%d/%s", g.n, filepath.Base(name))
	if err := os.MkdirAll(filepath.Join(g.dir, filepath.Dir(to)), 0o700); err != nil {
		g.Fatal(err)
	}
	g.git("mv", name, to)
	g.files[to] = g.files[name]
	delete(g.files, name)
	g.commit()
}

// format indents a file otherwise. Whoever wrote a line has written it still.
func (g *gitWork) format() {
	g.commit()
	name := g.name()
	lines := slices.Clone(g.files[name])
	for i := range lines {
		if rest, tabbed := strings.CutPrefix(lines[i].text, "\t"); tabbed {
			lines[i].text = "    " + rest
		} else if rest, spaced := strings.CutPrefix(lines[i].text, "    "); spaced {
			lines[i].text = "\t" + rest
		}
	}
	g.changed(name, lines)
	g.commit()
}

// rebased puts the newest commit on what somebody else has done meanwhile.
func (g *gitWork) rebased() {
	g.commit()
	g.git("checkout", "-q", "-b", "upstream", "HEAD~1")
	g.tick()
	other := fmt.Sprintf("other%d.go", g.n)
	g.files[other] = g.some(12, "")
	g.write(other)
	g.git("add", other)
	g.git("commit", "-q", "-m", "upstream")
	g.git("checkout", "-q", "main")
	g.tick()
	g.git("rebase", "-q", "upstream")
	g.git("branch", "-q", "-D", "upstream")
}

// picked puts the newest commit on another branch, which is the one from then on.
func (g *gitWork) picked() {
	g.commit()
	head := g.git("rev-parse", "HEAD")
	g.git("reset", "-q", "--hard", "HEAD~1")
	g.tick()
	g.git("cherry-pick", "--allow-empty", head)
}

// squash makes one of the newest three commits.
func (g *gitWork) squash() {
	g.commit()
	g.git("reset", "-q", "--soft", "HEAD~2")
	g.commit()
}

func (g *gitWork) amend() {
	g.tick()
	g.git("add", "-A")
	g.git("commit", "-q", "--amend", "--allow-empty", "-m", "amended "+strconv.Itoa(g.n))
	g.parts = nil
}

// step is a turn of the agent, now and then one of the person, and work with git.
func (g *gitWork) step() {
	for range 1 + g.r.IntN(3) {
		g.byAgent()
	}
	if g.r.IntN(2) == 0 {
		g.byHand()
	}
	work := []func(){g.commit, g.byParts, g.amend, g.rebased, g.squash, g.picked, g.rename, g.format, func() {}}
	work[g.r.IntN(len(work))]()
}

// TestWhyGit holds why to who wrote each line, through what people do with git. Lines of
// less than four characters are left out: they are everywhere.
func TestWhyGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	var right, wrong, silent, hand int
	var falsely []string
	for seed := range uint64(size.Of(2, 6)) {
		g := &gitWork{T: t, r: rand.New(rand.NewPCG(seed, 18)), dir: t.TempDir(), now: time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC), files: map[string][]ownLine{}}
		g.git("init", "-q", "-b", "main")
		for _, name := range []string{"orders.go", "src/page.go", "src/store.go"} {
			g.files[name] = g.some(20+g.r.IntN(20), "")
			g.write(name)
		}
		g.commit()
		g.tick()
		g.record("user", map[string]any{"role": "user", "content": "Let's use cursor pagination instead of offset for listOrders."}, nil)
		for range 3 {
			g.byAgent()
			g.commit()
		}
		for range 12 {
			g.step()
		}
		w := &owner{home: t.TempDir(), now: g.now.Add(time.Hour)}
		transcript := filepath.Join(w.home, ".claude", "projects", "-w", "5e550001-0000-4000-8000-000000000000.jsonl")
		if err := os.MkdirAll(filepath.Dir(transcript), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(transcript, g.records.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		db := filepath.Join(w.home, "n.db")
		w.run(t, cli.ExitDone, "replay", "--sink", "sqlite", "--out", db, "--home", w.home)
		t.Chdir(g.dir)
		for name, lines := range g.files {
			_, out, _ := w.runs([]string{"why", name, "--json", "--db", db})
			answers := strings.Split(strings.TrimSpace(out), "\n")
			for i, l := range lines {
				if len(strings.TrimSpace(l.text)) < 4 || i >= len(answers) {
					continue
				}
				var is struct {
					Line    int    `json:"line"`
					Status  string `json:"status"`
					Episode *struct {
						CallID string `json:"call_id"`
					} `json:"episode"`
				}
				if err := json.Unmarshal([]byte(answers[i]), &is); err != nil || is.Line != i+1 {
					t.Fatalf("line %d of %s: %v: %s", i+1, name, err, answers[i])
				}
				claimed := ""
				if is.Episode != nil && is.Status != "hand" {
					claimed = is.Episode.CallID
				}
				at := fmt.Sprintf("seed %d, %s:%d %q: %s %s, is %q", seed, name, i+1, l.text, is.Status, claimed, l.by)
				switch {
				case l.by == "":
					if hand++; claimed != "" {
						falsely = append(falsely, at)
					}
				case claimed == "":
					silent++
					t.Log("silent: ", at)
				case claimed == l.by:
					right++
				default:
					wrong++
					t.Log("wrong: ", at)
				}
			}
		}
	}
	t.Logf("right %d, wrong %d, silent %d; false %d of %d lines by hand", right, wrong, silent, len(falsely), hand)
	if right == 0 || float64(right) < 0.99*float64(right+wrong) {
		t.Errorf("right on %d of %d lines, want 0.99", right, right+wrong)
	}
	if float64(right+wrong) < 0.97*float64(right+wrong+silent) {
		t.Errorf("answers %d of %d lines of agents, want 0.97", right+wrong, right+wrong+silent)
	}
	if len(falsely) > 0 {
		t.Errorf("lines by hand that are claimed:\n%s", strings.Join(falsely, "\n"))
	}
}
