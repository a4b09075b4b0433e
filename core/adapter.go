package core

// Adapter knows one tool: where it keeps its transcripts, how to tell them from
// others', and how to read them. It opens nothing itself.
type Adapter interface {
	// Tool names the tool.
	Tool() Tool
	// Places says where the tool keeps transcripts.
	Places() []Place
	// Detect judges whether a file is a transcript of this tool, by its content
	// first and its path second.
	Detect(Sample) Fit
	// NewParser returns a parser for one stream, from its first record on.
	NewParser(StreamInfo) Parser
}

// Parser turns the records of one stream into events, in order. It is a left
// fold: what it emits depends on the records so far and on nothing else. It
// never fails: a record that it cannot read becomes an [Unknown] event.
type Parser interface {
	// Parse reads the next record and calls emit for each event of it, at least
	// once. emit sets the event's Seq (and nothing else that a parser may need).
	// Neither rec nor what it aliases is kept.
	Parse(rec Record, emit func(*Event))
}

// TextParser is implemented by parsers of tools some of whose transcripts are no
// JSON. A record that such a parser reads as text is not malformed.
type TextParser interface {
	// ReadsText reports whether a record that is no JSON is one of the tool's.
	ReadsText(record []byte) bool
}

// Framing says how the records of a file lie in it.
type Framing uint8

// The framings.
const (
	Lines    Framing = iota // a record a line; a line may hold several
	Document                // the whole file is one record, rewritten whole
)

// Framer is implemented by adapters that have transcripts which are not lines.
// A file that is a Document is read whole whenever it changes, as a stream of
// one record that starts over.
type Framer interface {
	Framing(Sample) Framing
}

// StreamInfo is what a parser may know besides the records.
type StreamInfo struct {
	// Path is the slash-separated path of the transcript. Tools put ids into the
	// names of files and folders; nothing else may be taken from it.
	Path string
	// Beside is what stood in the files that a [Neighbour] or a [Companion] asked
	// for when the stream was opened, by the names that it gave them. Those that are
	// not there, or are too large, are left out.
	Beside map[string][]byte
}

// Neighbour is implemented by adapters whose tool writes beside a transcript what
// the transcript leaves out: where the work happens. Nothing else may be taken
// from there, since a transcript can be moved without it.
type Neighbour interface {
	// Beside names small files, by slash-separated paths relative to the folder
	// of the transcript that has this path.
	Beside(path string) []string
}

// Companion is implemented by adapters whose tool keeps, in files of their own
// that change while a transcript grows, what the transcript leaves out of its
// edits. Such a file is a transcript too, and Places lists it; when it comes,
// changes or goes, the transcripts of the same work are read again.
type Companion interface {
	// Companions names the work to which the file at a path belongs, the same for
	// all of its files, or "" if it stands alone. Files are those that the parser of
	// the file has to see besides, by slash-separated paths relative to its folder,
	// whose elements may hold a "*". They are part of [StreamInfo.Beside], each by its
	// path in place of the pattern. One with a "?" behind it is only looked for: if it is
	// there it stands there without content, and its changes mean nothing.
	Companions(path string) (work string, files []string)
}

// Renewer is implemented by parsers that take in, while they read, how the companions
// of their transcript change. Others start over for every change.
type Renewer interface {
	// Renew says what companions hold now that are new or different, by their names,
	// and which are gone. It reports whether a parser that had been shown them as they
	// are now from the start would have emitted the same events so far: then this one
	// continues as that one would. Else it is not used any more.
	Renew(changed map[string][]byte, gone []string) bool
}

// Describer is implemented by adapters that list the shapes of their tool's
// records, as far as somebody has seen them.
type Describer interface {
	// Shapes is a table as package shape reads it.
	Shapes() []byte
}

// Sample is the beginning of a file.
type Sample struct {
	Path string
	Head []byte // whole lines as far as they fit, at most 64 KiB; or one cut line
}

// Fit says how well a file fits a tool.
type Fit uint8

// The degrees of fit. The best one wins; between equals, the first adapter.
const (
	NoFit     Fit = iota // not this tool's
	PathFit              // only the path says so
	ShapeFit             // the content could be
	NativeFit            // the content names the tool, or could be no other's
)

// Place is a folder in which a tool keeps transcripts.
type Place struct {
	// Roots are tried in order; the first whose base is set is the place's root.
	Roots []Root
	// Patterns are slash-separated and relative to the root; a "**" stands for
	// any number of folders.
	Patterns []string
}

// Root is a folder named by the environment or below the home folder.
type Root struct {
	OS   string // GOOS for which it holds; "" is every one
	Env  string // variable that holds the base; "" is the home folder
	Path string // slash-separated, below the base
	// IsFile says that the variable names a file, which is then the only one of the
	// place: by its path, or by one below the root of the adapter's first place.
	IsFile bool
}
