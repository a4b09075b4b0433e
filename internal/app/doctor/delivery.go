package doctor

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/sink/memdb/spool"
)

// checkWaiting says what waits for a server of MemDB, and what neither it nor the
// store of this machine would take.
func (e *examination) checkWaiting(ctx context.Context) {
	state, err := e.setup.StateDir(e.StateDir)
	if err != nil {
		return // that it is not known has been said
	}
	spools, _ := filepath.Glob(filepath.Join(state, "memdb-*", "memdb.spool")) // the pattern is right
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

// deadLetters is the file of what a MemDB would not take.
const deadLetters = "memdb.dead.ndjson"

// countLines returns how many lines a file has; none, if there is no such file.
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
