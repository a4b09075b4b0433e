// Package human writes numbers for people.
//
// Prefixes are decimal, as in the tools of macOS and of disk makers: 1.5 kB are 1,500 bytes.
// Memory limits in settings use binary units (GiB) and are parsed elsewhere.
package human

import "fmt"

// Size writes a number of bytes with a decimal prefix: "999 B", "1.5 kB", "20.0 MB".
func Size(n int64) string {
	const unit = 1000
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	f, prefixes := float64(n)/unit, "kMGTPE"
	for f >= unit {
		f /= unit
		prefixes = prefixes[1:]
	}
	return fmt.Sprintf("%.1f %cB", f, prefixes[0])
}
