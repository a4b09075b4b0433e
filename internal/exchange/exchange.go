package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/memscribe/memscribe/internal/durable"
	"github.com/memscribe/memscribe/internal/lock"
	"github.com/memscribe/memscribe/internal/sink"
)

// Store is what a machine holds. Its methods are called by one goroutine.
type Store interface {
	// Each calls do for every node that goes to the others. A line is valid until do returns.
	Each(ctx context.Context, do func(*sink.Line) error) error
	// Held returns the digests of those nodes of some ids that there are.
	Held(ctx context.Context, ids []string) (map[string]Digest, error)
	// Forgotten reports whether a node was forgotten here, and must not come back.
	Forgotten(node []byte) (bool, error)
	// Take keeps nodes. They survive a crash when it returns.
	Take(ctx context.Context, nodes []sink.Line) error
}

// Exchange brings a store and a place together. All fields must be set.
type Exchange struct {
	Place Place
	Store Store
	Key   *Key
	Notes string // file of what is remembered of the place
	// Aside is called, on the goroutine of Run, with the reason why a file of another
	// machine was not read, or a node of this one is too large to be sent. Later files of
	// that machine wait for it.
	Aside func(error)
}

// Result counts what an exchange did: nodes, but for Machines and Aside.
type Result struct {
	Sent      int `json:"sent"`
	Received  int `json:"received"`
	Own       int `json:"own"`       // came, and were captured here too: they stay as they are here
	Forgotten int `json:"forgotten"` // came, and were forgotten here
	Machines  int `json:"machines"`  // others that have been there
	Aside     int `json:"aside"`     // files that could not be read
}

// Run reads what is new of the other machines and then writes what is new here.
//
// Order of writes: the nodes are stored, then the notes say that the file was read; a
// file is written, then the notes say so. A crash in between repeats the step, which
// changes nothing. Two runs with the same notes exclude each other by a lock; the
// second is an error.
//
// If files under this machine's name are newer than the notes (a crash between writing
// and noting, a restored backup, a copied machine), the machine takes a new name and
// counts the old one as another machine.
func (x *Exchange) Run(ctx context.Context) (r Result, err error) {
	if err = durable.Create(filepath.Dir(x.Notes)); err != nil {
		return r, fmt.Errorf("make folder of notes: %w", err)
	}
	l, err := lock.Acquire(x.Notes + ".lock")
	if errors.Is(err, lock.ErrTaken) {
		return r, errors.New("another sync with this folder is at work")
	}
	if err != nil {
		return r, fmt.Errorf("lock notes about shared folder: %w", err)
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	k, err := openKnown(ctx, x.Notes)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, k.close()) }()
	names, err := x.Place.List(ctx)
	if err != nil {
		return r, err
	}
	of := map[string][]int{}
	for _, name := range names {
		if machine, number, ok := file(name); ok {
			of[machine] = append(of[machine], number)
		}
	}
	if last := slices.Max(append(of[k.machine], 0)); last >= k.next {
		// It wrote and crashed before it noted that, or the notes are a copy: from a backup,
		// or of another machine, which goes by that name.
		if err = k.rename(ctx); err != nil {
			return r, fmt.Errorf("write notes about shared folder: %w", err)
		}
	}
	delete(of, k.machine)
	if r.Machines = len(of); r.Machines > maxMachines {
		return r, fmt.Errorf("the shared folder has files of %d machines, and no more than %d are read", r.Machines, maxMachines)
	}
	if err = x.receive(ctx, k, of, &r); err != nil {
		return r, err
	}
	if k.next == 1 && r.Aside > 0 {
		return r, nil // without notes, what is held may be another's in words that are old
	}
	return r, x.send(ctx, k, &r)
}

// Bounds of what others may make a run do.
const (
	maxMachines = 1000
	maxAside    = 100 // files that cannot be read; with more of them a run ends
)

// queue is the new files of one machine, in order, the first of them already read.
type queue struct {
	machine string
	numbers []int
	last    int // that was read
	header  header
	lines   []sink.Line // of the first
}

