// Package scale simulates many MemDB servers in front of one PostgreSQL in virtual
// time, with measured costs.
//
// A call waits in turns for a core of its server, for the chain of its namespace, for a
// core of the database and for the disk, which flushes the commits of all who wait for
// it together. The chain is held until the commit is on the disk. Nothing else is in the
// model: no network that is full, no searches beside the writes, no vacuum.
package scale

import (
	"container/heap"
	"math/rand/v2"
	"slices"
	"time"
)

// Costs are what was measured on one machine.
type Costs struct {
	ServerCall, ServerMemory     time.Duration // of a core of a server
	DatabaseCall, DatabaseMemory time.Duration // of a core of the database
	Flush                        time.Duration // of the disk, for all commits that wait
	Network                      time.Duration // to the database and back, for a transaction
}

// Plan is what is simulated.
type Plan struct {
	Costs

	Writers       int     // each calls by itself, at random moments
	Each          float64 // calls a second of a writer
	Batch         int     // memories a call
	Namespaces    int     // that writers share evenly
	Servers       int
	Cores         int // of each server
	DatabaseCores int
}

// Outcome is what came of a plan.
type Outcome struct {
	Calls    float64 // done a second
	P50, P95 time.Duration
	// How much of the time each was busy, of 1: the servers' cores, the database's, the
	// busiest chain.
	Servers, Database, Chain float64
}

// First is what gives out first when there is more to do.
func (o *Outcome) First() string {
	most := max(o.Servers, o.Database, o.Chain)
	switch most {
	case o.Servers:
		return "servers"
	case o.Database:
		return "database"
	}
	return "chain of a namespace"
}

// station is a place with some seats, before which calls wait in the order in which
// they come.
type station struct {
	free    int
	waiting []func()
	busy    time.Duration
}

// event is something that happens.
type event struct {
	at    time.Duration
	order int
	do    func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, k int) bool {
	return e[i].at < e[k].at || e[i].at == e[k].at && e[i].order < e[k].order
}
func (e events) Swap(i, k int) { e[i], e[k] = e[k], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// world is a run of a plan.
type world struct {
	Plan

	now      time.Duration
	order    int
	next     events
	servers  []*station
	chains   []*station
	database *station
	commits  []func() // that wait for the disk
	flushing bool
	took     []time.Duration
	until    time.Duration
}

// Run simulates a plan for some time. The same plan has the same outcome.
func (p Plan) Run(t time.Duration) Outcome {
	w := &world{Plan: p, until: t, database: &station{free: p.DatabaseCores}}
	for range p.Servers {
		w.servers = append(w.servers, &station{free: p.Cores})
	}
	for range p.Namespaces {
		w.chains = append(w.chains, &station{free: 1})
	}
	random := rand.New(rand.NewPCG(1, uint64(p.Writers))) //nolint:gosec // the same each time
	for i := range p.Writers {
		w.call(i, random)
	}
	for len(w.next) > 0 {
		e, ok := heap.Pop(&w.next).(event)
		if !ok || e.at > t {
			break
		}
		w.now = e.at
		e.do()
	}
	return w.outcome()
}

// in has something happen after a while.
func (w *world) in(d time.Duration, do func()) {
	w.order++
	heap.Push(&w.next, event{w.now + d, w.order, do})
}

// call has a writer call at a random moment, and then again.
func (w *world) call(writer int, random *rand.Rand) {
	w.in(time.Duration(random.ExpFloat64()/w.Each*float64(time.Second)), func() {
		w.write(writer)
		w.call(writer, random)
	})
}

// write is the way of a call.
func (w *world) write(writer int) {
	begun := w.now
	batch := time.Duration(w.Batch)
	chain := w.chains[writer%w.Namespaces]
	w.use(w.servers[writer%w.Servers], w.ServerCall+batch*w.ServerMemory, func() {
		w.take(chain, func() {
			held := w.now
			w.in(w.Network, func() {
				w.use(w.database, w.DatabaseCall+batch*w.DatabaseMemory, func() {
					w.commit(func() {
						chain.busy += w.now - held
						w.leave(chain)
						w.took = append(w.took, w.now-begun)
					})
				})
			})
		})
	})
}

// take takes a seat, as soon as there is one.
func (w *world) take(s *station, then func()) {
	if s.free == 0 {
		s.waiting = append(s.waiting, then)
		return
	}
	s.free--
	then()
}

func (w *world) leave(s *station) {
	if len(s.waiting) == 0 {
		s.free++
		return
	}
	next := s.waiting[0]
	s.waiting = s.waiting[1:]
	next()
}

// use has a seat for a while.
func (w *world) use(s *station, d time.Duration, then func()) {
	w.take(s, func() {
		w.in(d, func() {
			s.busy += d
			w.leave(s)
			then()
		})
	})
}

// commit waits for the disk: what comes while it flushes is flushed together after that.
func (w *world) commit(then func()) {
	w.commits = append(w.commits, then)
	if !w.flushing {
		w.flush()
	}
}

func (w *world) flush() {
	together := w.commits
	w.commits, w.flushing = nil, true
	w.in(w.Flush, func() {
		w.flushing = false
		if len(w.commits) > 0 {
			w.flush()
		}
		for _, then := range together {
			then()
		}
	})
}

func (w *world) outcome() (o Outcome) {
	slices.Sort(w.took)
	t := w.until.Seconds()
	if n := len(w.took); n > 0 {
		o.P50, o.P95 = w.took[n/2], w.took[n*95/100]
	}
	o.Calls = float64(len(w.took)) / t
	for _, s := range w.servers {
		o.Servers += s.busy.Seconds() / t / float64(w.Servers*w.Cores)
	}
	o.Database = w.database.busy.Seconds() / t / float64(w.DatabaseCores)
	for _, s := range w.chains {
		o.Chain = max(o.Chain, s.busy.Seconds()/t)
	}
	return o
}
