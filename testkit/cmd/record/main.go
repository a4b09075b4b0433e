// Command record records sessions of a real coding agent: it installs a version from
// npm or PyPI and runs scripts on it against a scripted model, in network namespaces
// of its own.
//
//	go run ./testkit/cmd/record -tool claude_code -version 2.1.330 -to ../recorded
//	go run ./testkit/cmd/record -tool codex -version 0.166.0 -scenarios ban,fork -to ../recorded
//	go run ./testkit/cmd/record -tool codex -version 0.166.0 -variant codemode -to ../recorded
//	go run ./testkit/cmd/record -tool codex -newest
//
// What it writes has the form of a corpus, with the vendor's texts still in it:
// testkit/cmd/scrub makes fixtures of it. It needs Linux, git, npm or pip,
// and the registry when a version is not in the cache.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/record"
	"github.com/memscribe/memscribe/testkit/script"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	inside, err := record.Inside(ctx)
	if !inside {
		err = run(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

type options struct {
	tool, version, scenarios, variant, to, cache, watch string
	limit                                               time.Duration
	states, pushed, newest                              bool
}

func run(ctx context.Context) error {
	var o options
	flag.StringVar(&o.tool, "tool", "", "the tool: claude_code, codex, gemini, qwen, opencode, kilo, pi, copilot, cline, continue, hermes, kimi, grok, openhands, vibe or vscode")
	flag.StringVar(&o.version, "version", "", "its version on npm or PyPI")
	flag.StringVar(&o.scenarios, "scenarios", "", "scenarios, by commas; all that the tool can play, if none is named")
	flag.StringVar(&o.variant, "variant", "", "a variant of the tool: codemode or fallback-model, of codex; entries, of opencode; patch or multi, of vscode")
	flag.StringVar(&o.to, "to", "", "folder of the recordings")
	flag.StringVar(&o.cache, "cache", "", "folder in which clients are kept (in the user's cache, if none is named)")
	flag.StringVar(&o.watch, "watch", "", "a memscribe that watches meanwhile; what it puts out stands beside the recording, and must fold to a replay")
	flag.DurationVar(&o.limit, "limit", 2*time.Minute, "how long one process of the tool may take")
	flag.BoolVar(&o.states, "states", false, "keep what the tool had written whenever it asked the model, too")
	flag.BoolVar(&o.pushed, "pushed", false, "hooks and telemetry of claude_code go to the memscribe that watches, too")
	flag.BoolVar(&o.newest, "newest", false, "only say which version of the tool is the newest")
	flag.Parse()
	if o.newest {
		version, err := record.Newest(ctx, core.Tool(o.tool))
		if err == nil {
			fmt.Println(version)
		}
		return err
	}
	if o.tool == "" || o.version == "" || o.to == "" {
		return errors.New("read flags: -tool, -version and -to are needed")
	}
	if o.variant != "" && !record.HasVariant(core.Tool(o.tool), o.variant) {
		return fmt.Errorf("read flags: %s has no variant %q", o.tool, o.variant)
	}
	if o.pushed && (o.watch == "" || o.tool != string(core.ClaudeCode)) {
		return errors.New("read flags: -pushed is for claude_code, and needs -watch")
	}
	if o.cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("find cache: %w", err)
		}
		o.cache = filepath.Join(dir, "memscribe-ci", "clients")
	}
	client, err := record.Install(ctx, o.cache, core.Tool(o.tool), o.version, nil)
	if err != nil {
		return err
	}
	wanted, err := o.wanted()
	if err != nil {
		return err
	}
	var failed error
	for _, name := range wanted {
		job := record.Job{
			Tool: core.Tool(o.tool), Version: o.version, Scenario: name, Variant: o.variant, Client: client, Confine: true, Limit: o.limit, Program: o.watch,
			Out: filepath.Join(o.to, o.tool, o.version, o.folder(name)), States: o.states, Pushed: o.pushed,
		}
		err := o.record(ctx, job)
		said := "recorded"
		if err != nil {
			said, failed = err.Error(), errors.New("some scenarios could not be recorded")
		}
		fmt.Fprintln(os.Stderr, name+":", said)
	}
	return failed
}

// folder names the folder of a scenario's recording.
func (o *options) folder(scenario string) string {
	if o.variant == "" {
		return scenario
	}
	return scenario + "+" + o.variant
}

// record records one scenario; the servers that it needs are installed before.
func (o *options) record(ctx context.Context, job record.Job) error {
	s, err := script.Load(job.Scenario)
	if err != nil {
		return err
	}
	if job.Servers, err = record.InstallServers(ctx, o.cache, s); err != nil {
		return err
	}
	if err := record.Run(ctx, job); err != nil || job.Program == "" {
		return err
	}
	return agree(job.Out)
}

// agree holds what watch wrote, the last line for each node, to a replay of what the tool
// left.
func agree(recording string) error {
	live, err := os.ReadFile(filepath.Join(recording, record.Watched))
	if err != nil {
		return fmt.Errorf("read what watch wrote: %w", err)
	}
	cold, err := os.ReadFile(filepath.Join(recording, record.Replayed))
	if err != nil {
		return fmt.Errorf("read replay: %w", err)
	}
	if ids := record.Departures(record.Folded(live), record.Folded(cold)); len(ids) > 0 {
		return fmt.Errorf("compare: watch and replay part at %d nodes, the first %s", len(ids), ids[0])
	}
	return nil
}

// wanted lists the scenarios that are to be recorded.
func (o *options) wanted() ([]string, error) {
	if o.scenarios != "" {
		return strings.Split(o.scenarios, ","), nil
	}
	names, err := script.Names()
	if err != nil {
		return nil, err
	}
	var wanted []string
	for _, name := range names {
		s, err := script.Load(name)
		if err != nil {
			return nil, err
		}
		if record.Plays(core.Tool(o.tool), s) {
			wanted = append(wanted, name)
		}
	}
	return wanted, nil
}
