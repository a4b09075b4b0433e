package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/memscribe/memscribe/internal/durable"
	"github.com/memscribe/memscribe/io/discover"
)

const (
	magic = "memscribe checkpoints 2\n"
	// headSize is the size of the head of a frame in bytes: the length and the checksum of its
	// changes.
	headSize = 8
	// maxWaste is how many bytes the file may have, beyond twice the size of its state, before
	// it is rewritten.
	maxWaste = 4 << 20
	// bytesOfKey and bytesOfFile are the approximate sizes of entries in the file.
	bytesOfKey, bytesOfFile = 8, 128
)

// The changes. Numbers are varints; a text has its length before it.
const (
	opBind   = 'b' // text
	opMark   = 'm' // text
	opJoin   = 'j' // group, group
	opAdd    = 'a' // path, group
	opDone   = 'd' // path, and the five numbers of a stamp
	opForget = 'f' // path
	opKeys   = 'k' // group, how many, and 8 bytes each
)

// change adds an entry to the batch: an operation and its numbers, as varints.
func (s *Store) change(op byte, numbers ...uint64) {
	s.batch = append(s.batch, op)
	for _, n := range numbers {
		s.batch = binary.AppendUvarint(s.batch, n)
	}
}

// changePath adds an entry with a path, unless the path must not be stored, because it has a
// secret or belongs to an excluded project.
func (s *Store) changePath(op byte, text string, numbers ...uint64) {
	if isOfFile := op == opAdd || op == opDone || op == opForget; isOfFile && s.Withheld != nil && s.Withheld(text) {
		return
	}
	s.batch = append(s.batch, op)
	s.batch = binary.AppendUvarint(s.batch, uint64(len(text)))
	s.batch = append(s.batch, text...)
	for _, n := range numbers {
		s.batch = binary.AppendUvarint(s.batch, n)
	}
}

// changeStamp adds an entry that the content of a file with this stamp is done.
func (s *Store) changeStamp(path string, t discover.Stamp) {
	s.changePath(opDone, path, t.Device, t.Inode, uint64(t.Size), uint64(t.Modified), uint64(t.Changed))
}

// changeKeys adds an entry with keys of a group. Keys have 8 bytes each: hashes do not compress.
func (s *Store) changeKeys(g Group, keys []uint64) {
	s.change(opKeys, uint64(g), uint64(len(keys)))
	for _, k := range keys {
		s.batch = binary.LittleEndian.AppendUint64(s.batch, k)
	}
}

// Commit writes all changes to the file. mark is the sink's present mark; everything that the
// changes say must be durable in the sink. After an error nothing is lost: the next Commit writes
// the whole state.
func (s *Store) Commit(mark string) error {
	if s.path == "" {
		s.batch = s.batch[:0]
		return nil
	}
	if len(s.batch) == 0 && !s.rewrite && mark == s.mark {
		return nil
	}
	if mark != s.mark {
		s.mark = mark
		s.changePath(opMark, mark)
	}
	if s.rewrite || s.waste > maxWaste+2*s.needs() {
		return s.Compact()
	}
	if err := s.append(); err != nil {
		s.rewrite, s.batch = true, nil
		return fmt.Errorf("write checkpoints: %w", err)
	}
	s.batch = s.batch[:0]
	return nil
}

// Sync makes committed changes durable.
func (s *Store) Sync() error {
	if s.file == nil || s.durable == s.size {
		return nil
	}
	if err := s.file.Sync(); err != nil {
		s.rewrite = true
		return fmt.Errorf("sync checkpoints: %w", err)
	}
	s.durable = s.size
	return nil
}

// Durable returns how many bytes of the file were synced, and so survive a power failure.
func (s *Store) Durable() int64 { return s.durable }

// needs returns the approximate size of the whole state in the file.
func (s *Store) needs() int64 {
	return int64(s.keys.len())*bytesOfKey + int64(len(s.files))*bytesOfFile
}

