package blame

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/why"
)

// made is a recorded edit of the file.
type made struct {
	Episode

	Seq      int64
	Diff     diff
	decision *Decision
}

// diff is what of an episode's diff is needed.
type diff struct {
	Unified   string
	Change    string
	Certainty string
}

// maxNames bounds the names that a file may have had.
const maxNames = 16

// history lists the recorded edits of a file under all of its names, the oldest first.
func (q *question) history(ctx context.Context, rel string) ([]made, error) {
	names := []string{rel}
	if past := q.past(ctx, rel); past != nil {
		names = append(names, past.Names()...)
	}
	roots := q.roots()
	var all []made
	var doc jsondoc.Doc
	seen := map[string]bool{}
	for i := 0; i < len(names) && i < maxNames; i++ {
		nodes, err := q.nodes(ctx, names[i])
		if err != nil {
			return nil, err
		}
		if len(roots) == 0 {
			roots = likelyRoots(nodes, names[i])
		}
		for j := range nodes {
			n := &nodes[j]
			if seen[n.ID] || !below(roots, n, names[i]) {
				continue
			}
			seen[n.ID] = true
			m, err := madeBy(&doc, n)
			if err != nil {
				return nil, err
			}
			all = append(all, m)
			if old := trimRoot(roots, n.OldPath); old != "" && !slices.Contains(names, old) && n.Path != n.OldPath {
				names = append(names, old)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b made) int {
		return cmp.Or(cmp.Compare(a.Timestamp, b.Timestamp), cmp.Compare(a.SessionID, b.SessionID), cmp.Compare(a.Seq, b.Seq))
	})
	return all, nil
}

// nodes returns the edits of a file of that name in any project, without their reasons.
func (q *question) nodes(ctx context.Context, name string) ([]nodedb.Node, error) {
	filter := nodedb.Filter{}
	if q.Project != "" && !path.IsAbs(q.Project) && !strings.Contains(q.Project, ":") {
		filter.Project = q.Project
	}
	var all []nodedb.Node
	for next := ""; ; {
		a, err := q.reader.File(ctx, name, filter, nodedb.Page{After: next, Limit: nodedb.MaxPage, Bare: true})
		if err != nil {
			return nil, err
		}
		all = append(all, a.Nodes...)
		if next = a.Next; next == "" {
			return all, nil
		}
	}
}

// roots returns the folders that the project is known to be in; none if that is to be
// found out.
func (q *question) roots() []string {
	if strings.ContainsAny(q.Project, `/\`) {
		return []string{strings.TrimRight(q.Project, `/\`)}
	}
	return nil
}

// likelyRoots returns the folders of the one project that has most edits of a file: a
// clone or a work tree that was moved has other folders than the transcripts name.
func likelyRoots(nodes []nodedb.Node, name string) []string {
	count := map[string]int{}
	for i := range nodes {
		if root, ok := strings.CutSuffix(slashes(nodes[i].Path), "/"+name); ok {
			count[root]++
		}
	}
	best := ""
	for root, n := range count {
		if n > count[best] || n == count[best] && root < best {
			best = root
		}
	}
	if best == "" {
		return nil
	}
	return []string{best}
}

// below reports whether an edit is of the file of that name in one of the roots.
func below(roots []string, n *nodedb.Node, name string) bool {
	for _, p := range []string{n.Path, n.OldPath} {
		p = slashes(p)
		if p == name {
			return true
		}
		for _, root := range roots {
			if p != "" && p == slashes(root)+"/"+name {
				return true
			}
		}
	}
	return false
}

// trimRoot returns a path relative to the first root that holds it, or "".
func trimRoot(roots []string, p string) string {
	p = slashes(p)
	for _, root := range roots {
		if rel, ok := strings.CutPrefix(p, slashes(root)+"/"); ok {
			return rel
		}
	}
	return ""
}

// slashes returns a path with forward slashes. Transcripts of Windows are read on
// other systems too.
func slashes(p string) string { return strings.ReplaceAll(p, `\`, "/") }

// madeBy reads an episode, with an index that is used again.
func madeBy(doc *jsondoc.Doc, n *nodedb.Node) (made, error) {
	m := made{Seq: n.Seq, Episode: Episode{
		ID: n.ID, CallID: n.CallID, SessionID: n.Session, Source: string(n.Source), Timestamp: n.Timestamp, Tool: n.Tool,
	}}
	if _, err := doc.Parse(n.JSON); err != nil {
		return made{}, fmt.Errorf("read %s: %w", n.ID, err)
	}
	d := doc.Root().Get("diff")
	m.Diff = diff{Unified: d.Get("unified").Str(), Change: d.Get("change").Str(), Certainty: d.Get("certainty").Str()}
	m.Hunks = why.Hunks(m.Diff.Unified)
	return m, nil
}

// decide finds the decisions that edits carry out and who shared the edits, of those edits alone that wrote one of
// the lines: a file may have had many more.
func (q *question) decide(ctx context.Context, history []made, claims []why.Claim) error {
	var nodes []nodedb.Node
	at := map[string]*made{}
	for _, c := range claims {
		if c.Status != why.Edited {
			continue
		}
		m := &history[c.Edit]
		if at[m.ID] == nil {
			nodes, at[m.ID] = append(nodes, nodedb.Node{ID: m.ID, Kind: "episode"}), m
		}
	}
	if len(nodes) == 0 {
		return nil
	}
	if err := q.reader.Link(ctx, nodes); err != nil {
		return err
	}
	for i := range nodes {
		m := at[nodes[i].ID]
		m.Shared = nodes[i].Mark.Shared
		for _, l := range nodes[i].Links {
			if l.Kind == "decision" && (m.decision == nil || l.Relation == "produced") {
				m.decision = &Decision{ID: l.ID, Epitome: l.Text, Title: l.Title}
			}
		}
	}
	return nil
}
