package record

import "github.com/memscribe/memscribe/sink/memdb/api"

// PageSize is the approximate maximum size of an answer in bytes.
const PageSize = 8 << 20

// Page collects the memories of an answer.
type Page struct {
	Request *api.SearchRequest
	Most    int // memories

	Memories []api.Memory
	Size     int
	Next     string // the cursor of what follows
}

// Taken says what a [Page] did with a record.
type Taken uint8

// What a page does.
const (
	Unfit Taken = iota // it does not fit the filters, or cannot be read
	Added
	Full // it fits, and there is no room
)

// Take adds the memory of a record if it meets the conditions of the search and there is room.
func (p *Page) Take(json []byte) Taken {
	r, err := Read(json)
	switch {
	case err != nil || !Fits(p.Request, &r.Memory):
		return Unfit
	case len(p.Memories) == p.Most || p.Size > PageSize:
		return Full
	}
	if !p.Request.IncludeNode {
		r.Memory.Node = nil
	}
	p.Memories, p.Size = append(p.Memories, r.Memory), p.Size+len(json)
	return Added
}
