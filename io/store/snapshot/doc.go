// Package snapshot shows an SQLite database as it was after its last transaction, without locks
// and without changing anything, while its owner writes.
//
//	s := snapshot.New(path)
//	err := s.Take()             opens the files and fixes the moment
//	s.Begin()                   records what is read from here on
//	…                           SQLite reads through s.Files()
//	ok, err := s.Holds()        was everything of one moment? If not: Release, and again
//	pages := s.Looked()         the pages that were read
//	s.Release()                 closes the files
//
// After a later Take, IsStale reports whether one of these pages was written since. If not,
// what was read from them is still valid. The doc comment of package store, which uses this
// one, explains how the log and the journal replace locks.
//
// A Snapshot must be used by one goroutine.
package snapshot
