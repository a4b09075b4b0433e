package query

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// printer prints an answer.
type printer struct {
	nodes    func([]nodedb.Node) error // a page of it
	end      func(next string) error   // next is where it would go on
	saysNext bool                      // end does
	kinds    []string                  // of node that can be shown; none is all
}

// newPrinter returns the one that is asked for. Of texts it shows the place that was
// searched for.
func newPrinter(a *cli.App, o *Options) printer {
	switch {
	case o.JSON:
		return newObjectPrinter(a.Stdout.Data())
	case o.Lines:
		return newLinePrinter(a.Stdout.Data())
	}
	shown := o.Kind.layout
	if o.IDs {
		shown.columns = append([]column{idColumn()}, shown.columns...)
		shown.once = false
	}
	return newTable(a, shown, o.Filter.Text).printer()
}

// newLinePrinter prints nodes as lines of JSON, as a replay does.
func newLinePrinter(w io.Writer) printer {
	return printer{
		nodes: func(nodes []nodedb.Node) error {
			var out bytes.Buffer
			for i := range nodes {
				out.Write(nodes[i].JSON)
				out.WriteByte('\n')
			}
			_, err := out.WriteTo(w)
			return err
		},
		end: func(string) error { return nil },
	}
}

// answerSchema names the form of what an object printer prints.
const answerSchema = "memscribe.answer/v1"

// item is a node in an answer.
type item struct {
	Node  json.RawMessage `json:"node"`
	Links []link          `json:"links,omitempty"`
	Mark  annotate.Mark   `json:"annotations,omitzero"`
}

// link is what a node is bound to: the other end, and how.
type link struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"`
	Relation  string `json:"relation"`
	Evidence  string `json:"evidence,omitempty"`
	Timestamp string `json:"timestamp,omitempty"`
	Text      string `json:"text,omitempty"`
	Title     string `json:"title,omitempty"`
	Path      string `json:"path,omitempty"`
	Change    string `json:"change,omitempty"`
	Source    string `json:"source,omitempty"`
	Session   string `json:"session_id,omitempty"`
}

// newObjectPrinter prints one object, an item a line:
//
//	{"schema":…,"items":[
//	{"node":{…},"links":[…]}
//	,{"node":{…}}
//	],"next":…}
func newObjectPrinter(w io.Writer) printer {
	before := `{"schema":"` + answerSchema + `","items":[` + "\n"
	return printer{
		saysNext: true,
		nodes: func(nodes []nodedb.Node) error {
			var out bytes.Buffer
			encoder := json.NewEncoder(&out)
			encoder.SetEscapeHTML(false) // nodes stay byte for byte what they are
			for i := range nodes {
				out.WriteString(before)
				if err := encoder.Encode(itemOf(&nodes[i])); err != nil {
					return err
				}
				before = ","
			}
			_, err := out.WriteTo(w)
			return err
		},
		end: func(next string) error {
			after := "]}\n"
			if next != "" {
				text, err := json.Marshal(next)
				if err != nil {
					return err
				}
				after = `],"next":` + string(text) + "}\n"
			}
			if before != "," { // no node has begun the object
				after = before + after
			}
			_, err := io.WriteString(w, after)
			return err
		},
	}
}

// itemOf returns a node with its links as JSON.
func itemOf(n *nodedb.Node) item {
	it := item{Node: n.JSON, Mark: n.Mark}
	for _, l := range n.Links {
		it.Links = append(it.Links, link(l))
	}
	return it
}
