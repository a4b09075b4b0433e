// Package speed measures the whole path from the bytes of a transcript to the
// lines of a sink, beside the floor that the machine sets.
//
// It holds benchmarks only. The figures that docs/benchmarks.md quotes are
// ratios taken in one run: absolute ones drift with the machine's neighbours.
package speed
