// Package order sorts lists where neither their length nor the time it takes matters: as
// package slices does, in the same order, also among equals, but with one sort for all
// types. The sorts of package slices are made once more for each type, which weighs 13 kB
// every time.
package order

import (
	"iter"
	"slices"
	"sort"
)

// Sort sorts as [slices.SortFunc] does.
func Sort[T any](list []T, compare func(a, b T) int) { sort.Sort(of(list, compare)) }

// Stable sorts as [slices.SortStableFunc] does.
func Stable[T any](list []T, compare func(a, b T) int) { sort.Stable(of(list, compare)) }

// Sorted collects as [slices.SortedFunc] does.
func Sorted[T any](all iter.Seq[T], compare func(a, b T) int) []T {
	list := slices.Collect(all)
	Sort(list, compare)
	return list
}

// sortable is a list of any type, as package sort takes it.
type sortable struct {
	length int
	less   func(i, j int) bool
	swap   func(i, j int)
}

func of[T any](list []T, compare func(a, b T) int) *sortable {
	return &sortable{
		length: len(list),
		less:   func(i, j int) bool { return compare(list[i], list[j]) < 0 },
		swap:   func(i, j int) { list[i], list[j] = list[j], list[i] },
	}
}

func (s *sortable) Len() int           { return s.length }
func (s *sortable) Less(i, j int) bool { return s.less(i, j) }
func (s *sortable) Swap(i, j int)      { s.swap(i, j) }
