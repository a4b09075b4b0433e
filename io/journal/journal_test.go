package journal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/io/journal"
)

func open(t *testing.T, dir string, l journal.Limits) *journal.Journal {
	t.Helper()
	j, err := journal.Open(dir, l)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func appendAll(t *testing.T, j *journal.Journal, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if err := j.Append(t.Context(), []byte(l)); err != nil {
			t.Fatal(err)
		}
	}
}

// content is what the segments of a journal hold, the oldest first.
func content(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	var all []string
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(b))
	}
	return all
}

// TestTightened appends to a journal that others may read and write: afterwards they may not.
func TestTightened(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are those of the folder")
	}
	dir := t.TempDir()
	appendAll(t, open(t, dir, journal.Limits{Segment: 1 << 20, Total: 8 << 20}), "a")
	name := filepath.Join(dir, "000001.jsonl")
	if err := os.Chmod(name, 0o666); err != nil {
		t.Fatal(err)
	}
	appendAll(t, open(t, dir, journal.Limits{Segment: 1 << 20, Total: 8 << 20}), "b")
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("permissions are %v, %v", info.Mode(), err)
	}
	if got := content(t, dir); len(got) != 1 || !strings.Contains(got[0], "a") || !strings.Contains(got[0], "b") {
		t.Errorf("it holds %q", got)
	}
}

func TestAppend(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	appendAll(t, open(t, dir, journal.Standard()), "1", "2")
	appendAll(t, open(t, dir, journal.Standard()), "3")
	if diff := cmp.Diff([]string{"1\n2\n3\n"}, content(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, want := range map[string]string{".": "drwx------", "000001.jsonl": "-rw-------", "lock": "-rw-------"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().String(); got != want && os.PathSeparator == '/' {
			t.Errorf("%s is %s", name, got)
		}
	}
}

// TestTornLine leaves what a crash may leave of a line: the next writer removes
// it, at any length.
func TestTornLine(t *testing.T) {
	for _, torn := range []string{"{", `{"a":`, strings.Repeat("x", 200<<10)} {
		for _, before := range []string{"", "1\n"} {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "000001.jsonl"), []byte(before+torn), 0o600); err != nil {
				t.Fatal(err)
			}
			appendAll(t, open(t, dir, journal.Standard()), "2")
			if diff := cmp.Diff([]string{before + "2\n"}, content(t, dir)); diff != "" {
				t.Errorf("%.10s (-want +got):\n%.200s", torn, diff)
			}
		}
	}
}

