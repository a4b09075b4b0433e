package discover

import (
	"io"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/core"
)

// maxBeside bounds what is read of a file beside a transcript.
const maxBeside = 256 << 10

// Info is what the parser of a transcript may know: its path, and what stands
// beside the file where the adapter's tool writes such things. What cannot be
// read is not there.
func Info(a core.Adapter, path, file string) core.StreamInfo {
	info := core.StreamInfo{Path: path}
	n, ok := a.(core.Neighbour)
	if !ok {
		return info
	}
	for _, name := range n.Beside(path) {
		content, ok := small(filepath.Join(filepath.Dir(file), filepath.FromSlash(name)))
		if !ok {
			continue
		}
		if info.Beside == nil {
			info.Beside = map[string][]byte{}
		}
		info.Beside[name] = content
	}
	return info
}

// small reads a regular file that is no larger than it should be.
func small(file string) ([]byte, bool) {
	stat, err := os.Stat(file)
	if err != nil || !stat.Mode().IsRegular() || stat.Size() > maxBeside {
		return nil, false
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxBeside))
	return content, err == nil
}
