package main

import (
	"io"
	"slices"
	"testing"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/capture"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/service"
	"github.com/memscribe/memscribe/internal/app/host"
)

// TestWindowsService holds what the service manager of Windows is given to run to
// what the program then takes: it must be told whose transcripts are meant, since
// it runs for nobody.
func TestWindowsService(t *testing.T) {
	a := newApp(cli.Env{
		Stdout: io.Discard, Stderr: io.Discard,
		Machine: host.Machine{
			OS: "windows",
			Getenv: func(name string) string {
				return map[string]string{"LOCALAPPDATA": `C:\Users\me\AppData\Local`, "APPDATA": `C:\Users\me\AppData\Roaming`}[name]
			},
			Home: func() (string, error) { return `C:\Users\me`, nil },
		},
	})
	u, err := service.Unit(a.App, service.Options{Program: `C:\Program Files\memscribe.exe`, Flags: []string{"--tool", "codex"}})
	if err != nil {
		t.Fatal(err)
	}
	root := a.newRoot()
	cmd, rest, err := root.Find(u.Args)
	if err != nil || cmd.CommandPath() != "memscribe service run" {
		t.Fatalf("%v is %s: %v", u.Args, cmd.CommandPath(), err)
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Fatal(err)
	}
	watch := capture.NewWatch(a.App)
	if err := watch.ParseFlags(cmd.Flags().Args()); err != nil {
		t.Fatal(err)
	}
	if err := watch.ValidateArgs(watch.Flags().Args()); err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{"home": `C:\Users\me`, "tool": "[codex]"} {
		if got := watch.Flags().Lookup(flag).Value.String(); got != want {
			t.Errorf("--%s is %s", flag, got)
		}
	}
	for _, flag := range []string{"out", "state-dir"} {
		if f := watch.Flags().Lookup(flag); !f.Changed || f.Value.String() == "" {
			t.Errorf("it is not told --%s: %v", flag, u.Args)
		}
	}
	if !slices.Contains(u.Args, "--") || u.Program != `C:\Program Files\memscribe.exe` {
		t.Errorf("it runs %s %v", u.Program, u.Args)
	}
}
