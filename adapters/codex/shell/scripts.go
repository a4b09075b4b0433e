package shell

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

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

// Scripted is a patch that stands in a shell script.
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
