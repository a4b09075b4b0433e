package store

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/smallfile"
)

// original is the record that another record copies. The copy names it, so that core can join
// the two:
//
//	{"table":"message","key":"msg_c","copy_of":"msg_a","copied_session":"ses_1",
//	 "copied_parts":["prt_1"],"data":{…}}
type original struct {
	key, folder string
	parts       []string
	// isCopy says that the record is itself a copy, of a record that no longer exists.
	isCopy bool // it is itself one, of what is gone
}

// append adds to a record what it is a copy of.
func (o *original) append(b []byte) []byte {
	if o == nil {
		return b
	}
	b = jsondoc.AppendQuoteString(append(b, `,"copy_of":`...), o.key)
	b = jsondoc.AppendQuoteString(append(b, `,"copied_session":`...), o.folder)
	b = append(b, `,"copied_parts":[`...)
	for i, part := range o.parts {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsondoc.AppendQuoteString(b, part)
	}
	return append(b, ']')
}

// originals returns the records that the files of a branch copy, by the names of the files. A
// conversation is always copied from its beginning, so the other folders are looked at only if
// the first file is a copy, and only those are read that begin with an equal file. A branch
// without Mark has no copies.
//
//	message/ses_1/msg_a.json   msg_b.json               the original
//	message/ses_2/msg_c.json   msg_d.json   msg_e.json  msg_c copies msg_a: the marks are equal
//	                                                    msg_d copies msg_b, msg_e is new
//
// Files that appear or disappear while they are read count as missing.
func originals(b core.Branch, names []string) (map[string]*original, error) {
	if b.Mark == nil || len(names) == 0 {
		return nil, nil
	}
	first, isCopy, err := marked(b, names[0])
	if err != nil || first == "" || !isCopy {
		return nil, err
	}
	alike, err := beginAlike(b, first)
	if err != nil || len(alike) == 0 {
		return nil, err
	}
	byMark := map[string]*original{}
	for _, folder := range alike {
		if err := folder.collect(byMark); err != nil {
			return nil, err
		}
	}
	found := map[string]*original{}
	for _, name := range names {
		mark, isCopy, err := marked(b, name)
		if err != nil {
			return nil, err
		}
		o := byMark[mark]
		if mark == "" || !isCopy || o == nil || o.isCopy && o.key > keyed(name) {
			continue
		}
		if b.Below != nil {
			if o.parts, err = keysBelow(b.Below(o.key)); err != nil {
				return nil, err
			}
		}
		found[name] = o
	}
	return found, nil
}

// keyed returns the key of a record that lies in a file: its name without the extension.
func keyed(name string) string { return strings.TrimSuffix(name, ".json") }

// maxMarked bounds the files that are looked at for a mark, in bytes; larger ones have none.
const maxMarked = 64 << 20

// marked reads the mark of a file; that of one which has gone is "".
func marked(b core.Branch, name string) (mark string, isCopy bool, err error) {
	data, err := smallfile.Read(filepath.FromSlash(path.Join(b.Dir, name)), maxMarked)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, smallfile.ErrIrregular) || errors.Is(err, smallfile.ErrSize) {
		return "", false, nil
	}
	if err == nil {
		mark, isCopy = b.Mark(keyed(name), data)
	}
	return mark, isCopy, err
}

// folder is one beside that of a branch.
type folder struct {
	branch core.Branch
	names  []string
}

// beginAlike lists the folders beside a branch's whose first file has a mark.
func beginAlike(b core.Branch, first string) ([]folder, error) {
	beside, own := path.Dir(b.Dir), path.Base(b.Dir)
	entries, err := os.ReadDir(filepath.FromSlash(beside))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var alike []folder
	for _, e := range entries {
		if !e.IsDir() || e.Name() == own {
			continue
		}
		other := b
		other.Dir = path.Join(beside, e.Name())
		names, err := listing(other)
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			continue
		}
		mark, _, err := marked(other, names[0])
		if err != nil {
			return nil, err
		}
		if mark == first {
			alike = append(alike, folder{other, names})
		}
	}
	return alike, nil
}

// collect notes the records of a folder by their marks: of several the one that
// is no copy, or else the first.
func (f folder) collect(byMark map[string]*original) error {
	for _, name := range f.names {
		mark, isCopy, err := marked(f.branch, name)
		if err != nil {
			return err
		}
		have, key := byMark[mark], keyed(name)
		if mark == "" || have != nil && (!have.isCopy || isCopy && have.key < key) {
			continue
		}
		byMark[mark] = &original{key: key, folder: path.Base(f.branch.Dir), isCopy: isCopy}
	}
	return nil
}

// keysBelow lists the keys of what lies below a record.
func keysBelow(branches []core.Branch) ([]string, error) {
	var keys []string
	for _, b := range branches {
		names, err := listing(b)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			keys = append(keys, keyed(name))
		}
	}
	return keys, nil
}
