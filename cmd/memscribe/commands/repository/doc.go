// Package repository defines the commands about the commits of a git repository: commits,
// share, pr and trailers.
//
// Like all packages of commands it has texts and flags; the answers come from internal/commits.
// They compare the lines that a commit adds with recorded edits, so they do not depend on the
// ids of commits:
//
//	commits A..B    for each commit: its sessions, its decisions, lines by origin
//	share FILE      lines by origin, for files as they are or for the lines of a range
//	pr A..B         Markdown for a pull request
//	trailers        a git hook that adds the same to commit messages
//
// All of them end with exit code 1 if no line is known to come from an agent, except trailers.
package repository
