package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/memscribe/memscribe/internal/atomicfile"
	"github.com/memscribe/memscribe/internal/decisions"
	"github.com/memscribe/memscribe/internal/visible"
)

// Written counts what [Answer.WriteRecords] did with the files of a folder.
type Written struct {
	New, Changed, Same int
	Kept               []string // changed by hand, and left alone
}

// seal begins the last line of a record, which holds the digest of the lines above it. A
// file with another digest was edited by a person.
const seal = "<!-- memscribe record "

// WriteRecords writes a Markdown record of each decision into a folder. The same
// decisions make the same bytes. A file that was changed by hand stays as it is.
func (a *Answer) WriteRecords(dir string) (w Written, err error) {
	for i := range a.Decisions {
		d := &a.Decisions[i]
		name := filepath.Join(dir, recordName(dir, d))
		content := sealed(record(d))
		old, err := os.ReadFile(name)
		switch {
		case errors.Is(err, os.ErrNotExist):
			w.New++
		case err != nil:
			return w, fmt.Errorf("read record: %w", err)
		case bytes.Equal(old, content):
			w.Same++
			continue
		case !isSealed(old):
			w.Kept = append(w.Kept, name)
			continue
		default:
			w.Changed++
		}
		if err := atomicfile.Write(name, func(f io.Writer) error { _, err := f.Write(content); return err }); err != nil {
			return w, err
		}
	}
	return w, nil
}

// recordName returns the file name of a record: the day, words of the title, and the beginning
// of the decision's id. A record that exists keeps its name when the title changes. The words
// take at most 40 bytes.
func recordName(dir string, d *decisions.Decision) string {
	const day, longest, unique = len("2026-11-01"), 40, 12
	id := d.ID[strings.IndexByte(d.ID, ':')+1:]
	end := id[:min(unique, len(id))] + ".md"
	if files, _ := os.ReadDir(dir); len(files) > 0 { // a folder that cannot be read has no records
		for _, f := range files {
			if strings.HasSuffix(f.Name(), "-"+end) {
				return f.Name()
			}
		}
	}
	name := d.Timestamp[:min(day, len(d.Timestamp))]
	words := strings.FieldsFunc(strings.ToLower(d.Title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, w := range words {
		if len(name)+len(w) > day+longest {
			break
		}
		name += "-" + w
	}
	return strings.TrimLeft(name+"-"+end, "-")
}

// record returns a decision as Markdown.
func record(d *decisions.Decision) string {
	var b strings.Builder
	status := "in force"
	if d.SupersededBy != "" {
		status = "superseded by " + d.SupersededBy
	}
	fmt.Fprintf(&b, "# %s\n\n- Status: %s\n", text(d.Title), status)
	if d.IsBan {
		b.WriteString("- Kind: ban\n")
	}
	fmt.Fprintf(&b, "- Decided: %s by %s\n- Source: %s, session %s\n- Score: %d\n- Id: %s\n\n## Decision\n\n%s",
		d.Timestamp, text(d.DecidedBy), text(d.Source), text(d.SessionID), d.Score, text(d.ID), quoted(d.Epitome))
	if d.Confirmation != "" {
		b.WriteString("\n## Confirmed by\n\n" + quoted(d.Confirmation))
	}
	if len(d.Options) > 0 {
		b.WriteString("\n## Options\n\n")
	}
	for _, o := range d.Options {
		mark := " "
		if o.Chosen {
			mark = "x"
		}
		fmt.Fprintf(&b, "- [%s] %s\n", mark, text(o.Text))
	}
	if all := files(d); len(all) > 0 {
		b.WriteString("\n## Carried out in\n\n")
		for _, f := range all {
			b.WriteString("- " + text(f) + "\n")
		}
	}
	return b.String()
}

// text returns a line in which no HTML begins.
func text(s string) string {
	return strings.ReplaceAll(visible.Line(strings.Join(strings.Fields(s), " ")), "<", "&lt;")
}

// quoted returns s as a Markdown quotation.
func quoted(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.TrimRight("> "+text(line), " ") + "\n")
	}
	return b.String()
}

// sealed appends the digest of a record to it. A record whose digest no longer
// matches was edited by hand and is not overwritten.
func sealed(content string) []byte {
	sum := sha256.Sum256([]byte(content))
	return []byte(content + seal + hex.EncodeToString(sum[:]) + " -->\n")
}

// isSealed reports whether a file is as it was written.
func isSealed(file []byte) bool {
	at := bytes.LastIndex(file, []byte(seal))
	return at >= 0 && bytes.Equal(file, sealed(string(file[:at])))
}
