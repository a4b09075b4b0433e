// Package speed measures the path from the bytes of a transcript to the lines of a
// sink, beside the machine's floor.
//
// It holds benchmarks only. The figures that docs/benchmarks.md quotes are
// ratios taken in one run: absolute ones drift with the machine's neighbours.
package speed
