package mcpserver

import (
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Frames returns what stands between a client and the library, which has agreed to a
// version of the protocol. Nothing is answered by the library.
func Frames(from io.Reader, answer io.Writer, version string) io.Reader {
	f := newFrames(from, &answers{WriteCloser: closing{answer}, version: version, waiting: map[jsonrpc.ID]*batch{}})
	f.answer.open = -1 << 30 // the end waits for nothing
	return f
}

// FramesAnswered returns the same, and where the library writes its answers.
func FramesAnswered(from io.Reader, answer io.Writer, version string) (io.Reader, io.Writer) {
	a := &answers{WriteCloser: closing{answer}, version: version, waiting: map[jsonrpc.ID]*batch{}}
	return newFrames(from, a), a
}

// closing is a writer that needs no closing.
type closing struct{ io.Writer }

// Close implements [io.Closer].
func (closing) Close() error { return nil }
