package mcpserver

import "io"

// Frames is what stands between a client and the library.
func Frames(from io.Reader, answer io.Writer) io.Reader { return newFrames(from, answer) }
