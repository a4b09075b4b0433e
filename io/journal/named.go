package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/io/frame"
	"github.com/memscribe/memscribe/io/tail"
)

// named calls found for each transcript that a line of a journal names.
func named(doc *jsondoc.Doc, line []byte, found func(path string)) {
	if n, err := doc.Parse(line); err != nil || n == 0 {
		return
	}
	payload := doc.Root().Get("payload")
	for _, key := range []string{"transcript_path", "transcriptPath", "agent_transcript_path"} {
		if path := payload.Get(key).Str(); filepath.IsAbs(path) {
			found(filepath.Clean(path))
		}
	}
	if path := payload.Path("tool_info", "transcript_path").Str(); filepath.IsAbs(path) {
		found(filepath.Clean(path))
	}
}

// Transcripts calls found for each transcript that the journals below a folder name, once for
// each time it is named. A missing folder is no error.
//
// Lines that are not JSON are skipped, and so are relative paths.
func Transcripts(dir string, found func(path string)) error {
	var doc jsondoc.Doc
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != suffix {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		lines, buf := &frame.Lines{}, make([]byte, 64<<10)
		for {
			n, err := f.Read(buf)
			lines.Feed(buf[:n], func(l frame.Line) { named(&doc, l.Bytes, found) })
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read journal: %w", err)
	}
	return nil
}

// Names is a consumer that passes everything on to another one, and calls Found once for each
// transcript that a journal names.
type Names struct {
	tail.Consumer

	Dir   string // the folder of the journals
	Found func(path string)

	doc   jsondoc.Doc
	lines map[string]*frame.Lines
	known map[string]bool
}

// Take implements [tail.Consumer].
func (n *Names) Take(ctx context.Context, c tail.Chunk) error {
	if rel, err := filepath.Rel(n.Dir, c.File); err == nil && filepath.IsLocal(rel) {
		n.listen(c)
	}
	return n.Consumer.Take(ctx, c)
}

// listen reads the lines of a chunk of a journal.
func (n *Names) listen(c tail.Chunk) {
	if n.lines == nil {
		n.lines, n.known = map[string]*frame.Lines{}, map[string]bool{}
	}
	lines := n.lines[c.File]
	if lines == nil || c.Fresh {
		lines = &frame.Lines{}
		n.lines[c.File] = lines
	}
	lines.Feed(c.Bytes, func(l frame.Line) {
		named(&n.doc, l.Bytes, func(path string) {
			if !n.known[path] {
				n.known[path] = true
				n.Found(path)
			}
		})
	})
	if c.End {
		delete(n.lines, c.File)
	}
}
