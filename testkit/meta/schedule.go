package meta

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/io/capture"
)

// Schedule is a series of things that happen to a few transcripts.
type Schedule struct {
	Seed uint64
	// Cases are the transcripts to choose from: those of one case are written
	// together.
	Cases []Case
	// Steps is how many things happen.
	Steps int
	// Plain has every file keep to one name: none is linked to.
	Plain bool
}

// Failure is a schedule after which the sink does not hold what it should.
type Failure struct {
	Seed  uint64
	What  string
	Log   []string
	Files []string
}

func (f *Failure) Error() string {
	return fmt.Sprintf("seed %d: %s\nfiles: %s\nwhat happened:\n  %s", f.Seed, f.What,
		strings.Join(f.Files, " "), strings.Join(f.Log, "\n  "))
}

// player plays a schedule.
type player struct {
	schedule Schedule
	rng      *rand.Rand
	world    *world
	settings settings
	program  *program
	ever     map[string]bool // ids that a state of the files has given
	synced   int64           // of the notes, by programs that have ended
}

// Play plays the schedule in a folder that is empty. The error is a *Failure if
// what came out is wrong.
func (s Schedule) Play(ctx context.Context, dir string) error {
	rng := rand.New(rand.NewPCG(s.Seed, 7))
	var cases []Case
	for range 1 + rng.IntN(3) {
		cases = append(cases, s.Cases[rng.IntN(len(s.Cases))])
	}
	root, outside := filepath.Join(dir, "root"), filepath.Join(dir, "outside")
	for _, d := range []string{root, outside} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	p := &player{
		schedule: s, rng: rng, world: newWorld(root, outside, cases, rng), ever: map[string]bool{},
		settings: settings{root: root, notes: notesIn(dir), sink: newDisk(), rng: rng, steps: -1},
	}
	p.world.plain = s.Plain
	if rng.IntN(2) == 0 { // much is dropped from memory
		p.settings.limits = capture.Limits{Streams: 1 + rng.IntN(4), Nodes: 1 + rng.IntN(50)}
	}
	return errors.Join(p.play(ctx), p.world.end())
}

func (p *player) play(ctx context.Context) error {
	if err := p.begin(ctx); err != nil {
		return err
	}
	for range p.schedule.Steps {
		if err := p.step(ctx); err != nil {
			return err
		}
	}
	switch p.rng.IntN(4) {
	case 0, 1:
		if err := p.world.finish(); err != nil {
			return err
		}
		p.world.note("all is written")
	case 2:
		if err := p.world.pause(); err != nil {
			return err
		}
	}
	if err := p.settle(ctx); err != nil {
		return err
	}
	if p.rng.IntN(2) == 0 { // or else it has time to take what it was waiting for
		if err := p.crash(ctx); err != nil {
			return err
		}
	}
	if err := p.end(ctx); err != nil {
		return err
	}
	return p.compare(ctx)
}

// step is one thing that happens.
func (p *player) step(ctx context.Context) error {
	switch n := p.rng.IntN(20); {
	case n < 12:
		return p.world.change()
	case n < 16:
		return p.look(ctx)
	case n < 17:
		return p.refuse(ctx)
	case n < 18:
		return p.kill(ctx)
	case n < 19:
		return p.restart(ctx)
	default:
		return p.look(ctx)
	}
}

// begin starts the program and lets it catch up.
func (p *player) begin(ctx context.Context) error {
	if err := p.remember(ctx); err != nil {
		return err
	}
	if p.program != nil {
		p.synced = p.durable()
	}
	var err error
	if p.program, err = start(ctx, p.settings); err != nil {
		return err
	}
	return p.again(ctx, p.program.idle())
}

