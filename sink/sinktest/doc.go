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
package sinktest
