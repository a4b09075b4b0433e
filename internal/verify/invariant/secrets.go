package invariant

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/internal/verify/trial"
)

// NoSecrets reports every event and node in whose JSON one of the secrets still stands. It
// looks at the JSON and not at what it means, so that no member can be forgotten.
func NoSecrets(r *trial.Result, secrets []string) []string {
	var p problems
	for _, secret := range secrets {
		quoted, err := jsontext.AppendQuote(nil, secret)
		if err != nil {
			p.add("secret", "quote %q: %v", secret, err)
			continue
		}
		inJSON := string(quoted[1 : len(quoted)-1])
		for _, e := range r.Events() {
			if s := string(e.JSON); strings.Contains(s, inJSON) {
				p.add(secret, "%s: %s event says %s", where(e.Provenance), e.Event, around(s, inJSON))
			}
		}
		for _, n := range r.Nodes {
			if s := string(n.JSON); strings.Contains(s, inJSON) {
				p.add(secret, "%s says %s", n.ID, around(s, inJSON))
			}
		}
	}
	return p.list
}

// around returns a word with up to 60 bytes on either side.
func around(s, word string) string {
	i := strings.Index(s, word)
	return s[max(0, i-60):min(len(s), i+len(word)+60)]
}

// flat returns all strings of a JSON value, names of members too, each on a line of its own. Of
// a value that breaks off it returns those up to there.
func flat(v jsontext.Value) string {
	var all strings.Builder
	dec := jsontext.NewDecoder(strings.NewReader(string(v)), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		t, err := dec.ReadToken()
		if err != nil {
			return all.String()
		}
		if t.Kind() == jsontext.KindString {
			all.WriteString(t.String())
			all.WriteByte('\n')
		}
	}
}
