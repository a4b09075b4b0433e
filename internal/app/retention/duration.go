package retention

import (
	"strconv"
	"time"
)

// Duration reads a whole number of minutes, hours, days or weeks, as 36h or 7d. ok is false
// for another text and for more than [time.Duration] holds.
func Duration(s string) (d time.Duration, ok bool) {
	if s == "" {
		return 0, false
	}
	units := map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	unit, ok := units[s[len(s)-1]]
	n, err := strconv.Atoi(s[:len(s)-1])
	if !ok || err != nil || n < 0 || int64(n) > int64(1<<63-1)/int64(unit) {
		return 0, false
	}
	return time.Duration(n) * unit, true
}
