package doctor

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/sink/memdb/spool"
)

// checkWaiting reports memories that wait for a MemDB server, and memories that a server or the
// local database has refused for good. Those need a person: each line of the file of refused
// memories says why.
func (e *examination) checkWaiting(ctx context.Context) {
	state, err := e.setup.StateDir(e.StateDir)
	if err != nil {
		return // another check reports that it is not known
	}
	// the pattern is right
	spools, _ := filepath.Glob(filepath.Join(state, "memdb-*", "memdb.spool"))
	for _, name := range spools {
		n, err := spool.Waiting(ctx, name)
		switch {
		case err != nil:
			e.add("waiting", Wrong, "stop watch and move it away: what was in it is sent again", "%v", err)
		case n > 0:
			e.add("waiting", Doubt, "see to it that the server runs and takes the token, and that watch runs: it sends them",
				"%d memories wait in %s for a server of MemDB", n, name)
		default:
			e.add("waiting", OK, "", "nothing waits in %s for a server of MemDB", name)
		}
	}
	dead, _ := filepath.Glob(filepath.Join(state, "memdb-*", deadLetters))
	if data, err := e.setup.DataDir(); err == nil {
		dead = append(dead, filepath.Join(data, deadLetters))
	}
	for _, name := range dead {
		if n := countLines(name); n > 0 {
			e.add("waiting", Doubt, "each line of it says why; remove the file once you have seen to it",
				"%d memories were refused for good, and lie in %s", n, name)
		}
	}
}

// deadLetters is the file of memories that a MemDB has refused.
const deadLetters = "memdb.dead.ndjson"

// countLines returns the number of lines of a file, or 0 if it does not exist.
func countLines(name string) (n int) {
	f, err := os.Open(name)
	if err != nil {
		return 0
	}
	defer f.Close()
	block := make([]byte, 64<<10)
	for {
		read, err := f.Read(block)
		n += bytes.Count(block[:read], []byte("\n"))
		if err != nil {
			return n
		}
	}
}
