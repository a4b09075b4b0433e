package retry_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/ndjson"
	"github.com/memscribe/memscribe/sink/retry"
	"github.com/memscribe/memscribe/sink/sinktest"
)

// disk is a sink on a disk that fails now and then: what was applied since the
// last Flush is lost when it is opened again.
type disk struct {
	safe, unsafe map[string]string
	fails        func(what string) error
	opened       int
}

func (d *disk) open(context.Context) (sink.Sink, error) {
	d.unsafe = map[string]string{}
	d.opened++
	return d, d.fails("open")
}

func (d *disk) Apply(_ context.Context, lines []sink.Line) error {
	if err := d.fails("apply"); err != nil {
		return err
	}
	for _, l := range lines {
		d.unsafe[l.ID] = string(l.JSON)
	}
	return nil
}

func (d *disk) Flush(context.Context) error {
	if err := d.fails("flush"); err != nil {
		return err
	}
	maps.Copy(d.safe, d.unsafe)
	return nil
}

func (d *disk) Close() error { return d.fails("close") }

type rig struct {
	*retry.Sink
	disk  *disk
	said  []string
	waits []time.Duration
	end   error // of the next Wait
}

func newRig(t *testing.T, fails func(string) error) *rig {
	t.Helper()
	ready := false
	r := &rig{disk: &disk{safe: map[string]string{}}}
	r.disk.fails = func(what string) error {
		if !ready {
			return nil
		}
		return fails(what)
	}
	s, err := retry.Open(t.Context(), retry.Options{
		Open: r.disk.open,
		Wait: func(_ context.Context, d time.Duration) error {
			r.waits = append(r.waits, d)
			return r.end
		},
		Failed: func(err error) { r.said = append(r.said, err.Error()) },
		Works:  func() { r.said = append(r.said, "works") },
	})
	if err != nil {
		t.Fatal(err)
	}
	ready, r.Sink = true, s
	return r
}

func line(id string) []sink.Line { return []sink.Line{{ID: id, JSON: []byte(id)}} }

// TestEveryFailure has one call after another fail, some of them several times:
// whatever fails, what was flushed is there.
func TestEveryFailure(t *testing.T) {
	for fail := range 14 {
		for times := 1; times <= 3; times++ {
			t.Run(fmt.Sprint(fail, times), func(t *testing.T) {
				calls := 0
				r := newRig(t, func(string) error {
					calls++
					if calls > fail && calls <= fail+times {
						return errors.New("no space left on device")
					}
					return nil
				})
				for i := range 4 {
					if err := r.Apply(t.Context(), line(fmt.Sprint("n", i))); err != nil {
						t.Fatal(err)
					}
					if i%2 == 0 {
						continue
					}
					if err := r.Flush(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				if len(r.disk.safe) != 4 {
					t.Errorf("%d nodes are safe, of 4", len(r.disk.safe))
				}
			})
		}
	}
}

func TestSaysSoOnce(t *testing.T) {
	left := 5
	r := newRig(t, func(what string) error {
		if what != "apply" || left == 0 {
			return nil
		}
		left--
		return errors.New("no space left on device")
	})
	if err := r.Apply(t.Context(), line("a")); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.said, ", "); got != "no space left on device, works" {
		t.Errorf("said %s", got)
	}
	for i := range r.waits[1:] {
		if r.waits[i+1] < r.waits[i] {
			t.Errorf("waits %v do not grow", r.waits)
		}
	}
}

func TestGivesUpWhenToldTo(t *testing.T) {
	full := errors.New("no space left on device")
	failing := true
	r := newRig(t, func(what string) error {
		if failing && what != "close" {
			return full
		}
		return nil
	})
	r.end = context.Canceled
	for range 2 {
		if err := r.Apply(t.Context(), line("a")); !errors.Is(err, context.Canceled) || !errors.Is(err, full) {
			t.Errorf("got %v", err)
		}
	}
	failing, r.end = false, nil
	if err := errors.Join(r.Apply(t.Context(), line("a")), r.Flush(t.Context())); err != nil || r.disk.safe["a"] != "a" {
		t.Errorf("got %v, %v", err, r.disk.safe)
	}
}

func TestFirstOpenFails(t *testing.T) {
	foreign := errors.New("not a log")
	_, err := retry.Open(t.Context(), retry.Options{
		Open: func(context.Context) (sink.Sink, error) { return nil, foreign },
	})
	if !errors.Is(err, foreign) {
		t.Errorf("got %v", err)
	}
}

// TestWaitsAtTheStart has the first opening fail for a while.
func TestWaitsAtTheStart(t *testing.T) {
	full := fmt.Errorf("open log: %w", syscall.ENOSPC)
	foreign := errors.New("not a log")
	for _, test := range []struct {
		name  string
		fails []error
		want  error
		said  string
	}{
		{"passes", []error{full, full, full}, nil, "open log: no space left on device, works"},
		{"changes", []error{full, fmt.Errorf("open log: %w", syscall.EIO)}, nil, "open log: no space left on device, open log: input/output error, works"},
		{"stays", []error{foreign}, foreign, ""},
		{"turns out to stay", []error{full, foreign}, foreign, "open log: no space left on device"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := &disk{safe: map[string]string{}, fails: func(string) error { return nil }}
			var said []string
			var waits []time.Duration
			fails := test.fails
			s, err := retry.Open(t.Context(), retry.Options{
				Passes: retry.Passes,
				Open: func(ctx context.Context) (sink.Sink, error) {
					if len(fails) > 0 {
						err := fails[0]
						fails = fails[1:]
						return nil, err
					}
					return d.open(ctx)
				},
				Wait: func(_ context.Context, d time.Duration) error {
					waits = append(waits, d)
					return nil
				},
				Failed: func(err error) { said = append(said, err.Error()) },
				Works:  func() { said = append(said, "works") },
			})
			if !errors.Is(err, test.want) || len(fails) > 0 {
				t.Fatalf("got %v, want %v; %d openings were not tried", err, test.want, len(fails))
			}
			if got := strings.Join(said, ", "); runtime.GOOS == "linux" && got != test.said {
				t.Errorf("said %q, want %q", got, test.said)
			}
			if !slices.IsSorted(waits) {
				t.Errorf("waits %v do not grow", waits)
			}
			if err != nil {
				return
			}
			if err := errors.Join(s.Apply(t.Context(), line("a")), s.Flush(t.Context())); err != nil || d.safe["a"] != "a" {
				t.Errorf("got %v, %v", err, d.safe)
			}
		})
	}
}

