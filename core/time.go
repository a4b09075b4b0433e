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

// ParseTimeBytes is ParseTime. The form 2006-01-02T15:04:05.000Z, which most tools
// write, it reads without making a string.
func ParseTimeBytes(b []byte) Time {
	const form = "0000-00-00T00:00:00.000Z"
	if len(b) != len(form) {
		return ParseTime(string(b))
	}
	var n [7]int
	field := 0
	for i, c := range b {
		switch {
		case form[i] == '0' && '0' <= c && c <= '9':
			n[field] = n[field]*10 + int(c-'0')
		case form[i] != '0' && form[i] == c:
			field++
		default:
			return ParseTime(string(b))
		}
	}
	t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], n[6]*int(time.Millisecond), time.UTC)
	if t.Month() != time.Month(n[1]) || t.Day() != n[2] || t.Hour() != n[3] || t.Minute() != n[4] || t.Second() != n[5] {
		return Time{}
	}
	return UnixMilli(t.UnixMilli())
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

// Milli is how many milliseconds after the beginning of 1970 the moment is, 0 if it
// is not known.
func (t Time) Milli() int64 {
	if !t.known {
		return 0
	}
	return t.t.UnixMilli()
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
