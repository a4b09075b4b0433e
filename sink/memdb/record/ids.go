package record

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/sink/memdb/api"
)

// IDs makes the ids of entries and of memories without an id. It is safe for concurrent use.
type IDs struct {
	Random io.Reader // must not be nil

	lock        sync.Mutex
	time, count int64
}

// Drift is how far the time of a transaction may be ahead of the clock, so that times do not go
// back when the clock is set back a little.
const Drift = time.Minute

// New returns a UUIDv7 (RFC 9562) for a moment. The ids of one IDs sort in the order in which
// they were made: within a millisecond the 12 bits behind the time count up, and overflow into
// the next millisecond. A clock that is set back by less than [Drift] does not change that.
//
//	0199a2c4-5e6f-7000-…    the first of its millisecond
//	0199a2c4-5e6f-7001-…    the second
func (s *IDs) New(ms int64) (string, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if ms > s.time || ms+Drift.Milliseconds() < s.time {
		s.time, s.count = ms, 0
	} else if s.count++; s.count > 0xfff {
		s.time, s.count = s.time+1, 0
	}
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], uint64(s.time)<<16|0x7000|uint64(s.count))
	if _, err := io.ReadFull(s.Random, id[8:]); err != nil {
		return "", fmt.Errorf("make id: %w", err)
	}
	id[8] = id[8]&0x3f | 0x80
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:], nil
}

// ValidSince returns since when a new version of a memory is valid, if the client does not say
// it: since the last version was, or now if a clock that was ahead gave the last version its
// times.
func ValidSince(last *api.Memory, now string) string {
	latest := Millis(now) + Drift.Milliseconds()
	if Millis(last.ValidAt) > latest && Millis(last.TransactionAt) > latest {
		return now
	}
	return last.ValidAt
}

// Millis returns a validated time in milliseconds since 1970.
func Millis(text string) int64 {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0
	}
	return t.UnixMilli()
}

// Timestamp returns milliseconds since 1970 as a time in RFC 3339 with three decimals, as the
// database has it.
func Timestamp(ms int64) string { return core.UnixMilli(ms).String() }

// UTC returns a time as the database has it: RFC 3339, in UTC.
func UTC(text string) string { return core.ParseTime(text).String() }

// Hint returns a text that stands for a namespace where its name must not be shown: the first 8
// bytes of its SHA-256, in hex. Two namespaces may share one.
func Hint(namespace string) string {
	sum := sha256.Sum256([]byte(namespace))
	return hex.EncodeToString(sum[:8])
}
