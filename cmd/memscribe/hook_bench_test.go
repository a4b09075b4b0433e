package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkHook is what a tool waits for when it runs its hook: a process starts,
// keeps a payload durably and ends. In turns with it a program starts that does
// nothing, which is the least that it can take, and one that only prints the version.
func BenchmarkHook(b *testing.B) {
	dir := b.TempDir()
	bare := filepath.Join(dir, "bare.go")
	if err := os.WriteFile(bare, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	program, nothing := filepath.Join(dir, "memscribe"), filepath.Join(dir, "bare")
	for out, source := range map[string]string{program: ".", nothing: bare} {
		build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, source)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if text, err := build.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, text)
		}
	}
	runs := []struct {
		name string
		args []string
		took []float64
		cpu  []float64
	}{
		{name: "bare", args: []string{nothing}},
		{name: "version", args: []string{program, "--version"}},
		{name: "hook", args: []string{program, "hook", "--tool", "claude_code", "--state-dir", filepath.Join(dir, "state")}},
	}
	payload := []byte(`{"session_id":"s","transcript_path":"/h/.claude/projects/-w/s.jsonl","cwd":"/w","hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"/w/a.go","old_string":"a := 1","new_string":"a := 2"},"tool_use_id":"c1"}`)
	for b.Loop() {
		for i := range runs {
			r := &runs[i]
			cmd := exec.Command(r.args[0], r.args[1:]...)
			cmd.Stdin = bytes.NewReader(payload)
			begin := time.Now()
			if text, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v\n%s", err, text)
			}
			r.took = append(r.took, time.Since(begin).Seconds()*1000)
			r.cpu = append(r.cpu, (cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()).Seconds()*1000)
		}
	}
	for _, r := range runs {
		slices.Sort(r.took)
		slices.Sort(r.cpu)
		b.ReportMetric(r.took[len(r.took)/2], r.name+"-ms")
		b.ReportMetric(r.took[len(r.took)*95/100], r.name+"-95%-ms")
		b.ReportMetric(r.cpu[len(r.cpu)/2], r.name+"-cpu-ms")
	}
}
