// Package meta runs captures through random schedules of events (writes, rewinds,
// forks, crashes, failing sinks) and compares the final output with one replay.
//
// A [Schedule] follows from its seed. A tool appends (cut anywhere), rewrites in
// place, cuts short and continues, replaces by renaming; files are rotated, copied
// and truncated, compressed, moved, linked, deleted, and come back; notifications
// are lost, which is to say that much happens between two looks; the sink
// refuses; the program is killed between any two of its steps, what the sink had
// not made durable is gone, notes lose their end; and it starts again, now and then
// with other settings. Databases are written to by their tool as well: rows come,
// change in place and go, the log is written back and started again, the file is
// replaced. Hooks and telemetry are pushed to journals beside the transcripts of the
// same calls; some are found only because a hook names them.
//
// What a schedule may leave unfinished, a line without its end among it, is often
// the last that happens, and copies of files come while those they were made of are
// not in memory: a capture that confirms what waits, or that does not read again
// what it has dropped, is caught by some of the first thirty seeds.
//
// Two things are demanded. What the replay gives is in the sink, to the
// byte. And whatever else is there, an earlier state of the files gave.
//
// A [Talk] is not recorded but made up, from a seed as well: sessions in which
// decisions are taken, revoked, taken back by rewinds and taken again, with forks,
// resumed copies, continuations in other files, subagents and compactions. It is
// read in every order of its files, and in turns, and every order must give the
// same nodes.
package meta
