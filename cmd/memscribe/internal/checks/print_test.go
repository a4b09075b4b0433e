package checks_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/checks"
)

// A breach names its ban by the title, which can be read without the talk around it;
// a ban without one by its words.
func TestWriteTitle(t *testing.T) {
	for _, tt := range []struct {
		ban  checks.Ban
		want string
	}{
		{checks.Ban{Epitome: "No, don't.", Title: "Do not use lodash."}, "src/a.js:3  breaks: Do not use lodash.\n"},
		{checks.Ban{Epitome: "Never use lodash."}, "src/a.js:3  breaks: Never use lodash.\n"},
	} {
		a := checks.Answer{Bans: 1, Changes: 1, Breaches: []checks.Breach{{Status: "broken", File: "src/a.js", Line: 3, Ban: &tt.ban}}}
		var b strings.Builder
		if err := a.Write(&b); err != nil || !strings.HasPrefix(b.String(), tt.want) {
			t.Errorf("%q, %v; want it to begin with %q", b.String(), err, tt.want)
		}
	}
}
