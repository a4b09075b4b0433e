// Package soak measures a watch over many transcripts: what it costs to catch
// up, to start again, to stand by and to follow, on the machine on which it is
// run.
package soak
