// Package e2e puts real coding agents beside the program: each works on a script
// while memscribe watch follows, and what watch wrote is held to what really
// happened in the work tree.
package e2e
