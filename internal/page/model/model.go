// Package model defines the data behind the page and its JSON: the answers of a
// [Source], which may be any database.
//
// Every text from a transcript has the type [Said]. Its String shows control characters,
// bidirectional marks and invisible characters as escapes, and the views escape HTML. So no view
// can print a text of a transcript as it is by mistake. [Cut] bounds long texts and says how much
// is missing.
package model

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/memscribe/memscribe/internal/visible"
)

// Said is a text from outside: a transcript's, a file's, a name that anybody chose. JSON
// has it as it is. What a page shows of it is String, in which what acts on a reader is
// written visibly, and which the views escape.
type Said string

// String implements [fmt.Stringer]; views print it.
func (s Said) String() string { return visible.Text(string(s)) }

// Plain reports whether a text is shown as it is.
func (s Said) Plain() bool { return s.String() == string(s) }

// MaxText is how many bytes of one text are shown.
const MaxText = 20_000

// Cut returns a text that is not longer than most bytes; it says how much is missing.
func Cut(text string, most int) Said {
	if len(text) <= most {
		return Said(text)
	}
	return Said(strings.ToValidUTF8(text[:most], "") + " … (cut)")
}

// ErrNone is the error of what is not there.
var ErrNone = errors.New("there is none")

// ErrAsked is the error of a question that means nothing.
var ErrAsked = errors.New("not a question that can be answered")

// Query says what of a list is asked for.
//
// All conditions must be met. Page is the cursor of the page before.
type Query struct {
	Project, Tool, Words, Kind, Since, Until string

	After string // Next of the page before
}

// Kinds of decisions that a list can be narrowed to.
const (
	Bans     = "ban"
	Standing = "standing" // what nothing has replaced
)

// Ref is something that has a page.
type Ref struct {
	ID    Said `json:"id"`
	Title Said `json:"title,omitempty"`
}

// Link returns the address of a decision.
func (r Ref) Link() string { return DecisionLink(string(r.ID)) }

// DecisionLink returns the address of a decision's page.
func DecisionLink(id string) string { return "/decision/" + url.PathEscape(id) }

// Where is where in a session something stands.
//
//	"tool":"pi","session_id":"01a202a4-…","seq":19,"project":"/home/dev/work/orders-service",
//	"timestamp":"2026-11-22T09:43:57.087Z"
type Where struct {
	Tool      Said  `json:"tool"`
	Session   Said  `json:"session_id"`
	Thread    Said  `json:"thread_id,omitempty"`
	Seq       int64 `json:"seq"`
	Project   Said  `json:"project,omitempty"`
	Timestamp Said  `json:"timestamp,omitempty"`
}

// Link returns the address of the session, at that place.
func (w Where) Link() string { return PlaceLink(string(w.Session), string(w.Thread), w.Seq) }

// Name returns the last element of the project's path.
func (w Where) Name() Said { return ProjectName(w.Project) }

// Day returns the day of the timestamp; "" if there is none.
func (w Where) Day() string { return upTo(string(w.Timestamp), "2006-01-02") }

// Clock returns the time of the day, in UTC.
func (w Where) Clock() string {
	return strings.TrimPrefix(upTo(string(w.Timestamp), "2006-01-02T15:04"), w.Day()+"T")
}

// Minute returns the day and the time of a timestamp, up to the minute; what has another form
// is not changed.
func Minute(stamp Said) string {
	if at := upTo(string(stamp), "2006-01-02T15:04"); at != "" && at[10] == 'T' {
		return at[:10] + " " + at[11:]
	}
	return stamp.String()
}

// upTo returns the part of a timestamp that is as long as form.
func upTo(stamp, form string) string {
	if len(stamp) < len(form) {
		return ""
	}
	return Said(stamp[:len(form)]).String()
}

