// Package record runs a real coding agent on a script in isolation with a scripted
// model, and keeps its transcripts with the ground truth.
//
// What comes out has the form of the corpus (internal/verify/corpus), so that a new
// version of a tool is held to the same as those before it. A `memscribe watch`
// may follow meanwhile.
//
// The part inside runs in a process of its own: whoever uses the package must
// call [Inside] at the beginning of main, which takes over in that process.
package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/memscribe/memscribe/core"
)

// Job says what is to be recorded.
type Job struct {
	Tool     core.Tool
	Version  string
	Scenario string
	Variant  string            // of the tool: of Codex [CodeMode] or [FallbackModel], of OpenCode [Entries]
	Client   string            // the folder that [Install] made
	Servers  map[string]string // the folders that [InstallServers] made, by the servers' names
	Out      string            // the folder of the recording; what is in it is lost
	// Program is a memscribe that watches meanwhile; "" is none. What it puts out
	// is in the file [Watched] of the recording.
	Program string
	// Pushed has Claude Code push to Program, too: by its hooks, and telemetry. What
	// is kept of that is in the folder [Journal] of the recording.
	Pushed bool
	// Confine demands namespaces of its own, and paths that are the same on every
	// machine. Without, the tool has a home of its own and a proxy that refuses.
	Confine bool
	// States keeps what the tool had written whenever it asked the model, in
	// folders of [StatesDir].
	States bool
	Limit  time.Duration // how long one process of the tool may take
}

// Names of what is in a recording besides the tool's files, which are in "home".
const (
	TruthFile = "truth.json"
	DiffFile  = "repo.diff"
	StepsFile = "steps.json" // the edits with the files before and after them
	Watched   = "watched.ndjson"
	WatchLog  = "watch.log"
	StatesDir = "snapshots"
	Journal   = "journal"
)

// jobVar names the variable by which the process inside gets its job.
const jobVar = "MEMSCRIBE_RECORD_JOB"

// Run records one scenario. The error says what kept it from being recorded, not
// that the tool did something else than the script wanted: that is in the truth.
func Run(ctx context.Context, job Job) error {
	if err := os.RemoveAll(job.Out); err != nil {
		return fmt.Errorf("clear recording: %w", err)
	}
	if err := os.MkdirAll(job.Out, 0o755); err != nil {
		return fmt.Errorf("make recording: %w", err)
	}
	if err := job.absolute(); err != nil {
		return err
	}
	data, err := json.Marshal(job)
	if err != nil {
		return fmt.Errorf("write job: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find own program: %w", err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = []string{jobVar + "=" + string(data), "PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + os.TempDir()}
	if job.Confine {
		if cmd.SysProcAttr, err = confinement(); err != nil {
			return err
		}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("record %s %s %s: %w\n%s", job.Tool, job.Version, job.Scenario, err, out)
	}
	return nil
}

// absolute makes the names of folders such as hold from anywhere.
func (job *Job) absolute() error {
	for _, p := range []*string{&job.Client, &job.Out, &job.Program} {
		if *p == "" {
			continue
		}
		abs, err := filepath.Abs(*p)
		if err != nil {
			return fmt.Errorf("find folder: %w", err)
		}
		*p = abs
	}
	servers := map[string]string{}
	for name, dir := range job.Servers {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return fmt.Errorf("find folder: %w", err)
		}
		servers[name] = abs
	}
	job.Servers = servers
	return nil
}

// Inside runs the job of this process, if it has one, and says so.
func Inside(ctx context.Context) (bool, error) {
	data, ok := os.LookupEnv(jobVar)
	if !ok {
		return false, nil
	}
	var job Job
	if err := json.Unmarshal([]byte(data), &job); err != nil {
		return true, fmt.Errorf("read job: %w", err)
	}
	s, err := newSession(job)
	if err != nil {
		return true, err
	}
	err = s.play(ctx)
	return true, errors.Join(err, s.close())
}

// Confinable reports whether this machine lets a process have a network and
// mounts of its own; the error says why not.
func Confinable(ctx context.Context) error {
	attr, err := confinement()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "true")
	cmd.SysProcAttr = attr
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("start process with namespaces of its own: %w %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}
