package speed_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkMixes puts the whole program beside a bare walk over the same files, in
// turns, with whole processes. What it reports are medians:
//
//	walk/one    processor time of the walk, of that of a replay on one core
//	walk/plain  the same without redaction
//	jobs        wall time on one core, of that on all cores
//	MB          the most memory that a replay on all cores takes
//
// With MIXES set to a directory the files are made there and stay, so that other
// programs can be put beside it.
func BenchmarkMixes(b *testing.B) {
	root := cmp.Or(os.Getenv("MIXES"), b.TempDir())
	program := filepath.Join(b.TempDir(), "memscribe")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/memscribe").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"one", "small", "dense", "dense2", "dense4", "real"} {
		b.Run(name, func(b *testing.B) {
			dir := filepath.Join(root, name)
			if _, err := os.Stat(dir); err != nil {
				// Not here: what is resident here before another program begins counts as that program's.
				run(b, []string{"MAKE=" + name}, os.Args[0], dir)
			}
			if _, err := os.Stat(dir); err != nil {
				b.Skip("there are no published sessions beside the sources")
			}
			compare(b, program, dir)
		})
	}
}

// mix makes what the benchmark of a name reads.
func mix(name, dir string) error {
	switch name {
	case "one":
		return keep(dir, "p/one.jsonl", claude(100<<20, 1))
	case "small":
		return small(dir)
	case "dense":
		return dense(dir, 8)
	case "dense2":
		return dense(dir, 16)
	case "dense4":
		return dense(dir, 32)
	}
	from := filepath.Join("..", "..", "..", "shared", "wild")
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.CopyFS(dir, os.DirFS(from))
}

// compare takes the walk and the program in turns.
func compare(b *testing.B, program, dir string) {
	var plain, redacted, jobs, memory []float64
	var size float64
	for b.Loop() {
		walked := run(b, []string{"WALK=" + dir}, os.Args[0])
		size = float64(walked.bytes)
		one := run(b, []string{"GOMAXPROCS=1"}, program, "replay", dir)
		bare := run(b, []string{"GOMAXPROCS=1"}, program, "replay", "--no-redact", dir)
		all := run(b, nil, program, "replay", dir)
		redacted = append(redacted, walked.processor/one.processor)
		plain = append(plain, walked.processor/bare.processor)
		jobs = append(jobs, one.wall/all.wall)
		memory = append(memory, max(one.memory, all.memory))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(size/1e6, "MB-read")
	b.ReportMetric(half(redacted), "walk/one")
	b.ReportMetric(half(plain), "walk/plain")
	b.ReportMetric(half(jobs), "jobs")
	b.ReportMetric(half(memory), "MB")
}

func half(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// spent is what a process took: seconds and megabytes.
type spent struct {
	processor, wall, memory float64
	bytes                   int64
}

func run(tb testing.TB, env []string, name string, args ...string) spent {
	cmd := exec.Command(name, args...)
	cmd.Env = append(append(os.Environ(), "XDG_STATE_HOME="+tb.TempDir()), env...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	var said [8]byte
	if len(args) == 0 {
		cmd.Stdout = writer(func(p []byte) { copy(said[:], p) })
	}
	start := time.Now()
	if err := cmd.Run(); err != nil {
		tb.Fatalf("%s %v: %v\n%s", name, args, err, &problems)
	}
	state := cmd.ProcessState
	s := spent{
		wall: time.Since(start).Seconds(), processor: (state.UserTime() + state.SystemTime()).Seconds(),
		bytes: int64(binary.LittleEndian.Uint64(said[:])),
	}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		s.memory = float64(usage.Maxrss) / 1e3
	}
	return s
}

type writer func([]byte)

func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}

// TestMain is the walk, where it is asked to be, which says how many bytes it has read,
// or makes what is walked.
func TestMain(m *testing.M) {
	walked, made := os.Getenv("WALK"), os.Getenv("MAKE")
	var err error
	switch {
	case walked != "":
		err = walkAll(walked)
	case made != "":
		err = mix(made, os.Args[1])
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func walkAll(dir string) error {
	var size uint64
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		size += uint64(len(data))
		_ = tokens(data) // not all real files are JSON
		return err
	})
	if err == nil {
		_, err = os.Stdout.Write(binary.LittleEndian.AppendUint64(nil, size))
	}
	return err
}

// small writes 20,000 sessions of 10 kB each, in 400 projects.
func small(dir string) error {
	for i := range uint64(20_000) {
		id := fmt.Sprintf("%08x-2222-4333-8444-%012x", i, i)
		name := fmt.Sprintf("-home-dev-app%d/%s.jsonl", i%400, id)
		err := keep(dir, name, session(id, i, func(g *generator) {
			for n := 0; len(g.out) < 7_000; n++ {
				g.record("user", `"message":{"role":"user","content":`+quote(g.pick(prompts))+`}`)
				g.assistant(`{"type":"text","text":` + quote(g.prose(g.length(300))) + `}`)
				g.readOf(500)
				g.short(n)
			}
		}))
		if err != nil {
			return err
		}
	}
	return nil
}

// dense writes so many sessions of 4 MB each, in which every turn decides and edits.
func dense(dir string, sessions uint64) error {
	for i := range sessions {
		id := fmt.Sprintf("%08x-3333-4333-8444-%012x", i, i)
		err := keep(dir, fmt.Sprintf("-home-dev-app%d/%s.jsonl", i%4, id), session(id, i, func(g *generator) {
			for n := 0; len(g.out) < 4<<20; n++ {
				words := fmt.Sprintf("Let's use %s for the %s of %s instead of %s.", g.pick(things), g.pick(parts), g.pick(parts), g.pick(things))
				g.record("user", `"message":{"role":"user","content":`+quote(words)+`}`)
				g.assistant(`{"type":"text","text":"Good idea."}`)
				g.short(n)
			}
		}))
		if err != nil {
			return err
		}
	}
	return nil
}

// session is a session with an id of its own.
func session(id string, seed uint64, write func(*generator)) []byte {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 7)), parent: "null"}
	write(g)
	return bytes.ReplaceAll(g.out, []byte(sessionID), []byte(id))
}

// short is an edit of one line.
func (g *generator) short(n int) {
	call, file := g.call(), "/home/dev/app/"+g.pick(files)
	old, now := quote(fmt.Sprintf("a := %d", n)), quote(fmt.Sprintf("a := %d", n+1))
	g.assistant(fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"Edit","input":{"file_path":%q,"old_string":%s,"new_string":%s}}`, call, file, old, now))
	g.result(call, `"The file has been updated successfully."`, fmt.Sprintf(
		`{"filePath":%q,"oldString":%s,"newString":%s,"originalFile":null,"structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":[%s,%s]}],"userModified":false,"replaceAll":false}`,
		file, old, now, strings.Replace(old, `"`, `"-`, 1), strings.Replace(now, `"`, `"+`, 1)))
}

func keep(dir, name string, data []byte) error {
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}
