package shell

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Outcome is what the answer to a call says about its success. Rollouts do not
// record the flag itself; it shows in the words only.
type Outcome struct {
	OK       bool
	Stated   bool // a success is stated, not only not denied
	Running  bool // the command continues
	Rejected bool // the person declined
}

// OutcomeOfJSON judges {"output":…,"metadata":{"exit_code":0,…}} by its end
// (0.34 to 0.105, wild and recorded). Other documents say nothing.
func OutcomeOfJSON(tail []byte) Outcome {
	const mark = `"metadata":{"exit_code":`
	at := bytes.LastIndex(tail, []byte(mark))
	if at < 0 {
		return Outcome{OK: true}
	}
	code := number(tail[at+len(mark):])
	return Outcome{OK: code == "0", Stated: code == "0"}
}

// ExitCode finds the exit code that an answer states in its first lines:
//
//	Exit code: 0                      shell, apply_patch
//	Process exited with code 0        exec_command
//
// behind lines about time and size, and in one case behind a frame of its own
// (0.169, recorded: apply_patch run by exec_command).
func ExitCode(front []byte) (code string, ok bool) {
	rest := front
	for range 8 {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		for _, head := range [...]string{"Exit code: ", "Process exited with code "} {
			if tail, found := bytes.CutPrefix(line, []byte(head)); found {
				return number(tail), true
			}
		}
		if !isFrame(line) {
			return "", false
		}
		rest = after
	}
	return "", false
}

// BehindFrames leaves out the lines before the output of a command: behind them
// stands a document where exec_command has itself applied a patch (0.123, recorded).
func BehindFrames(front []byte) []byte {
	for range 8 {
		line, after, _ := bytes.Cut(front, []byte("\n"))
		if !isFrame(line) {
			break
		}
		front = after
	}
	return front
}

// isFrame reports whether a line stands before the output of a command.
func isFrame(line []byte) bool {
	for _, head := range [...]string{
		"Chunk ID: ", "Wall time", "Original token count: ", "Total output lines: ", "Output:",
	} {
		if bytes.HasPrefix(line, []byte(head)) {
			return true
		}
	}
	return false
}

// BehindCommand leaves out of an answer the command that it answers, which stands at its head in
// some versions (0.117, recorded) and may have several lines.
func BehindCommand(answer []byte, lineEnd string) []byte {
	if !bytes.HasPrefix(answer, []byte("Command: ")) {
		return answer
	}
	for _, next := range [...]string{"Chunk ID: ", "Wall time: "} {
		if at := bytes.Index(answer, []byte(lineEnd+next)); at >= 0 {
			return answer[at+len(lineEnd):]
		}
	}
	return answer
}

// number is the number at the start of b.
func number(b []byte) string {
	n := 0
	for n < len(b) && (b[n] >= '0' && b[n] <= '9' || n == 0 && b[n] == '-') {
		n++
	}
	return string(b[:n])
}

// IsFailure recognises the words in which the tool itself says that a call came
// to nothing. Evidence: recorded (0.47 to 0.169), wild (0.34), and source.
func IsFailure(front []byte) bool {
	s := string(front[:min(len(front), 200)])
	if rest, ok := strings.CutPrefix(s, "Wall time"); ok {
		if _, after, found := strings.Cut(rest, "\n"); found {
			s = strings.TrimPrefix(after, "Output:\n")
		}
	}
	for _, head := range [...]string{
		"apply_patch verification failed", "patch rejected", "exec_command failed", "failed in sandbox",
		"execution error", "error:", "Error:", "err: ", "unsupported ", "failed to ", "Failed to ", "aborted",
		"Script failed", "Script error", "Script terminated", "sandbox denied", "command timed out",
		"exec command rejected", "exec rejected", "rejected by user", "tool call error", "write_stdin failed",
		"Invalid patch", "invalid patch", "tool call failed", "user cancelled", "request_user_input was cancelled",
		"request_user_input is unavailable", "unable to locate image",
	} {
		if strings.HasPrefix(s, head) {
			return true
		}
	}
	return false
}

// IsRejection reports whether a person declined. "rejected by user approval
// settings" is no person's word, but a setting's (0.105, recorded).
func IsRejection(front []byte) bool {
	at := bytes.Index(front, []byte("rejected by user"))
	return at >= 0 && !bytes.HasPrefix(front[at:], []byte("rejected by user approval settings"))
}

// Contains reports whether a path is listed; the tool lists paths as they stand
// in the patch or made absolute.
func Contains(done []string, path string) bool {
	for _, d := range done {
		if d == path || strings.HasSuffix(d, "/"+strings.TrimPrefix(path, "./")) {
			return true
		}
	}
	return false
}

// Listing reads what apply_patch prints when it succeeds:
//
//	Success. Updated the following files:
//	A new.txt
//	M src/a.go
func Listing(output string) []string {
	var done []string
	for {
		_, after, ok := strings.Cut(output, "Success. Updated the following files:\n")
		if !ok {
			return done
		}
		output = after
		for {
			line, rest, _ := strings.Cut(output, "\n")
			if len(line) < 3 || line[1] != ' ' || !strings.Contains("AMD", line[:1]) {
				break
			}
			done, output = append(done, line[2:]), rest
		}
	}
}

// The lines between which a patch stands.
const (
	BeginMark = "*** Begin Patch"
	endMark   = "*** End Patch"
)

// ContainsPatch reports whether a string, as written, applies a patch.
func ContainsPatch(v jsondoc.Value) bool {
	b := v.Body()
	return (bytes.Contains(b, []byte("apply_patch")) || bytes.Contains(b, []byte("applypatch"))) && bytes.Contains(b, []byte(BeginMark))
}

// Scripted is a patch that is in a shell script.
type Scripted struct {
	Text    string
	at, end int // of it in the script
	from    int // behind the patch before
}

// PatchesIn cuts the patches out of a shell script.
func PatchesIn(script string) []Scripted {
	var list []Scripted
	for from := 0; ; {
		at := strings.Index(script[from:], BeginMark)
		if at < 0 {
			return list
		}
		at += from
		size := strings.Index(script[at:], "\n"+endMark)
		if size < 0 {
			return list
		}
		end := at + size + len("\n"+endMark)
		list = append(list, Scripted{script[at:end], at, end, from})
		from = end
	}
}