func TestSegments(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir, journal.Limits{Segment: 4, Total: 12})
	for i := range 10 {
		appendAll(t, j, fmt.Sprint(i))
	}
	if diff := cmp.Diff([]string{"4\n5\n", "6\n7\n", "8\n9\n"}, content(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	appendAll(t, j, "a")
	if diff := cmp.Diff([]string{"6\n7\n", "8\n9\n", "a\n"}, content(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTogether has many writers append at once, through one journal and through
// others on the same folder: every line is there once, and whole.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	shared := open(t, dir, journal.Limits{Segment: 1 << 10, Total: 1 << 30})
	var all sync.WaitGroup
	for w := range 16 {
		all.Go(func() {
			for i := range 20 {
				j := shared
				if w%2 == 0 {
					j = open(t, dir, journal.Limits{Segment: 1 << 10, Total: 1 << 30})
				}
				if err := j.Append(t.Context(), fmt.Appendf(nil, "%02d-%02d", w, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	lines := strings.Split(strings.TrimSuffix(strings.Join(content(t, dir), ""), "\n"), "\n")
	slices.Sort(lines)
	if n := len(slices.Compact(lines)); n != 320 {
		t.Errorf("%d different lines, want 320", n)
	}
	for _, l := range lines {
		if len(l) != len("00-00") {
			t.Errorf("torn line %q", l)
		}
	}
}

// TestBlockedWriter has a line wait behind a lock that is never given back: it is
// written all the same, behind whatever the other left.
func TestBlockedWriter(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "000001.jsonl"), []byte("1\n{"), 0o600); err != nil {
		t.Fatal(err)
	}
	holder, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close()
	if ok, err := journal.TryLock(holder); !ok || err != nil {
		t.Fatal(ok, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // the time is over
	if err := open(t, dir, journal.Standard()).Append(ctx, []byte("2")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1\n{\n2\n"}, content(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFailures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Open(filepath.Join(file, "dir"), journal.Standard()); err == nil {
		t.Error("a journal below a file")
	}
	dir := t.TempDir()
	j := open(t, dir, journal.Standard())
	if err := os.Mkdir(filepath.Join(dir, "000001.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := j.Append(t.Context(), []byte("1")); err == nil {
		t.Error("wrote to a folder")
	}
	if err := os.Remove(filepath.Join(dir, "000001.jsonl")); err != nil {
		t.Fatal(err)
	}
	appendAll(t, j, "2") // the trouble is over
	if diff := cmp.Diff([]string{"2\n"}, content(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const key = "ghp_" + "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"

var received = time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)

func scrubber(t testing.TB) *redact.Engine {
	t.Helper()
	s, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestHookLine(t *testing.T) {
	const head = `{"schema":"memscribe.hook/v1","tool":"codex","received":"2026-01-02T03:04:05.006Z",`
	long := strings.Repeat("x", 1<<20)
	tests := []struct{ name, payload, want string }{
		{"as it is", "\xef\xbb\xbf{ \"a\" : [1, \"b\"] }\n", `"payload":{"a":[1,"b"]}}`},
		{"a key", `{"command":"export GITHUB_TOKEN=` + key + `"}`, `"payload":{"command":"export GITHUB_TOKEN=[REDACTED:github_pat]"}}`},
		{"a secret by its name", `{"password":"q7Rz41Kp0vXm"}`, `"payload":{"password":"[REDACTED:password]"}}`},
		{"control characters", "{\"a\":\"x\ty\nz\\\"\"}", `"payload":{"a":"x\ty\nz\""}}`},
		{"no JSON", "hello " + key, `"text":"hello [REDACTED:github_pat]"}`},
		{"two values", `{"a":1}{"b":2}`, `"text":"{\"a\":1}{\"b\":2}"}`},
		{"no text", "\xff\xfe", `"text":"` + "\ufffd" + `"}`},
		{
			"too long", `{"session_id":"s","transcript_path":"/t","tool_input":"` + long + `","tool_use_id":"c"}`,
			`"withheld":"size","payload":{"session_id":"s","transcript_path":"/t","tool_use_id":"c"}}`,
		},
		{"too long and no JSON", long + long, `"withheld":"size"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := journal.HookLine(scrubber(t), journal.Hook{Tool: core.Codex, Received: received, Payload: []byte(tt.payload)})
			if diff := cmp.Diff(head+tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var doc jsondoc.Doc
			if n, err := doc.Parse(got); err != nil || n != len(got) {
				t.Errorf("not a line of JSON: %v", err)
			}
		})
	}
}

// TestKeyInPieces has a private key lie in a payload line by line, as a patch
// has it: none of its lines may be written.
func TestKeyInPieces(t *testing.T) {
	body := []string{"MIIEowIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MaGBir5tPgkXq", "6zoX2v9PbnGy0AHB7MaGBirJJcds3xfn/ygWyF8PbnGy0AHB7MaGBir5tPgkXy"}
	lines := append(append([]string{"+-----BEGIN RSA PRIVATE KEY-----"}, "+"+body[0], "+"+body[1]), "+-----END RSA PRIVATE KEY-----")
	payload := `{"tool_response":{"structuredPatch":[{"lines":["` + strings.Join(lines, `","`) + `"]}]}}`
	got := string(journal.HookLine(scrubber(t), journal.Hook{Tool: core.ClaudeCode, Received: received, Payload: []byte(payload)}))
	for _, b := range body {
		if strings.Contains(got, b) {
			t.Errorf("the key is in %s", got)
		}
	}
}

// broken is a scrubber that cannot do its work.
type broken struct{}

func (broken) Scrub(core.Field, []byte) ([]byte, []core.Cut, error) {
	return nil, nil, errors.New("broken")
}

func TestNothingUnscrubbed(t *testing.T) {
	const head = `{"schema":"memscribe.hook/v1","tool":"codex","received":"2026-01-02T03:04:05.006Z","withheld":"redaction"`
	for payload, want := range map[string]string{`{"session_id":"s","a":"secret"}`: head + `,"payload":{}}`, "secret": head + "}"} {
		got := journal.HookLine(broken{}, journal.Hook{Tool: core.Codex, Received: received, Payload: []byte(payload)})
		if string(got) != want {
			t.Errorf("got %s", got)
		}
	}
}

// FuzzHookLine gives it anything at all: what comes out is one line of JSON.
func FuzzHookLine(f *testing.F) {
	s := scrubber(f)
	f.Add([]byte(`{"session_id":"s","tool_input":{"password":"q7Rz41Kp0vXm"}}`))
	f.Add([]byte("{\"a\":\"\n\\\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		line := journal.HookLine(s, journal.Hook{Tool: core.Codex, Received: received, Payload: data})
		var doc jsondoc.Doc
		if n, err := doc.Parse(line); err != nil || n != len(line) || strings.Contains(string(line), "\n") {
			t.Errorf("%q: %v", line, err)
		}
	})
}
