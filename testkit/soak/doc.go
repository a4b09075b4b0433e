// Package soak measures a watch over many transcripts: catching up, restarting,
// idling and following, on the machine it runs on.
package soak
