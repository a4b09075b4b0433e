package sanitize

import (
	"strings"
	"testing"
)

// TestParseRules reads a small table, and wants the line of what cannot be read.
func TestParseRules(t *testing.T) {
	rules, continues, err := parseRules("# head\nlet who (?:user|owner)\nlet continues ^then\n\nrule a\nfirst x y\nmatch tell \nmatch ${who}\n\nrule b\nfirst z\nsecond v\nonly <z>\n")
	want := []rule{{name: "a", first: "x y", pattern: "tell (?:user|owner)"}, {name: "b", first: "z", second: "v", pattern: "<z>", only: true}}
	if err != nil || continues != "^then" || len(rules) != 2 || rules[0] != want[0] || rules[1] != want[1] {
		t.Errorf("read %+v, %q, %v", rules, continues, err)
	}
	for table, place := range map[string]string{"first x\n": "line 1", "rule a\nfirst x\nlast y\n": "line 3"} {
		if _, _, err := parseRules(table); err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("%q: error %v, want one that names %s", table, err, place)
		}
	}
}
