// Package repository defines the commands about the commits of a git repository: commits,
// share, pr and trailers.
//
// Like all packages of commands it has texts and flags; the answers come from
// cmd/memscribe/internal/commits.
package repository
