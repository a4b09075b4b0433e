package main

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
)

// TestEveryHelpHasExamples has every command show how it is called, and parses
// what it shows.
func TestEveryHelpHasExamples(t *testing.T) {
	root := newApp(cli.Env{Stdout: io.Discard, Stderr: io.Discard}).newRoot()
	commands := 0
	eachCommand(root, func(c *cobra.Command) {
		commands++
		own := 0
		for line := range strings.Lines(c.Example) {
			args, ok := memscribeArgs(strings.TrimSpace(line))
			if !ok {
				continue
			}
			if err := parses(args); err != nil {
				t.Errorf("%s: %s: %v", c.CommandPath(), strings.TrimSpace(line), err)
			}
			if strings.HasPrefix(strings.Join(append([]string{"memscribe"}, args...), " ")+" ", c.CommandPath()+" ") {
				own++
			}
		}
		if own == 0 {
			t.Errorf("%s shows no example of itself", c.CommandPath())
		}
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s says of itself %q", c.CommandPath(), c.Short)
		}
	})
	if commands < 30 {
		t.Errorf("there are %d commands", commands)
	}
}

// TestTablesAreJSONToo has every command that prints what programs may want to
// read print it as JSON.
func TestTablesAreJSONToo(t *testing.T) {
	root := newApp(cli.Env{Stdout: io.Discard, Stderr: io.Discard}).newRoot()
	silent := map[string]string{ // what prints no table, and why
		"memscribe parse":              "prints lines of JSON",
		"memscribe replay":             "prints lines of JSON",
		"memscribe watch":              "prints lines of JSON",
		"memscribe memdb serve":        "answers in JSON",
		"memscribe hook":               "prints nothing",
		"memscribe mcp install":        "prints a diff",
		"memscribe mcp uninstall":      "prints a diff",
		"memscribe serve":              "shows a page; ?format=json is its twin",
		"memscribe pr":                 "prints Markdown",
		"memscribe resume":             "prints a command",
		"memscribe hooks install":      "prints a diff",
		"memscribe hooks uninstall":    "prints a diff",
		"memscribe config init":        "writes a file",
		"memscribe config check":       "says of a file whether it is right",
		"memscribe service install":    "says that it is done",
		"memscribe service uninstall":  "says nothing",
		"memscribe service logs":       "shows what was logged, in the form that the log has",
		"memscribe trailers install":   "says where it is",
		"memscribe trailers uninstall": "says where it was",
		"memscribe trailers message":   "writes a file",
		"memscribe review":             "asks a person",
		"memscribe annotations export": "prints lines of JSON",
		"memscribe annotations import": "says how many there were",
		"memscribe demo":               "shows the program to a person",
		"memscribe memdb rekey":        "says that it is done",
		"memscribe memdb copy":         "says that it is done",
		"memscribe join":               "says that it is done",
		"memscribe leave":              "says that it is done",

		"memscribe memdb token create": "prints the token",
		"memscribe memdb token revoke": "says nothing",

		"memscribe version": "prints a line; --sbom is JSON",
	}
	eachCommand(root, func(c *cobra.Command) {
		if !c.Runnable() || c.HasSubCommands() {
			return
		}
		_, exempt := silent[c.CommandPath()]
		has := c.Flags().Lookup("json") != nil || c.Flags().Lookup("format") != nil
		if has == exempt {
			t.Errorf("%s: has --json: %t, and is said to need none: %t", c.CommandPath(), has, exempt)
		}
		delete(silent, c.CommandPath())
	})
	for name := range silent {
		t.Errorf("there is no %s", name)
	}
}

// TestOneNameForOneFlag has a flag of a name mean one thing in every command: it takes
// the same kind of value everywhere. And what narrows an answer has no second name.
func TestOneNameForOneFlag(t *testing.T) {
	root := newApp(cli.Env{Stdout: io.Discard, Stderr: io.Discard}).newRoot()
	kinds := map[string]string{ // of the flags that commands share
		"db": "string", "project": "string", "tool": "string", "session": "string", "since": "string", "until": "string",
		"limit": "int", "cursor": "string", "json": "bool", "dry-run": "bool",
	}
	second := map[string]string{ // names that other programs have for them
		"database": "db", "repo": "project", "agent": "tool", "source": "tool", "tools": "tool", "from": "since", "after": "since",
		"to": "until", "max": "limit", "page": "cursor", "count": "limit",
	}
	met := map[string]int{}
	eachCommand(root, func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if want, shared := kinds[f.Name]; shared {
				met[f.Name]++
				if got := f.Value.Type(); got != want && got != want+"Slice" { // one, or several
					t.Errorf("%s --%s takes a %s, elsewhere a %s", c.CommandPath(), f.Name, got, want)
				}
			}
			if (f.Name == "since" || f.Name == "before") && !strings.Contains(f.Usage, "2026-06-01, ") || f.Name == "since" && !strings.Contains(f.Usage, "yesterday") {
				t.Errorf("%s --%s does not say what is taken for a moment: %s", c.CommandPath(), f.Name, f.Usage)
			}
			if name, is := second[f.Name]; is {
				t.Errorf("%s has --%s, which is --%s elsewhere", c.CommandPath(), f.Name, name)
			}
		})
	})
	for name := range kinds {
		if met[name] < 2 {
			t.Errorf("%d commands have --%s", met[name], name)
		}
	}
}
