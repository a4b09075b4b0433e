package api

// ChangesRequest asks for the changes of a namespace behind a position. With Most 0 the answer
// has only the present position, from which a watcher can start.
type ChangesRequest struct {
	Namespace   string
	After       int64 // a position; 0 is before the first
	Most        int   // changes of an answer; 0: none, only the position
	IncludeNode bool
}

// Change is a step in the chain of a namespace: a memory was written, forgotten or invalidated,
// or the namespace itself was changed.
type Change struct {
	Position int64  // goes up, with gaps
	Action   string // as the entry has it; "" where nothing was done
	MemoryID string // "": it concerns the namespace
	// Memory is what was written in this step; nil if nothing was, or if it was
	// forgotten since.
	Memory *Memory
}

// Changes are steps in their order. The next request continues at Position.
type Changes struct {
	Changes []Change
	// Position is up to where everything was looked at; More says that there is
	// something behind it.
	Position int64
	More     bool
}