// receive reads the new files of all machines. Files of one machine are read in their order;
// among machines the file with the lowest clock comes first, so that what was written first is
// read first. A machine whose next file is missing or unreadable waits until the next run. More
// than maxAside unreadable files end the run.
func (x *Exchange) receive(ctx context.Context, k *known, of map[string][]int, r *Result) error {
	var queues []*queue
	for _, machine := range slices.Sorted(maps.Keys(of)) {
		last, err := k.readOf(ctx, machine)
		if err != nil {
			return fmt.Errorf("read notes about shared folder: %w", err)
		}
		slices.Sort(of[machine])
		numbers := slices.DeleteFunc(slices.Compact(of[machine]), func(n int) bool { return n <= last })
		q := &queue{machine: machine, numbers: numbers, last: last}
		if x.first(ctx, q, r) {
			queues = append(queues, q)
		}
		if r.Aside > maxAside {
			return fmt.Errorf("more than %d files of the shared folder cannot be read", maxAside)
		}
	}
	for len(queues) > 0 && ctx.Err() == nil {
		q := slices.MinFunc(queues, func(a, b *queue) int {
			return cmp.Or(cmp.Compare(a.header.Clock, b.header.Clock), cmp.Compare(a.machine, b.machine))
		})
		if err := x.take(ctx, k, q.header, q.lines, r); err != nil {
			return fmt.Errorf("take in shared file %s: %w", nameOf(q.machine, q.header.Number), err)
		}
		q.last, q.numbers = q.last+1, q.numbers[1:]
		if !x.first(ctx, q, r) {
			queues = slices.DeleteFunc(queues, func(o *queue) bool { return o == q })
		}
	}
	return ctx.Err()
}

// first reads the first file of a queue. False means that the queue is empty, or that it has to
// wait: for an earlier file that is not there yet, or because the file cannot be read, which
// Aside is told.
func (x *Exchange) first(ctx context.Context, q *queue, r *Result) bool {
	if len(q.numbers) == 0 {
		return false
	}
	name := nameOf(q.machine, q.numbers[0])
	var data []byte
	err := fmt.Errorf("shared file %s waits for the one before it, which is not there", name)
	if q.numbers[0] == q.last+1 {
		data, err = x.Place.Read(ctx, name, maxSealed)
	}
	if err == nil {
		q.header, q.lines, err = x.Key.open(name, data)
	}
	if err != nil && ctx.Err() == nil {
		r.Aside++
		x.Aside(err)
	}
	return err == nil
}

// take stores the nodes of a file, one by one, by the rules of the package comment.
// What was taken is durable before the notes say so.
func (x *Exchange) take(ctx context.Context, k *known, h header, lines []sink.Line, r *Result) error {
	ids := make([]string, len(lines))
	for i := range lines {
		ids[i] = lines[i].ID
	}
	held, err := x.Store.Held(ctx, ids)
	if err != nil {
		return err
	}
	var taken []sink.Line
	var notes []exchanged
	for i := range lines {
		l := &lines[i]
		var was node
		if was, err = k.node(ctx, l.ID); err != nil {
			return err
		}
		gone := false
		if gone, err = x.Store.Forgotten(l.JSON); err != nil {
			return err
		}
		words, there := held[l.ID]
		one := exchanged{l.ID, DigestOf(l.JSON)}
		switch {
		case gone:
			r.Forgotten++
		case there && was.machine == k.machine, there && was.machine == "" && words != one.in: // captured here
			r.Own++
		case !was.precedes(h.Machine, h.Clock): // what is here is later
		case there && was.machine == "": // came from there before the notes were lost, or is the same on both
			r.Own++
			notes = append(notes, one)
		default:
			taken = append(taken, *l)
			notes = append(notes, one)
		}
	}
	if err = x.Store.Take(ctx, taken); err != nil {
		return err
	}
	r.Received += len(taken)
	return k.note(ctx, h, notes)
}

// send writes the nodes that the place does not have in these words, in files of about
// 4 MiB. Nodes that were received and are unchanged are recognised by their digest and
// left out.
func (x *Exchange) send(ctx context.Context, k *known, r *Result) error {
	var lines []sink.Line
	var notes []exchanged
	size := 0
	write := func() error {
		if len(lines) == 0 {
			return nil
		}
		h := header{Machine: k.machine, Number: k.next, Clock: k.clock + 1}
		data, err := x.Key.seal(h, lines)
		if err == nil {
			err = x.Place.Write(ctx, nameOf(h.Machine, h.Number), data)
		}
		if err == nil {
			err = k.note(ctx, h, notes)
		}
		if err != nil {
			return err
		}
		r.Sent += len(lines)
		lines, notes, size = nil, nil, 0
		return nil
	}
	err := x.Store.Each(ctx, func(l *sink.Line) error {
		in := DigestOf(l.JSON)
		was, err := k.node(ctx, l.ID)
		if err != nil || was.machine != "" && was.in == in {
			return err
		}
		if len(l.JSON) > maxNode {
			x.Aside(fmt.Errorf("node %s is not sent to the shared folder: it has %d bytes, and no machine reads one of more than %d", l.ID, len(l.JSON), maxNode))
			return nil
		}
		one := *l
		one.JSON = slices.Clone(l.JSON)
		lines, notes = append(lines, one), append(notes, exchanged{l.ID, in})
		if size += len(l.JSON); size < gathered {
			return nil
		}
		return write()
	})
	if err == nil {
		err = write()
	}
	if err != nil {
		return fmt.Errorf("write to shared folder: %w", err)
	}
	return nil
}
