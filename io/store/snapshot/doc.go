// Package snapshot shows an SQLite database as it was after its last transaction, without a
// lock and without a trace, while its owner writes.
//
//	s := snapshot.New(path)
//	err := s.Take()             opens the files; a moment is chosen
//	s.Begin()                   what is read from here on is noted
//	…                           SQLite reads through s.Files()
//	ok, err := s.Holds()        was all of it of one moment? If not: Release, and again
//	pages := s.Looked()         what it depends on
//	s.Release()                 closes the files
//
// Later, after another Take, IsStale says whether one of these pages was written since: what
// was read of them needs no second reading if not. Package store, which uses it, explains how
// the log and the journal of SQLite are read in place of locks.
//
// A Snapshot serves one goroutine.
package snapshot
