package rollout

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Clock reads a timestamp. Nearly all have the form of the fast path; of those
// it also returns the milliseconds since 1970.
func Clock(v jsondoc.Value) (t core.Time, ms int64) {
	ms, ok := stamp(v.Body())
	if !ok {
		if v.Kind() != jsondoc.String {
			return core.Time{}, 0
		}
		return core.ParseTime(v.Str()), 0
	}
	return core.UnixMilli(ms), ms
}

// stamp reads "2026-08-01T00:00:00.000Z".
func stamp(b []byte) (ms int64, ok bool) {
	const form = "dddd-dd-ddTdd:dd:dd.dddZ"
	if len(b) != len(form) {
		return 0, false
	}
	for i := range len(form) {
		digit := b[i] >= '0' && b[i] <= '9'
		if form[i] == 'd' && !digit || form[i] != 'd' && b[i] != form[i] {
			return 0, false
		}
	}
	y, mo, d := digits(b[0:4]), digits(b[5:7]), digits(b[8:10])
	h, mi, s := digits(b[11:13]), digits(b[14:16]), digits(b[17:19])
	if y < 1970 || mo < 1 || mo > 12 || d < 1 || d > daysIn(y, mo) || h > 23 || mi > 59 || s > 59 {
		return 0, false
	}
	return ((days(y, mo, d)*24+h)*60+mi)*60_000 + s*1000 + digits(b[20:23]), true
}

func digits(b []byte) (n int64) {
	for _, c := range b {
		n = n*10 + int64(c-'0')
	}
	return n
}

// daysIn is the length of a month.
func daysIn(y, m int64) int64 {
	switch m {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// days counts the days from 1970 to a date of the Gregorian calendar, in years
// that begin in March.
func days(y, m, d int64) int64 {
	if m <= 2 {
		y--
		m += 12
	}
	era := y / 400
	year := y - era*400
	return era*146097 + year*365 + year/4 - year/100 + (153*(m-3)+2)/5 + d - 1 - 719468
}
