package pipeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
)

// conversation is one session in which two topics take turns, each prompt
// followed by an edit.
type conversation struct {
	name    string
	prompts [4]string // first, second, first, second topic
	edits   [4]string // path, and the line that is added
}

// events writes the conversation for the script tool.
func (c *conversation) events() string {
	var b strings.Builder
	for i, prompt := range c.prompts {
		path, line, _ := strings.Cut(c.edits[i], " ")
		fmt.Fprintf(&b, `{"e":"user","id":"u%d","at":%d,"t":%q}`+"\n", i, 10*i, prompt)
		fmt.Fprintf(&b, `{"e":"say","at":%d,"t":"Understood, I'll change it that way."}`+"\n", 10*i)
		fmt.Fprintf(&b, `{"e":"call","c":"c%d","n":"Edit","at":%d}`+"\n", i, 10*i+1)
		fmt.Fprintf(&b, `{"e":"result","c":"c%d","at":%d}`+"\n", i, 10*i+2)
		fmt.Fprintf(&b, `{"e":"edit","c":"c%d","at":%d,"path":%q,"lines":%q}`+"\n", i, 10*i+2, path, "+"+line+"\n")
	}
	return b.String()
}

// TestTopics says in several ways what two topics are about that take turns:
// every edit is bound to what was decided of its own topic.
func TestTopics(t *testing.T) {
	for _, c := range []conversation{
		{
			name: "as a person in a hurry",
			prompts: [4]string{
				"ok let's do keyset paging instead of offset for the list. begin with the query pls",
				"other thing, prices: go with Intl.NumberFormat, no hand written strings",
				"back to the paging, the route needs the cursor as well",
				"and the prices should default to EUR",
			},
			edits: [4]string{"src/list.js keyset(after)", "src/price.js Intl.NumberFormat()", "src/route.js cursor: req.query.after", "src/price.js currency: 'EUR'"},
		},
		{
			name: "formally",
			prompts: [4]string{
				"For authentication we will use signed cookies rather than bearer tokens. Please start with the middleware.",
				"Unrelated: log lines must be JSON with a request id.",
				"Returning to authentication: cookies should expire after 15 minutes.",
				"As for the logs, write them to stderr, not to a file.",
			},
			edits: [4]string{"src/auth.js signedCookie()", "src/log.js JSON.stringify(line)", "src/auth.js maxAge: 900", "src/log.js process.stderr.write()"},
		},
		{
			name: "in German and Spanish",
			prompts: [4]string{
				"Verwende Postgres statt MySQL für die Bestellungen.",
				"Otra cosa: usa dayjs en lugar de moment para las fechas.",
				"Zurück zu Postgres: der Pool soll höchstens 10 Verbindungen haben.",
				"Y las fechas: usa dayjs.utc en lugar de la hora local.",
			},
			edits: [4]string{"src/db.js new Pool()", "src/date.js dayjs()", "src/db.js max: 10", "src/date.js dayjs.utc()"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			held := run(t, c.events())
			bound := map[string]string{} // call to decision
			for _, n := range held {
				b, ok := n.Body.(*core.Binding)
				if !ok || b.Relation != core.Produced {
					continue
				}
				edit, isEdit := held[b.To].Body.(*core.Episode)
				decision, decides := held[b.From].Body.(*core.Decision)
				if isEdit && decides {
					bound[edit.CallID] = decision.Epitome.Text
				}
			}
			for i := range c.prompts {
				epitome := bound[fmt.Sprintf("c%d", i)]
				if epitome == "" || !strings.Contains(c.prompts[i]+"\n"+c.prompts[i&1], epitome) {
					t.Errorf("edit %d (%s) is bound to %q", i, c.edits[i], epitome)
				}
			}
		})
	}
}

// TestQuestionsDecideNothing asks in several ways, in one session.
func TestQuestionsDecideNothing(t *testing.T) {
	var b strings.Builder
	for i, q := range []string{
		"how does the list get its pool?", "is it a singleton or made per request", "would sqlite do here instead of postgres?",
		"and why do we never close it?", "so the cache is only filled at startup, right", "什么时候关闭？", "Warum wird er nie geschlossen?",
		"don't change anything, just tell me where the limit of 500 comes from",
	} {
		fmt.Fprintf(&b, `{"e":"user","id":"u%d","at":%d,"t":%q}`+"\n"+`{"e":"say","t":"It is made in src/db.js."}`+"\n", i, i, q)
	}
	for _, n := range run(t, b.String()) {
		if d, ok := n.Body.(*core.Decision); ok {
			t.Errorf("decided: %q", d.Epitome.Text)
		}
	}
}
