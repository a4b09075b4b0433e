package capture

import (
	"bytes"
	"context"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/tail"
)

// sampleSize is how much of a file is looked at to find out whose it is.
const sampleSize = 64 << 10

// Follower captures files while they grow. It consumes what a [tail.Source]
// finds.
type Follower struct {
	Capture *Capture
	// Judge says whose transcript a file is that begins with head, which is all
	// of it if whole is set, and how its records lie in it; nil is nobody's.
	// Place is the tool in whose folder it lies, or nil.
	Judge func(path string, head []byte, whole bool, place core.Adapter) (core.Adapter, core.Framing)

	files map[string]*followed
}

// followed is a file of which something was seen: first its head is collected
// until it is clear whose it is, then it is fed to a stream, or passed over.
type followed struct {
	stream  *Stream
	framing core.Framing
	head    []byte
	other   bool // not a transcript
}

// Whole implements [tail.Consumer].
func (f *Follower) Whole(file string) bool {
	x := f.files[file]
	return x != nil && x.stream != nil && x.framing == core.Document
}

// Take implements [tail.Consumer].
func (f *Follower) Take(ctx context.Context, c tail.Chunk) error {
	if c.Fresh {
		if err := f.close(ctx, c); err != nil {
			return err
		}
	}
	if f.files == nil {
		f.files = map[string]*followed{}
	}
	x := f.files[c.File]
	if x == nil {
		x = &followed{}
		f.files[c.File] = x
	}
	if err := f.feed(ctx, x, c); err != nil || !c.End {
		return err
	}
	return f.close(ctx, c)
}

func (f *Follower) feed(ctx context.Context, x *followed, c tail.Chunk) error {
	switch {
	case x.other:
		return nil
	case x.stream != nil:
		return x.stream.Feed(ctx, c.Bytes)
	}
	x.head = append(x.head, c.Bytes...)
	if len(x.head) == 0 {
		return nil
	}
	enough := len(x.head) >= sampleSize
	a, framing := f.Judge(c.Path, x.head[:min(len(x.head), sampleSize)], !enough, c.Place)
	unfinished := framing == core.Lines && bytes.IndexByte(x.head, '\n') < 0 && !c.End && !enough
	switch {
	case a == nil && enough:
		x.other, x.head = true, nil
		return nil
	case a == nil || unfinished: // more of it may say more
		return nil
	}
	x.framing = framing
	x.stream = f.Capture.Open(Transcript{a, discover.Info(a, c.Path, c.File), framing, c.File})
	head := x.head
	x.head = nil
	return x.stream.Feed(ctx, head)
}

// close ends what is known of a file.
func (f *Follower) close(ctx context.Context, c tail.Chunk) error {
	x := f.files[c.File]
	delete(f.files, c.File)
	if x == nil || x.stream == nil {
		return nil
	}
	_, err := x.stream.Close(ctx)
	return err
}

// Settle implements [tail.Consumer].
func (f *Follower) Settle(ctx context.Context) error { return f.Capture.Settle(ctx) }
