package attack_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/budget"
	"github.com/memscribe/memscribe/testkit/attack"
	"github.com/memscribe/memscribe/testkit/size"
)

// most is what may be resident: the budget, and what the system and the runtime
// need beside it.
const most = budget.Standard + 64<<20

// input is one that is made to cost much.
type input struct {
	name string
	make func(path string) error // a file or a folder
	args []string                // of the program, before the path
	// complains are patterns of what the program complains of, and prints texts that
	// it prints: what is over a limit is said, and what stands around it is not lost.
	complains, prints []string
	long              bool // it takes more than a second or two
	// processor is what no run on it may take, if it is set: many times what it does take,
	// and a part of what it would if its work grew with the square of its size.
	processor time.Duration
	output    int64 // the most that it may print, in bytes, if it is set
}

// TestMain makes an input, where it is asked for one by its path: see [made].
func TestMain(m *testing.M) {
	path := os.Getenv("MAKE_INPUT")
	if path == "" {
		os.Exit(m.Run())
	}
	for _, in := range slices.Concat(inputs(), beside()) {
		if in.name != filepath.Base(path) {
			continue
		}
		if err := in.make(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// made makes an input in a process of its own. What has ever been resident in this one
// counts as the program's that it starts.
func made(t *testing.T, path string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "MAKE_INPUT="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make %s: %v\n%s", path, err, out)
	}
}

func inputs() []input {
	return slices.Concat(archives(), nested(), lines(), many(), cells(), decisions())
}

// TestWithinBudget: whatever the input, the program takes no more memory than it is
// allowed, says what is over a limit, and loses nothing beside it.
func TestWithinBudget(t *testing.T) {
	program, err := attack.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs() {
		t.Run(in.name, func(t *testing.T) {
			if in.long {
				size.NeedsFull(t, "others of its kind are shorter")
			}
			dir := t.TempDir()
			path := filepath.Join(dir, in.name)
			made(t, path)
			spent, err := attack.Run(t.Context(), dir, program, append(in.args, path)...)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d MB resident, %v of processor", spent.Memory>>20, spent.Processor)
			if spent.Memory > most {
				t.Errorf("%d MB were resident, want at most %d", spent.Memory>>20, most>>20)
			}
			if in.processor > 0 && spent.Processor > in.processor {
				t.Errorf("took %v of processor, want less than %v", spent.Processor, in.processor)
			}
			if info, err := os.Stat(spent.Stdout); err != nil || in.output > 0 && info.Size() > in.output {
				t.Errorf("prints %d bytes, want at most %d (%v)", info.Size(), in.output, err)
			}
			for _, want := range in.complains {
				if !regexp.MustCompile(want).Match(spent.Stderr) {
					t.Errorf("does not complain of %q:\n%.2000s", want, spent.Stderr)
				}
			}
			for _, want := range in.prints {
				if ok, err := spent.Prints(want); !ok || err != nil {
					t.Errorf("%q is lost: %v", want, err)
				}
			}
		})
	}
}
