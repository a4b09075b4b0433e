// Package shell knows what commands and scripts do to files, and what their answers say:
//
//	cat a.go                        [ReadOf]        prints a.go from its first line on
//	cd b && apply_patch <<'EOF' …   [PatchesIn]     a patch, applied in b
//	apply_patch("*** Begin …")      [PatchLiterals] a patch in a script of code mode
//	Exit code: 1                    [ExitCode]      the command failed
//
// Nothing is run, and nothing is guessed: a command that it does not know may do anything.
package shell
