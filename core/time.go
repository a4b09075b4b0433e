package core

import (
	"cmp"
	"time"
)

// Time is a time as a tool recorded it, in UTC with the precision of the source. The zero
// Time is not known.
type Time struct {
	t      time.Time
	digits uint8 // of the fraction of a second
	known  bool
}

// ParseTime parses an RFC 3339 time with any offset and up to nine fractional digits; more
// are cut. It returns the zero Time for anything else.
func ParseTime(s string) Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if t = t.UTC(); err != nil || t.Year() < 1970 || t.Year() > 9999 {
		return Time{}
	}
	digits := 0
	if len(s) > 19 && s[19] == '.' {
		for digits+20 < len(s) && s[digits+20] >= '0' && s[digits+20] <= '9' {
			digits++
		}
	}
	return Time{t: t, digits: uint8(min(digits, 9)), known: true}
}

// ParseTimeBytes is ParseTime for bytes. It does not allocate for the form
// 2006-01-02T15:04:05.000Z, which most tools write.
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

// UnixMilli returns the Time of a Unix time in milliseconds. Outside the years 1970 to 9999
// it is the zero Time.
func UnixMilli(ms int64) Time {
	const end = 253402300800000 // year 10000
	if ms < 0 || ms >= end {
		return Time{}
	}
	return Time{t: time.UnixMilli(ms).UTC(), digits: 3, known: true}
}

// Unix returns the Time of a Unix time in seconds, with the same bounds.
func Unix(s int64) Time {
	t := UnixMilli(s * 1000)
	if s > 253402300799 || s < 0 {
		return Time{}
	}
	t.digits = 0
	return t
}

// Milli returns the Unix time in milliseconds, 0 if the time is not known.
func (t Time) Milli() int64 {
	if !t.known {
		return 0
	}
	return t.t.UnixMilli()
}

// IsZero reports whether the time is not known.
func (t Time) IsZero() bool { return !t.known }

// Compare orders times; an unknown one comes first.
func (t Time) Compare(u Time) int {
	if t.known != u.known {
		if u.known {
			return -1
		}
		return 1
	}
	return cmp.Or(t.t.Compare(u.t), cmp.Compare(t.digits, u.digits))
}

// Append appends the time in RFC 3339 and UTC, or nothing if it is not known.
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

// String is the time as the canonical JSON has it.
func (t Time) String() string { return string(t.Append(nil)) }