func TestEndsWhileItWaitsAtTheStart(t *testing.T) {
	_, err := retry.Open(t.Context(), retry.Options{
		Passes: retry.Passes,
		Open:   func(context.Context) (sink.Sink, error) { return nil, syscall.ENOSPC },
		Wait:   func(context.Context, time.Duration) error { return context.Canceled },
		Failed: func(error) {},
	})
	if !errors.Is(err, context.Canceled) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v", err)
	}
}

func TestPasses(t *testing.T) {
	for err, want := range map[error]bool{
		&fs.PathError{Op: "open", Path: "x", Err: syscall.ENOSPC}:   true,
		&fs.PathError{Op: "open", Path: "x", Err: syscall.EIO}:      true,
		&fs.PathError{Op: "open", Path: "x", Err: syscall.EMFILE}:   true,
		&fs.PathError{Op: "open", Path: "x", Err: syscall.EROFS}:    false,
		&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}:   false,
		&fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}:   false,
		&fs.PathError{Op: "mkdir", Path: "x", Err: syscall.ENOTDIR}: false,
		errors.New("not a log"):                                     false,
	} {
		if got := retry.Passes(fmt.Errorf("open sink: %w", err)); got != want {
			t.Errorf("%v: %v, want %v", err, got, want)
		}
	}
}

// TestSuite holds a log that is written through a Sink to what every
// sink promises.
func TestSuite(t *testing.T) {
	sinktest.Suite{
		Open: func(ctx context.Context, dir string) (sink.Sink, error) {
			return retry.Open(ctx, retry.Options{
				Open: func(context.Context) (sink.Sink, error) { return ndjson.Open(filepath.Join(dir, "log")) },
				Wait: func(ctx context.Context, _ time.Duration) error {
					return cmp.Or(ctx.Err(), errors.New("it did not work at once"))
				},
				Failed: func(error) {},
				Works:  func() {},
			})
		},
		Read: func(_ context.Context, dir string) ([]string, error) {
			data, err := os.ReadFile(filepath.Join(dir, "log"))
			last := map[string]string{}
			for l := range strings.Lines(string(data)) {
				var node struct{ ID string }
				if !strings.HasSuffix(l, "\n") || json.Unmarshal([]byte(l), &node) != nil {
					continue // it is being written
				}
				last[node.ID] = strings.TrimSuffix(l, "\n")
			}
			return slices.Collect(maps.Values(last)), err
		},
	}.Run(t)
}

// TestLost has a log removed: by a sink that says so itself, and while another
// failure is waited for. What was flushed is gone, so that no waiting helps.
func TestLost(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is open cannot be removed")
	}
	for _, fails := range []bool{false, true} {
		t.Run(fmt.Sprint(fails), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			full := fails
			waits := 0
			s, err := retry.Open(t.Context(), retry.Options{
				Open: func(context.Context) (sink.Sink, error) {
					l, err := ndjson.Open(path)
					return &filling{l, &full}, err
				},
				Wait: func(context.Context, time.Duration) error {
					waits++
					return os.Remove(path)
				},
				Failed: func(error) {},
				Works:  func() {},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			const node = `{"schema":"memscribe.node/v1","id":"a"}`
			if !fails {
				err = errors.Join(s.Apply(t.Context(), []sink.Line{{ID: "a", JSON: []byte(node)}}), s.Flush(t.Context()), os.Remove(path))
			} else {
				full = false
				err = errors.Join(s.Apply(t.Context(), []sink.Line{{ID: "a", JSON: []byte(node)}}), s.Flush(t.Context()))
				full = true
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Flush(t.Context()); !errors.Is(err, sink.ErrLost) {
				t.Errorf("got %v, want %v", err, sink.ErrLost)
			}
			if want := map[bool]int{true: 1}[fails]; waits != want {
				t.Errorf("waited %d times, want %d", waits, want)
			}
		})
	}
}

// filling is a log on a disk that fills up.
type filling struct {
	*ndjson.Log

	full *bool
}

func (f *filling) Flush(ctx context.Context) error {
	if *f.full {
		return syscall.ENOSPC
	}
	return f.Log.Flush(ctx)
}

// TestFaultEnds has a sink meet what no waiting mends, while it is open and when
// it is opened again: it is not tried again.
func TestFaultEnds(t *testing.T) {
	for _, when := range []string{"apply", "flush", "open"} {
		t.Run(when, func(t *testing.T) {
			r := newRig(t, func(what string) error {
				switch {
				case what == when:
					return fmt.Errorf("write: %w", sink.Faultf("it is another one"))
				case what == "apply" && when == "open":
					return syscall.ENOSPC
				}
				return nil
			})
			err := r.Apply(t.Context(), line("a"))
			if err == nil {
				err = r.Flush(t.Context())
			}
			if !sink.IsFault(err) {
				t.Errorf("got %v", err)
			}
			if most := map[string]int{"open": 1}[when]; len(r.waits) > most {
				t.Errorf("waited %v", r.waits)
			}
		})
	}
}
