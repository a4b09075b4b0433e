// Package wordindex writes the two full-text indexes of a node database.
//
//	search   the words of conversations and decisions and the paths of edits, by node,
//	         which lists filter by
//	words    everything said, decided, edited and run, by node and message, for
//	         memscribe search
//
// An [Index] writes entries in the transaction that writes their rows. In a backfill it gathers
// them in memory and writes them in large pieces, which is about twice as fast. The tables
// pending and unheard then hold the ranges of the rows that are not indexed yet, each range
// committed with its rows: a committed row always has its words in the index or a range that
// covers it. After a process has died, the next one reads the rows of its ranges again
// ([Index.Complete]).
//
//	transaction 1   rows 100–163      pending (100–163, writer 7)     words in memory
//	transaction 2   rows 164–250      pending (164–250, writer 7)     words in memory
//	a piece is full                   ranges of writer 7 deleted      words in the index
//	                                  └──────── one transaction ────────┘
//
// While a range is pending, searches for words do not find its rows.
package wordindex
