//go:build !linux && !darwin

package discover

import "io/fs"

func changeTime(fs.FileInfo) int64 { return 0 }
