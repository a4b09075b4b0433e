// Package sinktest is the test suite that every sink must pass.
//
// A sink is done when its test makes a [Suite] and runs it. The suite asks what
// the contract promises: the last line of an id stands, a batch counts whole or
// not at all, what was flushed survives a kill at any moment, and what comes
// again changes nothing.
//
// A sink's own test:
//
//	func TestSink(t *testing.T) {
//	    sinktest.Suite{
//	        Open: func(ctx context.Context, dir string) (sink.Sink, error) { return Open(ctx, dir) },
//	        Read: readAll,
//	    }.Run(t)
//	}
//
// The tests, and what a failure of each means:
//
//	upsert       an old line of an id was kept, or a new one was lost
//	redelivery   delivering again changed a byte in the folder
//	order        the result depends on the order of delivery
//	reopening    flushed lines were gone after closing and opening
//	killed       lines that were reported as flushed were gone after a kill
//	readers      a reader saw half a batch, or fewer lines than before
//	cancelled    a cancelled batch left something behind
//	closing      Close twice failed, or a closed sink took lines
//	bytes        the sink kept memory that belongs to the caller
//	empty        an empty batch wrote something
//
// [Maker] makes the lines: sessions of several tools with decisions, edits and bindings, whose
// words are distributed like those of a language. The same seed gives the same lines.
package sinktest
