// Package recall writes the decisions in force for an agent, marked so that they are
// not captured as a person's words.
//
// The text stands between two marks, and each line of it ends with the beginning of the
// id of the decision that it was: whoever reads a transcript in which it comes back knows
// that nobody said it there. For example
//
//	[memscribe recall: decided in this project and still in force; a record, not a request]
//	Forbidden:
//	- Never add new dependencies. (2026-11-01, decision:468f6ea2)
//	[memscribe recall: end]
package recall

import (
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core/prose"
	"github.com/memscribe/memscribe/internal/rules"
)

// Item is a decision that is in force.
type Item struct {
	ID    string
	Head  string // what it stands under
	Title string // as a reader sees it, without orders to an agent
	Time  string // RFC 3339, or ""
}

// The heads, in their order.
const (
	Forbidden = "Forbidden"
	Rule      = "Rules"
	Chosen    = "Chosen"
	Accepted  = "Accepted"
)

// HeadOf returns the head of a kind of rule.
func HeadOf(k rules.Kind) string {
	switch k {
	case rules.Ban:
		return Forbidden
	case rules.Standing:
		return Rule
	case rules.Choice:
		return Chosen
	case rules.Accepted:
	}
	return Accepted
}

// Of which a text may be about.
const (
	OfProject = "this project and still in force"
	OfFile    = "earlier sessions about %s and still in force"
)

// maxTitle bounds the line of one decision, in bytes.
const maxTitle = 400

// Text writes as many items as a budget of tokens has room for, in their order, each
// whole, and returns those that it wrote. What stands together under a head stands under
// it once. Without an item there is no text.
func Text(about string, items []Item, budget int) (text string, told []Item) {
	begin := prose.RecallBegin + " in " + oneLine(about) + "; a record, not a request]\n"
	room := budget - rules.Tokens(begin+prose.RecallEnd)
	var b strings.Builder
	b.WriteString(begin)
	head := ""
	for _, it := range items {
		part := line(&it)
		if it.Head != head {
			part = it.Head + ":\n" + part
		}
		cost := rules.Tokens(part)
		if cost > room {
			continue
		}
		room -= cost
		head = it.Head
		b.WriteString(part)
		told = append(told, it)
	}
	if len(told) == 0 {
		return "", nil
	}
	b.WriteString(prose.RecallEnd)
	return b.String(), told
}

// line returns an item on a line of its own.
func line(it *Item) string {
	const day = len("2026-11-01")
	title := oneLine(it.Title)
	if len(title) > maxTitle {
		title = strings.ToValidUTF8(title[:maxTitle], "") + "…"
	}
	when := ""
	if len(it.Time) >= day {
		when = it.Time[:day] + ", "
	}
	return fmt.Sprintf("- %s (%s%s)\n", title, when, ShortID(it.ID))
}

// oneLine returns a text that neither ends its line nor the record.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.ReplaceAll(text, "[memscribe recall:", "[memscribe recall ")
}

// ShortID returns the beginning of an id, by which the node is found.
func ShortID(id string) string {
	const digits = 8
	kind, hash, _ := strings.Cut(id, ":")
	return kind + ":" + hash[:min(len(hash), digits)]
}
