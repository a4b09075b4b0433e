package core

// Adapter describes one tool: where its transcripts are, how to recognise them and
// how to parse them. An adapter never opens a file; callers hand it bytes. It has no
// state and is safe for concurrent use.
//
// The simplest adapter has these four methods. Whatever else a tool needs is an optional
// interface, which callers look for:
//
//	Framer            the transcript is one JSON document, not lines
//	SidecarReader     small files beside it have the working folder
//	SidecarWatcher    files beside it have parts of the edits, and grow
//	DatabaseAdapter   conversations are rows of a database
//	TreeAdapter       conversations are many small files
//	TextParser        lines need not be JSON (for its parser)
//	Refresher         the parser can take changed sidecars (for its parser)
type Adapter interface {
	// Tool returns the tool's name as it appears in the JSON.
	Tool() Tool
	// Places lists the folders in which the tool keeps transcripts.
	Places() []Place
	// Detect reports how well a file fits this tool. Content counts before the path.
	Detect(Sample) Fit
	// NewParser returns a parser for one stream. The parser expects the stream's
	// records from the first one on.
	NewParser(StreamInfo) Parser
}

// Parser turns the records of one stream into events, in order. It is a left
// fold: its output depends only on the records it has seen so far. It never
// fails: a record that it cannot read becomes an [Unknown] event. A Parser is used
// by one goroutine at a time.
type Parser interface {
	// Parse reads the next record and calls emit at least once. emit assigns Seq and
	// may be given the same Event again for the next call: it copies what it keeps.
	// Parse must not keep rec or any memory that rec refers to.
	Parse(rec Record, emit func(*Event))
}

// TextParser is an optional interface for parsers of transcripts that are not all
// JSON. A record that ReadsText accepts is not counted as malformed.
type TextParser interface {
	// ReadsText reports whether a record that is not JSON is valid for this tool.
	ReadsText(record []byte) bool
}

// Framing is how a file is divided into records.
type Framing uint8

// The framings.
const (
	Lines    Framing = iota // a record a line; a line may hold several
	Document                // the whole file is one record, rewritten whole
)

// Framer is an optional interface for adapters whose transcripts are not all
// divided into lines. A Document is read from the start at every change, as a
// stream of one record.
type Framer interface {
	// Framing returns the framing of a file that Detect accepted.
	Framing(Sample) Framing
}

// StreamInfo is what a parser may know about a stream apart from its records.
type StreamInfo struct {
	// Path is the slash-separated path of the transcript. A parser may take only ids
	// from it, because a transcript can be moved.
	Path string
	// Sidecars holds the files that a [SidecarReader] or a [SidecarWatcher] asked for,
	// as they were when the stream was opened, by the names it asked for. A file that
	// does not exist or is too large is absent.
	Sidecars map[string][]byte
}

// SidecarReader is an optional interface for adapters whose tool writes the working
// folder of a session into a small file next to the transcript. A parser may take only
// the working folder from such a file: a transcript can be moved without it.
type SidecarReader interface {
	// Sidecars lists the small files to read for the transcript at path. The names are
	// slash-separated and relative to the transcript's folder. One that comes later has the
	// transcript read again when it grows next.
	Sidecars(path string) []string
}

// SidecarWatcher is an optional interface for adapters whose tool keeps part of an
// edit in separate files that change while the transcript grows: snapshots, say. These
// files are transcripts too, so Places lists them. When one appears, changes or
// disappears, the transcripts of the same session are read again.
type SidecarWatcher interface {
	// Companions returns the session that the file at path belongs to, and the files
	// that its parser needs. All files of one session return the same work; a file
	// without companions returns "".
	//
	// The names in files are slash-separated, relative to the folder of path, and may
	// contain "*". Each file that is found is passed in [StreamInfo.Sidecars] under its
	// own path, not under the pattern. A pattern that ends in "?" only tests for
	// existence: the file's content is not read and its changes are ignored.
	Companions(path string) (work string, files []string)
}

// Refresher is an optional interface for parsers that accept changed sidecars while
// they read. Other parsers are discarded at such a change, and the file is read again.
type Refresher interface {
	// Renew passes the sidecars that changed or appeared, by name, and those that are
	// gone. It reports whether the events emitted so far would be unchanged had the
	// sidecars been like this from the start. If not, the parser must not be used again.
	Renew(changed map[string][]byte, gone []string) bool
}

// Fit is how well a file fits a tool.
type Fit uint8

// The degrees of fit, from worst to best. The best fit wins; of equal ones, that of the
// adapter which is listed first.
const (
	NoFit     Fit = iota // not a transcript of this tool
	PathFit              // only the path fits
	ShapeFit             // the content fits this tool, but could be another tool's
	NativeFit            // the content names this tool, or fits no other one
)

// Place is a folder in which a tool keeps transcripts. That of Claude Code:
//
//	Roots:    []Root{{Env: "CLAUDE_CONFIG_DIR"}, {Path: ".claude"}}
//	Patterns: []string{"projects/*/*.jsonl", "projects/**/subagents/**/agent-*.jsonl"}
type Place struct {
	// Roots are tried in order. The first one whose base exists in the environment is
	// the root of the place.
	Roots []Root
	// Patterns select the transcripts. They are slash-separated and relative to the
	// root; "**" matches any number of folders.
	Patterns []string
}

// Root is a folder below the home folder, or below a base that a variable names.
type Root struct {
	OS   string // the GOOS it applies to; "" is all
	Env  string // the variable that holds the base; "" is the home folder
	Path string // slash-separated, relative to the base
	// IsFile says that the variable names one file. That file is then the only
	// transcript of the place. A relative name is relative to the root of the adapter's
	// first place.
	IsFile bool
}
