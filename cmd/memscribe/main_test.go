package main

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/memscribe/memscribe/testkit/golden"
	"github.com/memscribe/memscribe/testkit/size"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"memscribe": main})
}

// TestScripts runs testdata/script, one file for each behaviour. The session of
// testdata/session.jsonl is there for all of them, whole as session.jsonl and
// line by line as 1, 2 and 3: a decision, a call that edits a file, and its
// result.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       golden.Updating(),
		Setup:               setup,
		Condition:           func(string) (bool, error) { return os.Getuid() == 0, nil }, // [root]
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"append": appendTo, "await": await, "write": write, "count": count, "head": head, "pack": pack,
			"perm": perm, "signal": signalTo, "freeport": freePort, "post": post, "fold": fold, "mkfifo": mkfifo, "sql": sqlTo,
		},
	})
}

// scripts are the files of testdata/script. The race detector watches those that run
// something beside what they do: all others are one command after another.
func scripts(t *testing.T) (files []string) {
	t.Helper()
	all, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	inBackground := regexp.MustCompile(`(?m)^[!? ]*exec .*&\w*&?$`)
	for _, name := range all {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !size.Race || size.IsFull() || inBackground.Match(text) {
			files = append(files, name)
		}
	}
	return files
}

// places returns the folders in a home that memscribe uses unless told otherwise.
func places(home string) (state, data string) {
	switch runtime.GOOS {
	case "darwin":
		data = home + "/Library/Application Support/memscribe"
		return data, data
	case "windows":
		data = home + "/AppData/Local/memscribe"
		return data, data
	}
	return home + "/.local/state/memscribe", home + "/.local/share/memscribe"
}

func setup(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, "home")
	e.Setenv("HOME", home)
	e.Setenv("USERPROFILE", home)
	e.Setenv("LOCALAPPDATA", filepath.Join(home, "AppData", "Local"))
	state, data := places("home")
	e.Setenv("STATE", state) // in scripts, where memscribe keeps what by default
	e.Setenv("DATA", data)
	e.Setenv("GORACE", os.Getenv("GORACE"))
	whole, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		return err
	}
	files := map[string]string{"session.jsonl": string(whole)}
	for i, line := range strings.SplitAfter(string(whole), "\n") {
		files[strconv.Itoa(i+1)] = line
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(e.WorkDir, name), []byte(data), 0o600); err != nil {
			return err
		}
	}
	return nil
}
