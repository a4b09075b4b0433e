// Package repository defines the commands about the commits of a git repository: commits,
// share, pr and trailers.
//
// Like all packages of commands it has texts and flags; the answers come from
// internal/commits.
package repository
