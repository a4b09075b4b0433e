// Package e2e runs real coding agents beside memscribe watch and compares what watch
// wrote with what happened in the work tree.
package e2e
