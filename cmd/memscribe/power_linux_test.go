package main

import (
	"flag"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/ndjson"
	"github.com/memscribe/memscribe/sink/sqlite"
	"github.com/memscribe/memscribe/testkit/powerloss"
)

// Have the power fail after every call with: go test ./cmd/memscribe -run PowerLoss -losses 0 -timeout 1h
var losses = flag.Int("losses", 6, "how often TestPowerLoss lets the power fail for each sink; 0 is after every call")

// TestPowerLoss records what watch writes while tools do, and lets the power fail
// at some moment: of what was not synced, anything may be gone. What watch had
// noted as delivered is there all the same, and the next watch makes of what is
// left what a replay gives.
func TestPowerLoss(t *testing.T) {
	for _, out := range []string{"nodes.db", "nodes.ndjson"} {
		t.Run(out, func(t *testing.T) {
			t.Parallel()
			f := newFaulty(t, out)
			p := record(t, f, newChance(t, 1))
			if *losses == 0 {
				for at := range p.did {
					p.lose(at + 1)
				}
				return
			}
			p.moments(*losses)
			p.withoutSyncs()
		})
	}
}

// power is a watch whose calls were recorded.
type power struct {
	*failing

	rng   *rand.Rand
	did   []powerloss.Call
	notes []int // those calls by which watch has noted something as delivered
}

// record runs watch, and makes sure that what was recorded is what there is.
func record(t *testing.T, f *faulty, rng *rand.Rand) *power {
	t.Helper()
	r := f.prepare(t)
	r.noting = true
	r.start(powerloss.Options(r.calls))
	r.finish()
	if r.left != nil {
		t.Fatalf("%v\n%s", r.left, r.said.String())
	}
	trace, err := os.Open(r.calls)
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	p := &power{failing: r, rng: rng}
	if p.did, err = powerloss.Read(trace, r.dir); err != nil {
		t.Fatal(err)
	}
	p.notes = p.delivered()
	there := filesIn(t, r.dir)
	for name, content := range powerloss.After(p.did).Whole() {
		if there[name] != string(content) {
			t.Fatalf("the calls that were recorded do not make the file %s that is there", name)
		}
		delete(there, name)
	}
	if len(there) > 0 {
		t.Fatalf("the calls that were recorded do not make these files: %v", maps.Keys(there))
	}
	return p
}

func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// moments lets the power fail so often, most of all where watch has just noted
// something.
func (p *power) moments(n int) {
	noted := p.noted(len(p.did))
	if len(noted) < partCount {
		p.t.Fatalf("watch has noted something %d times", len(noted))
	}
	for i := range n {
		at := 1 + p.rng.IntN(len(p.did))
		if i%2 == 0 {
			at = noted[p.rng.IntN(len(noted))] + 1
		}
		p.lose(at)
		if p.t.Failed() {
			p.t.Fatalf("when the power fails after call %d of %d", at, len(p.did))
		}
	}
}

// noted are those of the first calls by which watch has noted something as
// delivered.
func (p *power) noted(before int) []int {
	n, _ := slices.BinarySearch(p.notes, before)
	return p.notes[:n]
}

// delivered finds the calls that note something as delivered: not those that only
// say, in the middle of a delivery, which files have become one group.
func (p *power) delivered() (at []int) {
	given := map[string]bool{} // the sink's files that were written to since they were synced
	for i, c := range p.did {
		isSink, isNote := strings.Contains(c.Name, filepath.Base(p.out)), strings.HasPrefix(c.Name, "state/done-")
		switch {
		case isSink && c.Kind == powerloss.Write:
			given[c.Name] = true
		case isSink && c.Kind == powerloss.Sync:
			delete(given, c.Name)
		case isNote && len(given) > 0:
		case isNote && (c.Kind == powerloss.Rename || c.Kind == powerloss.Write && !strings.HasSuffix(c.Name, ".new")):
			at = append(at, i)
		}
	}
	return at
}

// lose lets the power fail after so many calls, and goes on with what is left.
func (p *power) lose(calls int) {
	p.t.Helper()
	left := powerloss.After(p.did[:calls]).Left(p.rng)
	if lost := p.missing(left, calls); len(lost) > 0 {
		p.t.Errorf("nodes are lost that were noted as delivered: %q", lost)
	}
	p.put(left)
	p.again()
	p.compare()
}

// missing are the nodes that an image does not hold although they had been noted
// as delivered.
func (p *power) missing(left powerloss.Image, calls int) (lost []string) {
	noted := p.noted(calls)
	if len(noted) == 0 {
		return nil
	}
	p.put(powerloss.After(p.did[:noted[len(noted)-1]]).Whole())
	want, err := p.opened()
	if err != nil {
		p.t.Fatal(err)
	}
	p.put(left)
	got, err := p.opened()
	if err != nil {
		return slices.Sorted(maps.Keys(want)) // and a watch would say so
	}
	for id := range want {
		if _, there := got[id]; !there {
			lost = append(lost, id)
		}
	}
	return lost
}

// put makes the folder what an image holds.
func (p *power) put(image powerloss.Image) {
	p.t.Helper()
	err := os.RemoveAll(p.dir)
	if err == nil {
		err = os.MkdirAll(p.dir, 0o700)
	}
	if err == nil {
		err = image.Write(p.dir)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// opened is what the sink holds when it is opened to be written to.
func (p *power) opened() (map[string][]string, error) {
	var s sink.Sink
	var err error
	if filepath.Ext(p.out) == ".db" {
		s, err = sqlite.Open(p.t.Context(), p.out, sqlite.Options{})
	} else {
		s, err = ndjson.Open(p.out)
	}
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return p.held(), nil
}

// withoutSyncs sees to it that these tests can fail: of a watch that syncs
// nothing something gets lost.
func (p *power) withoutSyncs() {
	var calls []powerloss.Call
	var notes []int
	for i, c := range p.did {
		if slices.Contains(p.notes, i) {
			notes = append(notes, len(calls))
		}
		if c.Kind != powerloss.Sync {
			calls = append(calls, c)
		}
	}
	p.did, p.notes = calls, notes
	for range 50 {
		noted := p.noted(len(calls))
		at := noted[p.rng.IntN(len(noted))] + 1
		left := powerloss.After(calls[:at]).Left(p.rng)
		if len(left[filepath.Base(p.out)]) == 0 || len(p.missing(left, at)) > 0 {
			return
		}
	}
	p.t.Error("without any sync nothing is ever lost")
}
