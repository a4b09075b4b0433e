package daemon

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"howett.net/plist"
)

func unit(t *testing.T, args ...string) Unit {
	t.Helper()
	program := filepath.Join(t.TempDir(), "mem scribe") // a blank, to be quoted
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return Unit{Program: program, Args: args, Log: "/tmp/a&b.log"}
}

// TestSystemdUnit has systemd itself read the unit.
func TestSystemdUnit(t *testing.T) {
	u := unit(t, "watch", "--root", `/home/a b/100% $HOME "quoted" \`)
	text, err := u.Systemd()
	if err != nil {
		t.Fatal(err)
	}
	if want := `"watch" "--root" "/home/a b/100%% $$HOME \"quoted\" \\"`; !strings.Contains(text, want) {
		t.Errorf("the command is not quoted as %s:\n%s", want, text)
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze here to verify the unit with")
	}
	file := filepath.Join(t.TempDir(), Name+".service")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), analyze, "--user", "--man=no", "verify", file)
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil || bytes.Contains(out, []byte(Name+".service")) {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
}

// TestLaunchd has a library for property lists read the agent: launchd finds the
// program, its arguments as they are, and what keeps it running.
func TestLaunchd(t *testing.T) {
	u := unit(t, "watch", "--root", "/a<b>&c \"d\" 'e'")
	text, err := u.Launchd()
	if err != nil {
		t.Fatal(err)
	}
	var agent map[string]any
	format, err := plist.Unmarshal([]byte(text), &agent)
	if err != nil || format != plist.XMLFormat {
		t.Fatalf("format %d: %v", format, err)
	}
	want := map[string]any{
		"Label": Name, "ProgramArguments": []any{u.Program, "watch", "--root", "/a<b>&c \"d\" 'e'"},
		"RunAtLoad": true, "KeepAlive": true, "ProcessType": "Background", "Umask": uint64(0o077),
		"StandardOutPath": u.Log, "StandardErrorPath": u.Log,
	}
	if !reflect.DeepEqual(agent, want) {
		t.Errorf("got %v, want %v", agent, want)
	}
}

func TestWhatNoDescriptionCanHold(t *testing.T) {
	for _, bad := range []string{"a\nExecStartPre=/bin/rm", "{{.Path}}", "\x00"} {
		if _, err := unit(t, bad).Systemd(); err == nil {
			t.Errorf("systemd took %q", bad)
		}
		if _, err := unit(t, bad).Launchd(); err == nil {
			t.Errorf("launchd took %q", bad)
		}
	}
}

// TestWorkerStops starts and stops work as a service manager does.
func TestWorkerStops(t *testing.T) {
	ended := errors.New("ended")
	w := &worker{ctx: t.Context(), work: func(ctx context.Context) error { <-ctx.Done(); return ended }}
	w.start()
	w.stop()
	if !errors.Is(w.err, ended) {
		t.Errorf("the work ended with %v", w.err)
	}
}
