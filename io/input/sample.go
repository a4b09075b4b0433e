package input

import (
	"bytes"

	"github.com/memscribe/memscribe/core"
)

// Sample returns the sample of a file for Detect: the complete lines of head, or the beginning of
// its first line. whole says that head is the whole file.
func Sample(path string, head []byte, whole bool) core.Sample {
	const mark = "\xef\xbb\xbf"
	if !whole {
		if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
			head = head[:i+1]
		}
	}
	head = bytes.TrimPrefix(head, []byte(mark))
	return core.NewSample(path, bytes.TrimLeft(head, " \t\r\n\x00"))
}

// Framing returns the framing of a file that begins with s.
func Framing(a core.Adapter, s core.Sample) core.Framing {
	if f, ok := a.(core.Framer); ok {
		return f.Framing(s)
	}
	return core.Lines
}

// Judge returns the adapter that detect finds. If the content does not show the tool, it returns
// place, the adapter of the tool in whose folder the file is, which may be nil. place is tried
// first: mostly the content names its tool, and then no other adapter is asked.
func Judge(detect func(core.Sample) (core.Adapter, core.Fit), s core.Sample, place core.Adapter) core.Adapter {
	if place != nil && place.Detect(s) == core.NativeFit {
		return place
	}
	if a, fit := detect(s); fit > core.PathFit || fit == core.PathFit && place == nil {
		return a
	}
	return place
}
