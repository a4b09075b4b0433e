package core

import (
	"cmp"
	"time"
)

// Time is a moment as a tool wrote it down: UTC, with the precision of the
// source. The zero Time is "not known".
type Time struct {
	t      time.Time
	digits uint8 // of the fraction of a second
	known  bool
}

// ParseTime reads an RFC 3339 date and time with any offset and up to nine
// digits of fraction (more are cut). What it cannot read is the zero Time.
func ParseTime(s string) Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || t.Year() < 1970 || t.Year() > 9999 {
		return Time{}
	}
	digits := 0
	if len(s) > 19 && s[19] == '.' {
		for digits+20 < len(s) && s[digits+20] >= '0' && s[digits+20] <= '9' {
			digits++
		}
	}
	return Time{t: t.UTC(), digits: uint8(min(digits, 9)), known: true}
}

// UnixMilli is the Time of a count of milliseconds since 1970, as many tools
// store it. Counts outside the years 1970 to 9999 are the zero Time.
func UnixMilli(ms int64) Time {
	const end = 253402300800000 // year 10000
	if ms < 0 || ms >= end {
		return Time{}
	}
	return Time{t: time.UnixMilli(ms).UTC(), digits: 3, known: true}
}

// Unix is the Time of a count of seconds since 1970, with the same bounds.
func Unix(s int64) Time {
	t := UnixMilli(s * 1000)
	if s > 253402300799 || s < 0 {
		return Time{}
	}
	t.digits = 0
	return t
}

// IsZero reports whether the moment is not known.
func (t Time) IsZero() bool { return !t.known }

// Compare orders moments; the unknown one comes first.
func (t Time) Compare(u Time) int {
	if t.known != u.known {
		if u.known {
			return -1
		}
		return 1
	}
	return cmp.Or(t.t.Compare(u.t), cmp.Compare(t.digits, u.digits))
}

// Append appends the moment as RFC 3339 in UTC, or nothing if it is not known.
func (t Time) Append(dst []byte) []byte {
	if !t.known {
		return dst
	}
	const layouts = "2006-01-02T15:04:05.000000000"
	n := 19
	if t.digits > 0 {
		n += 1 + int(t.digits)
	}
	return append(t.t.AppendFormat(dst, layouts[:n]), 'Z')
}

func (t Time) String() string { return string(t.Append(nil)) }
