package corrections

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/eval/labels"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/talks"
)

// Labels writes accepted and rejected decisions as labelled turns, one JSON object per line, in
// the format that eval decisions reads. A line has the person's turn, the end of the message
// before it, the beginning of the reply, and the label:
//
//	{"id":"…","prev_assistant_tail":"…","text":"No, use tabs.","next_assistant_head":"…","label":"ban",…}
//
// left is how many decisions were left out because the text of their turn was not kept.
func Labels(ctx context.Context, w io.Writer, p Place) (left int, err error) {
	r, err := nodedb.Open(ctx, p.Database)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	all, err := r.Annotations(ctx)
	if err != nil {
		return 0, err
	}
	marks := annotate.Marks(all)
	l := labeller{reader: r, talks: map[string]talks.Talk{}}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	var done []string
	for i := range all {
		m := marks[all[i].Node]
		if slices.Contains(done, all[i].Node) || !m.Accepted && !m.Rejected {
			continue
		}
		done = append(done, all[i].Node)
		t, known, err := l.turn(ctx, all[i].Node)
		switch {
		case err != nil:
			return left, err
		case !known:
			left++
		default:
			if err := e.Encode(t); err != nil {
				return left, fmt.Errorf("write labels: %w", err)
			}
		}
	}
	return left, nil
}

// labeller turns decisions into labelled turns.
type labeller struct {
	reader *nodedb.Reader
	talks  map[string]talks.Talk // by session
}

// turn returns the labelled turn of a decision; known is false if its text was not kept.
func (l *labeller) turn(ctx context.Context, id string) (t labels.Turn, known bool, err error) {
	n, found, err := l.reader.Node(ctx, id)
	if err != nil || !found || n.Kind != "decision" || n.Source == annotate.Person {
		return t, false, err
	}
	if t, err = labelled(&n); err != nil {
		return t, false, err
	}
	talk, ok := l.talks[n.Session]
	if !ok {
		if talk, err = talks.Read(ctx, l.reader, n.Session, ""); err != nil {
			return t, false, err
		}
		l.talks[n.Session] = talk
	}
	return t, around(&t, talk.Items, &n), nil
}

// labelled returns the label of a decision, without the text around it. The first of these that
// applies is the label: rejected, ban, confirmed proposal, standing rule, choice between
// options, specification. A rejected decision has the label "other": the turn decided nothing.
func labelled(n *nodedb.Node) (t labels.Turn, err error) {
	var node struct {
		Options      []labels.Option `json:"considered_options"`
		Confirmation string          `json:"confirmation"`
		Markers      []struct {
			Category string `json:"category"`
		} `json:"markers"`
	}
	if err := json.Unmarshal(n.JSON, &node); err != nil {
		return t, fmt.Errorf("read %s: %w", n.ID, err)
	}
	t = labels.Turn{ID: n.ID, Tool: string(n.Source), Repo: filepath.Base(n.Project), Confidence: 2, Options: []labels.Option{}}
	if n.Mark.Rejected {
		t.Label = string(decide.Other)
		return t, nil
	}
	t.Epitome, t.EpitomeIn, t.Options, t.IsBan, t.Scope = n.Text, "user", node.Options, n.IsBan, "local"
	standing := false
	for _, m := range node.Markers {
		standing = standing || m.Category == "memory"
	}
	switch {
	case n.IsBan:
		t.Label = string(decide.Ban)
	case node.Confirmation != "":
		t.Label = string(decide.Confirm)
	case standing:
		t.Label = string(decide.Rule)
	case len(node.Options) > 0:
		t.Label = string(decide.Choice)
	default:
		t.Label = string(decide.Spec)
	}
	if standing {
		t.Scope = "standing"
	}
	return t, nil
}

// How much of the messages around a turn a label holds, in bytes. The judge of decisions
// sees as much.
const (
	tail = 4 << 10 // the end of the message before
	head = 4 << 10 // the beginning of the reply
)

// around sets the text of the turn and of the messages around it. The turn is the person's last
// message at or before the decision; false: there is none. Edited says whether an edit follows
// before the person speaks again.
func around(t *labels.Turn, items []talks.Item, n *nodedb.Node) bool {
	at := -1
	for i := range items {
		if items[i].Kind == "user" && items[i].Thread == n.Thread && items[i].Seq <= n.Seq {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	t.Text = items[at].Text
	for i := at - 1; i >= 0 && items[i].Thread == n.Thread && items[i].Kind != "user"; i-- {
		if items[i].Kind == "assistant" {
			t.PrevAssistant = strings.ToValidUTF8(items[i].Text[max(0, len(items[i].Text)-tail):], "")
			break
		}
	}
	for i := at + 1; i < len(items) && items[i].Thread == n.Thread && items[i].Kind != "user"; i++ {
		t.Edited = t.Edited || items[i].Kind == "episode"
		if items[i].Kind == "assistant" && t.Reply == "" {
			t.Reply = strings.ToValidUTF8(items[i].Text[:min(head, len(items[i].Text))], "")
		}
	}
	return true
}
