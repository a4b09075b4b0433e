package mcpserver

import (
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Frames is what stands between a client and the library, which has agreed to a version
// of the protocol.
func Frames(from io.Reader, answer io.Writer, version string) io.Reader {
	return newFrames(from, &answers{WriteCloser: closing{answer}, version: version, waiting: map[jsonrpc.ID]*batch{}})
}

// closing is a writer that needs no closing.
type closing struct{ io.Writer }

// Close implements [io.Closer].
func (closing) Close() error { return nil }