// ProjectName returns the last element of a project's path.
func ProjectName(path Said) Said {
	p := strings.TrimRight(string(path), `/\`)
	return Said(p[strings.LastIndexAny(p, `/\`)+1:])
}

// Option is an alternative that was considered.
type Option struct {
	Text   Said `json:"text"`
	Chosen bool `json:"chosen"`
}

// Edit is an edit, with its diff where a page shows that.
type Edit struct {
	Where

	ID       Said  `json:"id"`
	Path     Said  `json:"path"`
	Change   Said  `json:"change"`
	Relation Said  `json:"relation,omitempty"`
	Evidence Said  `json:"evidence,omitempty"`
	Added    int64 `json:"added_lines"`
	Removed  int64 `json:"removed_lines"`
	Unified  Said  `json:"unified,omitempty"`
	Reasons  []Ref `json:"reasons,omitempty"` // the decisions that it carries out
}

// Inside returns the path within the project, the whole path of a file outside of it.
func (e Edit) Inside() Said {
	if rest, in := strings.CutPrefix(string(e.Path), string(e.Project)); in && e.Project != "" && len(rest) > 1 && strings.ContainsRune(`/\`, rune(rest[0])) {
		return Said(rest[1:])
	}
	return e.Path
}

// FileLink returns the address of the file's page.
func (e Edit) FileLink() string {
	return "/file?" + url.Values{"path": {string(e.Path)}}.Encode()
}

// Note is what a person noted.
type Note struct {
	Text Said `json:"text"`
	By   Said `json:"by"`
	At   Said `json:"at"`

	Agent bool `json:"agent,omitempty"` // an agent's words; By says so too
}

// Marker is a sign by which a decision was found.
type Marker struct {
	Rule     Said `json:"rule_id"`
	Category Said `json:"category"`
	Text     Said `json:"matched_text"`
}

// Decision is a decision as lists show it.
//
//	{"tool":"pi","session_id":"01a202a4-…","seq":19,"project":"…","timestamp":"…","id":"decision:bd75…",
//	 "title":"…","epitome":"…","considered_options":[{"text":"/healthz","chosen":true},…],"score":64,
//	 "is_ban":false,"decided_by":"user","superseded":false,"edits":[]}
type Decision struct {
	Where

	ID           Said     `json:"id"`
	Title        Said     `json:"title"`
	Epitome      Said     `json:"epitome"`
	Options      []Option `json:"considered_options"`
	Score        int      `json:"score"`
	IsBan        bool     `json:"is_ban"`
	DecidedBy    Said     `json:"decided_by"`
	Confirmation Said     `json:"confirmation,omitempty"`
	Superseded   bool     `json:"superseded"`
	Successor    *Ref     `json:"successor,omitempty"` // the decision in its place, if it is one
	Rewound      bool     `json:"-"`                   // it was taken back with the messages that it is from
	// Proposed is the decision that an agent would have in its place: nothing follows
	// from that until a person says so.
	Proposed   *Ref     `json:"proposed,omitempty"`
	ProposedBy Said     `json:"proposed_by,omitempty"`
	Edits      []Edit   `json:"edits"`
	Markers    []Marker `json:"markers,omitempty"`
	Rule       Said     `json:"rule,omitempty"` // why it is a rule: ban, rule, choice, accepted

	Accepted bool   `json:"accepted,omitempty"`
	Rejected bool   `json:"rejected,omitempty"`
	Pinned   bool   `json:"pinned,omitempty"`
	Notes    []Note `json:"notes,omitempty"`
}

// Page returns the address of the decision's page.
func (d Decision) Page() string { return DecisionLink(string(d.ID)) }

// Question returns what the decision answers; "" if its title names no question.
func (d Decision) Question() Said {
	question, _, found := strings.Cut(string(d.Title), " → ")
	if !found {
		return ""
	}
	return Said(question)
}

// Answer returns what was decided, without the question and the options not taken.
func (d Decision) Answer() Said {
	answer := string(d.Title)
	if _, after, found := strings.Cut(answer, " → "); found {
		answer = after
	}
	if at := strings.LastIndex(answer, " (not: "); at > 0 && strings.HasSuffix(answer, ")") {
		answer = answer[:at]
	}
	return Said(answer)
}

// NotTaken returns the options that were not chosen.
func (d Decision) NotTaken() (out []Said) {
	for _, o := range d.Options {
		if !o.Chosen {
			out = append(out, o.Text)
		}
	}
	return out
}

// List is a page of decisions.
type List struct {
	Decisions []Decision `json:"decisions"`
	Next      string     `json:"next,omitempty"`
}

// Whole is a decision with all that is known of it.
//
//	{"decision":{…,"markers":[{"rule_id":"en.make","category":"imperative","matched_text":"keep"},…]},
//	 "talk":[{"kind":"user",…},…]}
type Whole struct {
	Decision Decision `json:"decision"`
	Talk     []Item   `json:"talk"`             // what was said around it
	Before   []Ref    `json:"before,omitempty"` // what it replaced, and what that had replaced, the latest first
	After    []Ref    `json:"after,omitempty"`  // what replaced its successor, and so on
	CanSay   bool     `json:"-"`                // a person can say something of it here
}

// Item is a message, a decision or an edit of a session.
//
//	{"kind":"user","seq":4,"timestamp":"…","text":"Add a /healthz route that returns 200."}
//	{"kind":"episode","id":"episode:f612…","seq":11,"timestamp":"…","text":"","edit":{…}}
type Item struct {
	Kind       string `json:"kind"` // user, assistant, command, decision, episode
	ID         Said   `json:"id,omitempty"`
	Thread     Said   `json:"thread_id,omitempty"`
	Seq        int64  `json:"seq"`
	Timestamp  Said   `json:"timestamp,omitempty"`
	SharedBy   Said   `json:"shared_by,omitempty"` // the teammate whose session it is from
	Text       Said   `json:"text"`
	IsBan      bool   `json:"is_ban,omitempty"`
	Superseded bool   `json:"superseded,omitempty"`
	Edit       *Edit  `json:"edit,omitempty"`
	Here       bool   `json:"here,omitempty"` // it is the one that the page is about
}

// Link returns the address of the decision, if the item is one.
func (i Item) Link() string { return DecisionLink(string(i.ID)) }

// Place returns where the item is in its session, and what it is there.
func (i Item) Place() Said {
	return Said(At(string(i.Thread), i.Seq)) + " " + Said(i.Kind) + " " + i.ID
}

// Session is a part of a session, as it went.
type Session struct {
	Where

	Opening Said `json:"opening,omitempty"` // what a person said first

	Items []Item  `json:"items"`
	Arcs  []Arc   `json:"arcs"` // what was decided in it, and where
	Next  *string `json:"next,omitempty"`
	First bool    `json:"-"` // it begins with the beginning
}

// Page returns the address of the session's beginning.
func (s Session) Page() string { return Talk{Where: s.Where}.Page() }

// ArcLink returns the address of where an arc begins.
func (s Session) ArcLink(a Arc) string {
	return PlaceLink(string(s.Session), string(a.Thread), a.Seq)
}

// Arc is the work from one decision to the next.
type Arc struct {
	ID     Said  `json:"id"`
	Title  Said  `json:"title"`
	Thread Said  `json:"thread_id,omitempty"`
	Seq    int64 `json:"seq"`
	IsBan  bool  `json:"is_ban,omitempty"`
	Edits  int   `json:"edits"` // that carry it out
}

// PlaceLink returns the address of a place in a session.
func PlaceLink(session, thread string, seq int64) string {
	return "/session/" + url.PathEscape(session) + "?" + url.Values{"at": {At(thread, seq)}}.Encode() + "#here"
}

// Talk is a session in a list of them.
//
//	{"tool":"pi","session_id":"01a202a3-…","seq":0,"project":"…","timestamp":"…","opening":"Add a …",
//	 "last":"2026-11-22T09:43:53.131Z","messages":4,"decisions":2,"edits":2}
type Talk struct {
	Where

	Opening   Said  `json:"opening,omitempty"` // what a person said first
	Last      Said  `json:"last"`
	Messages  int64 `json:"messages"`
	Decisions int64 `json:"decisions"`
	Edits     int64 `json:"edits"`
}

// Page returns the address of the session.
func (t Talk) Page() string { return "/session/" + url.PathEscape(string(t.Session)) }

// Source answers questions. It may be asked by several goroutines.
type Source interface {
	Projects(ctx context.Context) ([]Said, error)
	Tools(ctx context.Context) ([]Said, error)
	Decisions(ctx context.Context, q Query) (List, error)
	Decision(ctx context.Context, id string) (Whole, error)
	Session(ctx context.Context, id, at string) (Session, error)
	Sessions(ctx context.Context, q Query) (talks []Talk, next string, err error)
	Rules(ctx context.Context, project string) ([]Decision, error)
	Search(ctx context.Context, words, project string) (Found, error)
	File(ctx context.Context, path, project string, from int) (File, error)
	Usage(ctx context.Context, project string) (Usage, error)
	Health(ctx context.Context) (Health, error)
	// Say keeps what a person says of a decision; [ErrAsked] if it can not.
	Say(ctx context.Context, id, what, text string, undo bool) error
	// Changes returns a function that reports whether something was written since it
	// was called last. It is called by one goroutine, until done is called.
	Changes(ctx context.Context) (changed func(context.Context) (bool, error), done func() error, err error)
}
