package schema

import (
	"hash/fnv"
	"time"
)

// A node's number n is its rowid, and sorts by time, so that whatever is found
// by rowid, by any index or by words comes newest first without being sorted:
//
//	63               6 5    0
//	┌─────────────────┬──────┐
//	│ ms since 1970   │ slot │   with a timestamp
//	└─────────────────┴──────┘
//	┌───────┬──────────┬─────┐
//	│ block │ seq      │ slot│   without: negative, a block a session
//	└───────┴──────────┴─────┘
//
// Slots are given in the order of coming. Where there are more nodes than slots,
// the next ones run into what follows.
const (
	SlotBits  = 6
	blockBits = 24
	untimed   = -1 << 41 // where the blocks begin
)

// Millis reads a node's timestamp.
func Millis(timestamp string) (int64, bool) {
	if timestamp == "" {
		return 0, false
	}
	t, err := time.Parse(time.RFC3339Nano, timestamp)
	if err != nil || t.Year() < 1970 || t.Year() > 9999 {
		return 0, false
	}
	return t.UnixMilli(), true
}

// TimeOf returns the milliseconds since 1970 that a number stands for.
func TimeOf(n int64) (int64, bool) { return n >> SlotBits, n >= 0 }

// RowOfNode returns the row of a node in the index of words: rows sort by time.
func RowOfNode(n int64) int64 { return n << 1 }

// RowOfMessage returns the row of a message in the index of words.
func RowOfMessage(n int64) int64 { return n<<1 | 1 }

// NumberOf returns the number of the node or the message that a row is of.
func NumberOf(row int64) (n int64, message bool) { return row >> 1, row&1 == 1 }

// StampOf returns the timestamp of a number, to the millisecond; "" if it has none.
func StampOf(n int64) string {
	ms, ok := TimeOf(n)
	if !ok {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}

// FirstAt returns the least number that a node of a moment can have, or of the next
// whole millisecond.
func FirstAt(t time.Time) int64 {
	ms := t.UnixMilli()
	if t.Nanosecond()%1e6 > 0 {
		ms++
	}
	return min(max(ms, -1), 1<<48) << SlotBits
}

// FirstNumber returns the first number that a node or a message of this time and place can have.
func FirstNumber(timestamp, source, session string, seq int64) int64 {
	if ms, ok := Millis(timestamp); ok {
		return ms << SlotBits
	}
	h := fnv.New64a()
	h.Write([]byte(source + "\x00" + session))
	return untimed + int64(h.Sum64()>>48)<<blockBits + seq<<2&(1<<blockBits-1)
}

// Age returns how old a row is beside the newest: from 0 to nearly 1, and a half after
// halfLife.
func Age(newest, row int64) float64 {
	const halfLife = 90 * 24 * 3600 * 1000 // milliseconds
	n, _ := NumberOf(row)
	m, _ := NumberOf(newest)
	at, known := TimeOf(n)
	last, _ := TimeOf(m)
	if !known {
		return 1
	}
	since := float64(last - at)
	return since / (since + halfLife)
}