// append appends the batch to the log as one frame. The checksum of a frame covers all frames
// before it, so that an incomplete frame ends the log.
func (s *Store) append() error {
	if s.file == nil {
		f, err := os.OpenFile(s.path, os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		s.file = f
	}
	frame, sum := frameOf(s.sum, s.batch)
	if _, err := s.file.WriteAt(frame, s.size); err != nil {
		return err
	}
	s.sum = sum
	s.size += int64(len(frame))
	s.waste += int64(len(frame))
	return nil
}

// frameOf returns a frame that follows a frame with the checksum before, and its own checksum.
func frameOf(before uint32, changes []byte) (frame []byte, sum uint32) {
	frame = make([]byte, headSize, headSize+len(changes))
	sum = sumOf(before, changes)
	binary.LittleEndian.PutUint32(frame, uint32(len(changes)))
	binary.LittleEndian.PutUint32(frame[4:], sum)
	return append(frame, changes...), sum
}

// sumOf returns the checksum of a frame that follows a frame with the checksum before.
func sumOf(before uint32, changes []byte) uint32 {
	return crc32.Update(before, crc32.MakeTable(crc32.Castagnoli), changes)
}

// Compact rewrites the file with the present state only, and makes it durable.
func (s *Store) Compact() error {
	s.rewrite, s.batch = true, nil
	if err := s.compact(); err != nil {
		return fmt.Errorf("write checkpoints: %w", err)
	}
	return nil
}

// compact writes the state to a new file and renames it to the log.
func (s *Store) compact() error {
	if s.file != nil {
		s.file.Close() // its content is not needed any more
		s.file = nil
	}
	frame, sum := frameOf(0, s.everything())
	whole := append([]byte(magic), frame...)
	s.batch = nil
	name := s.path + ".new"
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(whole)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	if err := os.Rename(name, s.path); err != nil {
		return err
	}
	s.size, s.sum, s.waste, s.rewrite = int64(len(whole)), sum, 0, false
	if err := durable.Sync(filepath.Dir(s.path)); err != nil {
		return err
	}
	s.durable = s.size
	return nil
}

// everything returns the changes that lead from an empty store to the present state, in any order.
func (s *Store) everything() []byte {
	keys := map[Group][]uint64{}
	s.keys.each(func(k uint64, g Group) {
		g = s.root(g)
		keys[g] = append(keys[g], k)
	})
	s.changePath(opBind, s.binding)
	s.changePath(opMark, s.mark)
	for id, g := range s.groups {
		if len(g.paths) == 0 {
			continue
		}
		for _, path := range g.paths {
			e := s.files[path]
			s.changePath(opAdd, path, uint64(id))
			if e.known {
				s.changeStamp(path, e.stamp)
			}
		}
		if len(keys[id]) > 0 {
			s.changeKeys(id, keys[id])
		}
	}
	return s.batch
}

// load reads the state from a file, up to the first damaged frame.
func (s *Store) load(data []byte) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return
	}
	s.files = make(map[string]entry, len(data)/bytesOfFile/2)
	s.keys.read = make([]held, 0, len(data)/bytesOfKey)
	size := int64(len(magic))
	for first := true; len(rest) >= headSize; first = false {
		n := int(binary.LittleEndian.Uint32(rest))
		sum := binary.LittleEndian.Uint32(rest[4:])
		if n > len(rest)-headSize {
			break
		}
		changes := rest[headSize : headSize+n]
		if sumOf(s.sum, changes) != sum {
			break
		}
		if err := s.replay(&reader{rest: changes}, first); err != nil {
			s.empty()
			return
		}
		s.sum = sum
		rest = rest[headSize+n:]
		size += int64(headSize + n)
	}
	s.shrink()
	if size == int64(len(magic)) {
		return
	}
	s.size, s.waste, s.rewrite = size, max(0, size-s.needs()), false
}

// shrink frees memory that loading needed: room for more keys than there are, and second copies of
// paths.
func (s *Store) shrink() {
	s.keys.read = slices.Clone(s.keys.read)
	for _, g := range s.groups {
		g.paths = g.paths[:0]
	}
	for path, e := range s.files {
		if g := s.groups[s.root(e.group)]; g != nil {
			g.paths = append(g.paths, path)
		}
	}
}

// errOther says that a file has another binding, or is no log.
var errOther = errors.New("not these checkpoints")

// replay applies the entries of a frame. The first entry of a log is its binding; if that is
// another one, the whole log is ignored.
func (s *Store) replay(r *reader, first bool) error {
	if first && (r.op() != opBind || r.text() != s.binding) {
		return errOther
	}
	for r.err == nil && len(r.rest) > 0 {
		switch op := r.op(); op {
		case opMark:
			s.mark = r.text()
		case opJoin:
			s.join(s.known(r), s.known(r))
		case opAdd:
			path := r.text()
			s.set(path, entry{group: s.known(r)})
		case opDone:
			path := r.text()
			e := s.files[path]
			e.stamp, e.known = r.stamp(), true
			s.files[path] = e
		case opForget:
			s.remove(r.text())
		case opKeys:
			g := s.known(r)
			for n := r.number(); n > 0 && r.err == nil; n-- {
				s.keys.load(r.key(), g)
			}
		default:
			return errOther
		}
	}
	return r.err
}

// known reads a group, and creates it if it is new.
func (s *Store) known(r *reader) Group {
	g := s.root(Group(r.number()))
	if s.groups[g] == nil {
		s.groups[g] = &group{}
	}
	s.last = max(s.last, g)
	return g
}

// reader reads changes. After an error all its methods return zero values.
type reader struct {
	rest []byte
	err  error
}

// op reads the kind of the next change. Like the other methods it sets err at the end of the data,
// so that a change is checked once, after all of its parts were read.
func (r *reader) op() byte {
	if len(r.rest) == 0 {
		r.err = io.ErrUnexpectedEOF
		return 0
	}
	op := r.rest[0]
	r.rest = r.rest[1:]
	return op
}

// number reads a varint.
func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.rest, r.err = nil, io.ErrUnexpectedEOF
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// text reads a text after its length.
func (r *reader) text() string {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.rest, r.err = nil, io.ErrUnexpectedEOF
		return ""
	}
	text := string(r.rest[:n])
	r.rest = r.rest[n:]
	return text
}

// key reads a key of 8 bytes.
func (r *reader) key() uint64 {
	if len(r.rest) < 8 {
		r.rest, r.err = nil, io.ErrUnexpectedEOF
		return 0
	}
	k := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return k
}

// stamp reads the five numbers of a stamp.
func (r *reader) stamp() discover.Stamp {
	return discover.Stamp{
		Device: r.number(), Inode: r.number(), Size: int64(r.number()),
		Modified: int64(r.number()), Changed: int64(r.number()),
	}
}

// Abandon closes the file without writing, because it may belong to another process by now.
func (s *Store) Abandon() {
	if s.file != nil {
		s.file.Close() // nothing in it counts any more
		s.file = nil
	}
}

// Close writes the changes since the last Commit and closes the file. An empty Store writes
// nothing. Closing twice is safe.
func (s *Store) Close() error {
	var err error
	if len(s.files) > 0 || len(s.batch) > 0 {
		err = s.Commit(s.mark)
	}
	if s.file != nil {
		err = errors.Join(err, s.Sync(), s.file.Close())
		s.file = nil
	}
	return err
}
