package input

import (
	"bytes"

	"github.com/memscribe/memscribe/core"
)

// Sample returns what Detect shall see of a file that begins with head and, if whole
// is set, has no more bytes: whole lines, or one that is cut.
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

// Framing returns how the records lie in a file that begins with s.
func Framing(a core.Adapter, s core.Sample) core.Framing {
	if f, ok := a.(core.Framer); ok {
		return f.Framing(s)
	}
	return core.Lines
}

// Judge returns the adapter that detect finds or, where the content says
// nothing, the one of the tool in whose folder the file lies; nil is none. That one is
// asked first: if the content names its tool, as it mostly does, no other is asked.
func Judge(detect func(core.Sample) (core.Adapter, core.Fit), s core.Sample, place core.Adapter) core.Adapter {
	if place != nil && place.Detect(s) == core.NativeFit {
		return place
	}
	if a, fit := detect(s); fit > core.PathFit || fit == core.PathFit && place == nil {
		return a
	}
	return place
}
