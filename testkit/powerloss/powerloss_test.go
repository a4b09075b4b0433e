package powerloss_test

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/testkit/powerloss"
)

// hexed writes a text as strace does when it is told to.
func hexed(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(`\x` + hex.EncodeToString([]byte(s[i:i+1])))
	}
	return b.String()
}

// TestRead reads lines as strace writes them: two threads, calls that fail, that
// write less than they were asked to, and that are about something else.
func TestRead(t *testing.T) {
	fd := func(n int, path string) string { return fmt.Sprintf("%d<%s>", n, hexed(path)) }
	str := func(s string) string { return `"` + hexed(s) + `"` }
	trace := strings.Join([]string{
		`7 mkdirat(AT_FDCWD<` + hexed("/") + `>, ` + str("/d/state") + `, 0700) = 0`,
		`7 openat(AT_FDCWD<` + hexed("/") + `>, ` + str("/d/log") + `, O_RDWR|O_CREAT|O_CLOEXEC, 0600) = ` + fd(3, "/d/log"),
		`7 write(` + fd(3, "/d/log") + `, ` + str("hello, world") + `, 12 <unfinished ...>`,
		`8 openat(AT_FDCWD<` + hexed("/") + `>, ` + str("/else") + `, O_RDONLY|O_CLOEXEC) = ` + fd(4, "/else"),
		`7 <... write resumed>)             = 5`,
		`8 write(` + fd(2, "pipe:[1]") + `, ` + str("said") + `, 4) = 4`,
		`8 pwrite64(` + fd(3, "/d/log") + `, ` + str("x") + `, 1, 100) = -1 ENOSPC (No space left on device)`,
		`8 lseek(` + fd(3, "/d/log") + `, 2, SEEK_SET) = 2`,
		`8 write(` + fd(3, "/d/log") + `, ` + str("y") + `, 1) = 1`,
		`8 fsync(` + fd(3, "/d/log") + `)    = 0`,
		`8 openat(AT_FDCWD<` + hexed("/") + `>, ` + str("/d/log") + `, O_WRONLY|O_APPEND|O_CLOEXEC) = ` + fd(5, "/d/log"),
		`8 write(` + fd(5, "/d/log") + `, ` + str("end") + `, 3) = 3`,
		`8 pwrite64(` + fd(9, "/d/x.db-shm") + `, ` + str("x") + `, 1, 4095) = 1`,
		`8 renameat(AT_FDCWD<` + hexed("/") + `>, ` + str("/d/log") + `, AT_FDCWD<` + hexed("/") + `>, ` + str("/d/state/old") + `) = 0`,
		`8 fsync(` + fd(6, "/d") + `) = 0`,
		`8 unlink(` + str("/d/state/old") + `) = 0`,
		`8 --- SIGTERM {si_signo=SIGTERM} ---`,
		`8 +++ exited with 0 +++`, "",
	}, "\n")
	got, err := powerloss.Read(strings.NewReader(trace), "/d")
	if err != nil {
		t.Fatal(err)
	}
	want := []powerloss.Call{
		{Kind: powerloss.Folder, Name: "state"},
		{Kind: powerloss.Create, Name: "log"},
		{Kind: powerloss.Write, Name: "log", Data: []byte("hello")},
		{Kind: powerloss.Say, Data: []byte("said")},
		{Kind: powerloss.Write, Name: "log", At: 2, Data: []byte("y")},
		{Kind: powerloss.Sync, Name: "log"},
		{Kind: powerloss.Write, Name: "log", At: 5, Data: []byte("end")},
		{Kind: powerloss.Rename, Name: "log", To: "state/old"},
		{Kind: powerloss.Sync, Name: "."},
		{Kind: powerloss.Remove, Name: "state/old"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if whole := powerloss.After(got[:8]).Whole(); string(whole["state/old"]) != "heyloend" || len(whole) != 1 {
		t.Errorf("got %q", whole)
	}
}

// TestLeft finds on the disk what was synced, and every mixture of what was not.
func TestLeft(t *testing.T) {
	call := func(kind powerloss.Kind, name string) powerloss.Call { return powerloss.Call{Kind: kind, Name: name} }
	write := func(at int64, data string) powerloss.Call {
		return powerloss.Call{Kind: powerloss.Write, Name: "f", At: at, Data: []byte(data)}
	}
	tests := map[string]struct {
		calls []powerloss.Call
		want  []string // all that may be left
	}{
		"nothing is synced": {
			[]powerloss.Call{call(powerloss.Create, "f"), write(0, "a"), write(1, "b")},
			[]string{"none", "f=", "f=a", "f=ab", "f=\x00b"},
		},
		"the name is not": {
			[]powerloss.Call{call(powerloss.Create, "f"), write(0, "a"), call(powerloss.Sync, "f")},
			[]string{"none", "f=a"},
		},
		"all is": {
			[]powerloss.Call{call(powerloss.Create, "f"), write(0, "a"), call(powerloss.Sync, "f"), call(powerloss.Sync, ".")},
			[]string{"f=a"},
		},
		"a write over it": {
			[]powerloss.Call{call(powerloss.Create, "f"), write(0, "a"), call(powerloss.Sync, "f"), call(powerloss.Sync, "."), write(0, "b")},
			[]string{"f=a", "f=b"},
		},
		"another in its place": {
			[]powerloss.Call{
				call(powerloss.Create, "f"), write(0, "a"), call(powerloss.Sync, "f"), call(powerloss.Sync, "."),
				call(powerloss.Create, "g"), call(powerloss.Sync, "g"),
				{Kind: powerloss.Rename, Name: "g", To: "f"},
			},
			[]string{"f=a", "f=", "f=a g=", "f= g="},
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			want, got := map[string]bool{}, map[string]bool{}
			for _, w := range tc.want {
				want[w] = true
			}
			for seed := range uint64(500) {
				left := powerloss.After(tc.calls).Left(rand.New(rand.NewPCG(seed, 1)))
				var parts []string
				for _, name := range []string{"f", "g"} {
					if content, there := left[name]; there {
						parts = append(parts, name+"="+string(content))
					}
				}
				if len(parts) == 0 {
					parts = []string{"none"}
				}
				got[strings.Join(parts, " ")] = true
			}
			if !maps.Equal(want, got) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

// TestFolders loses what stands in a folder with the folder.
func TestFolders(t *testing.T) {
	calls := []powerloss.Call{
		{Kind: powerloss.Folder, Name: "a"},
		{Kind: powerloss.Create, Name: "a/f"},
		{Kind: powerloss.Sync, Name: "a/f"},
		{Kind: powerloss.Sync, Name: "a"},
	}
	lost := 0
	for seed := range uint64(100) {
		if left := powerloss.After(calls).Left(rand.New(rand.NewPCG(seed, 1))); len(left) == 0 {
			lost++
		}
	}
	if lost == 0 {
		t.Error("a folder whose name was not synced is never lost")
	}
	left := powerloss.After(append(calls, powerloss.Call{Kind: powerloss.Sync, Name: "."})).Left(rand.New(rand.NewPCG(1, 1)))
	dir := t.TempDir()
	if err := left.Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a", "f")); err != nil {
		t.Error(err)
	}
}
