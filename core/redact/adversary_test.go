package redact_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

// adversaries are what a text may be full of to make the work as long as
// possible.
func adversaries() map[string]string {
	return map[string]string{
		"values with a call": "password=aB3xK9qLm2Vt7Rz4Yw8(password=", "words with a call": "the password aB3xK9qLm2Vt7Rz4Yw8(aB3xK9qLm2Vt7Rz4Yw8(",
		"foreign words":      "密码",
		"foreign assignment": "пароль: ",
		"objects of one":     `{"password":{"value":{"S":`,
		"attributes":         `"key":"password","value":{"stringValue":`,
		"equals":             "a=",
		"percent signs":      "%25",
		"encoded values":     "a%3Db%2C%26",
		"stars":              "ghp_a1**",
		"tags":               "ghp_a1<b>",
		"literals":           `"ghp_a1" `,
		"lists":              `passwords=["a1b2c3",`,
		"open lists":         "passwords=[",
		"members":            `passwords:{"a":`,
		"calls of login":     `login("a","b",`,
		"pipes":              "echo x|sudo -S ",
		"here-strings":       "chpasswd <<< a:b ",
		"many arguments":     "curl -s -u ",
		"data sources":       ":a1@tcp(",
		"command":            "curl ",
		"quotes":             "\"'`\\\"",
		"begin":              "-----BEGIN",
		"begin key":          "-----BEGIN RSA PRIVATE KEY-----\n",
		"begin base64":       "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n",
		"names":              "key=",
		"name words":         "token ",
		"quoted names":       "key=\"",
		"passwords":          "password: ",
		"services":           "aws ",
		"service values":     "aws secret a1b2c3d4e5f6 ",
		"service keys":       "github_key=aaaa1aaaa ",
		"many services":      "mongodb vercel looker sentry asana 1234567 ",
		"urls":               "a://b:c@",
		"url ends":           "http://a:",
		"options":            "curl -u a:b ",
		"jwt chain":          "eyJhbGciOiJIUzI1NiJ9.",
		"jwt heads":          " eyJhbGciOiJIUzI1NiJ9",
		"colours":            "\x1b[31m",
		"open links":         "\x1b]8;;",
		"backslashes":        "\\",
		"escapes":            "\\u001b[0m",
		"placeholders":       "[REDACTED:x]",
		"open zones":         "[REDACTED:",
		"cookies":            "cookie: a=b;",
		"suffixes":           "a1nral",
		"headers":            "authorization: bearer ",
		"half tokens":        "patAAAAAAAAAAAAAA.",
		"elements":           "<pass ",
		"calls":              "key=getenv(",
		"pairs":              "(\"token\",\"",
		"secrets":            "secret=aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW ",
		"glued secrets":      "ghp_aB3dE6gH9aB3dE6gH9aB3dE6gH9aB3dE6gH9",
		"digits":             "0123456789",
		"base64":             "Zm9vYmFyYmF6",
	}
}

// maxPerByte bounds the work on a byte, in units of about a nanosecond, for any
// text at all: a megabyte takes 0.4 s at the most.
const maxPerByte = 400

// TestWorkIsLinear counts, it does not measure time: the work on ten times the
// text is at most a little more than ten times the work, and a budget holds.
func TestWorkIsLinear(t *testing.T) {
	e := engine(t, redact.Options{})
	for name, unit := range adversaries() {
		work := func(size int) int {
			s := []byte(strings.Repeat(unit, size/len(unit)))
			_, _, err := e.Scrub(core.TextField, s)
			n, budget := redact.Work(e)
			if err != nil && (!errors.Is(err, redact.ErrBudget) || n <= budget) {
				t.Errorf("%s: %v", name, err)
			}
			if over := n - budget; over > 1<<19 {
				t.Errorf("%s: %d bytes: the budget of %d is exceeded by %d", name, len(s), budget, over)
			}
			return n
		}
		small, large := work(30<<10), work(300<<10)
		if large > 12*small+1<<19 {
			t.Errorf("%s: ten times the text is %.1f times the work (%d, %d)", name, float64(large)/float64(small), small, large)
		}
		if per := large / (300 << 10); per > maxPerByte/2 {
			t.Errorf("%s: %d units of work a byte", name, per)
		}
	}
}

// TestBudgetFailsClosed gives an engine rules that are too much work.
func TestBudgetFailsClosed(t *testing.T) {
	var rules []redact.Rule
	for i := range 20 {
		rules = append(rules, redact.Rule{ID: fmt.Sprint("slow", i), Keywords: []string{"aaa"}, Pattern: fmt.Sprintf(`(?:a+b?)+%d`, i)})
	}
	e := engine(t, redact.Options{Rules: rules})
	clean, cuts, err := e.Scrub(core.TextField, []byte(strings.Repeat("a", 1<<20)))
	if !errors.Is(err, redact.ErrBudget) || clean != nil || cuts != nil {
		t.Errorf("got %d bytes, %d cuts, %v; want nothing and the budget exceeded", len(clean), len(cuts), err)
	}
	if _, _, err := e.Scrub(core.TextField, []byte("fine")); err != nil {
		t.Errorf("the next text: %v", err)
	}
}

func BenchmarkAdversary(b *testing.B) {
	e := engine(b, redact.Options{})
	for name, unit := range adversaries() {
		for _, size := range []int{100 << 10, 1 << 20, 10 << 20} {
			s := []byte(strings.Repeat(unit, size/len(unit)))
			b.Run(fmt.Sprintf("%s/%dKB", name, size>>10), func(b *testing.B) { benchmarkAny(b, e, s) })
		}
	}
}

func benchmarkAny(b *testing.B, e *redact.Engine, s []byte) {
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := e.Scrub(core.TextField, s); err != nil && !errors.Is(err, redact.ErrBudget) {
			b.Fatal(err)
		}
	}
}
