package answers_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/answers"
	"github.com/memscribe/memscribe/internal/bancheck"
)

// A breach names its ban by the title, which can be read without the talk around it;
// a ban without one by its words.
func TestCheckTitle(t *testing.T) {
	for _, tt := range []struct {
		ban  bancheck.Ban
		want string
	}{
		{bancheck.Ban{Epitome: "No, don't.", Title: "Do not use lodash."}, "src/a.js:3  breaks: Do not use lodash.\n"},
		{bancheck.Ban{Epitome: "Never use lodash."}, "src/a.js:3  breaks: Never use lodash.\n"},
	} {
		a := bancheck.Answer{Bans: 1, Changes: 1, Breaches: []bancheck.Breach{{Status: "broken", File: "src/a.js", Line: 3, Ban: &tt.ban}}}
		var b strings.Builder
		if err := answers.Check(&b, &a); err != nil || !strings.HasPrefix(b.String(), tt.want) {
			t.Errorf("%q, %v; want it to begin with %q", b.String(), err, tt.want)
		}
	}
}
