package store

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"github.com/memscribe/memscribe/core"
)

// newID makes a UUIDv7 (RFC 9562) of a moment. The ids that a Store makes sort in
// the order in which it made them, as long as its moments do not go back: within a millisecond the 12 bits behind the
// time count, and run into the next millisecond if they must.
func (s *Store) newID(ms int64) (string, error) {
	if ms > s.idTime || ms+drift.Milliseconds() < s.idTime {
		s.idTime, s.idCount = ms, 0
	} else if s.idCount++; s.idCount > 0xfff {
		s.idTime, s.idCount = s.idTime+1, 0
	}
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], uint64(s.idTime)<<16|0x7000|uint64(s.idCount))
	if _, err := io.ReadFull(s.options.Random, id[8:]); err != nil {
		return "", fmt.Errorf("make id: %w", err)
	}
	id[8] = id[8]&0x3f | 0x80
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:], nil
}

// millis reads a time that has been validated.
func millis(text string) int64 {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0
	}
	return t.UnixMilli()
}

// timestamp writes milliseconds as a time.
func timestamp(ms int64) string { return core.UnixMilli(ms).String() }

// utc writes a time as everything in the database is written.
func utc(text string) string { return core.ParseTime(text).String() }