// again starts the program again if it has died of what it should die of.
func (p *player) again(ctx context.Context, died error) error {
	switch {
	case errors.Is(died, errRefused), errors.Is(died, errKilled):
		p.world.note("the program died: %v", died)
		p.settings.steps = -1
		p.settings.sink.refuse = func() bool { return false }
		p.settings.sink.crash()
		if p.rng.IntN(3) == 0 {
			p.world.note("the notes lost their end")
			if err := tear(p.settings.notes, p.durable(), p.rng); err != nil {
				return err
			}
		}
		for p.rng.IntN(3) == 0 {
			if err := p.world.change(); err != nil {
				return err
			}
		}
		return p.begin(ctx)
	default:
		return died
	}
}

// durable is how much of the notes a loss of power leaves: as much as this program
// has seen to, or those before it.
func (p *player) durable() int64 {
	return cmp.Or(p.program.notes.Durable(), p.synced)
}

func (p *player) look(ctx context.Context) error {
	p.world.note("look")
	if err := p.remember(ctx); err != nil {
		return err
	}
	return p.again(ctx, p.program.look())
}

func (p *player) settle(ctx context.Context) error {
	if err := p.look(ctx); err != nil {
		return err
	}
	return p.look(ctx)
}

// refuse has the sink fail at some of its next calls.
func (p *player) refuse(ctx context.Context) error {
	p.world.note("the sink refuses")
	left := p.rng.IntN(4)
	p.settings.sink.refuse = func() bool {
		left--
		return left < 0
	}
	if err := p.world.append(); err != nil {
		return err
	}
	err := p.look(ctx)
	p.settings.sink.refuse = func() bool { return false }
	return err
}

// kill starts the program so that it dies soon.
func (p *player) kill(ctx context.Context) error {
	if err := p.end(ctx); err != nil {
		return err
	}
	p.settings.steps = p.rng.IntN(12)
	p.world.note("it will be killed after %d steps", p.settings.steps)
	if err := p.world.change(); err != nil {
		return err
	}
	return p.begin(ctx)
}

// crash kills the program while it has nothing to do, and starts it again.
func (p *player) crash(ctx context.Context) error {
	p.world.note("it is killed")
	if died := p.program.kill(); died != nil && !errors.Is(died, errKilled) {
		return died
	}
	p.settings.sink.crash()
	return p.begin(ctx)
}

// restart stops the program and starts it again, after a while.
func (p *player) restart(ctx context.Context) error {
	p.world.note("restart")
	if err := p.remember(ctx); err != nil {
		return err
	}
	if err := p.end(ctx); err != nil {
		return err
	}
	for p.rng.IntN(2) == 0 {
		if err := p.world.change(); err != nil {
			return err
		}
	}
	if p.rng.IntN(4) == 0 {
		p.settings.noContent = !p.settings.noContent
		p.world.note("other settings: no content %v", p.settings.noContent)
	}
	return p.begin(ctx)
}

// end stops the program, however often it dies of it.
func (p *player) end(ctx context.Context) error {
	for {
		died := p.program.end()
		if died == nil {
			return nil
		}
		if err := p.again(ctx, died); err != nil {
			return err
		}
	}
}

// remember notes what the present state gives.
func (p *player) remember(ctx context.Context) error {
	nodes, err := replay(ctx, &p.settings)
	for id := range nodes {
		p.ever[id] = true
	}
	return err
}

// compare holds the sink to a replay.
func (p *player) compare(ctx context.Context) error {
	want, err := replay(ctx, &p.settings)
	if err != nil {
		return err
	}
	var wrong []string
	for id, line := range want {
		p.ever[id] = true
		switch got, ok := p.settings.sink.durable[id]; {
		case !ok:
			wrong = append(wrong, "lost: "+line)
		case got != line:
			wrong = append(wrong, "differs:\n    want "+line+"\n    got  "+got)
		}
	}
	for id, line := range p.settings.sink.durable {
		if !p.ever[id] {
			wrong = append(wrong, "never was: "+line)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	slices.Sort(wrong)
	what := fmt.Sprintf("%d of %d nodes are wrong, the first:\n  %s", len(wrong), len(want), wrong[0])
	return &Failure{p.schedule.Seed, what, p.world.log, p.world.names()}
}
