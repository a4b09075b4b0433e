package redact_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

// keyLines draws the lines of a private key, without those that frame it.
func keyLines(rnd *rand.Rand) []string {
	var lines []string
	for range 6 {
		lines = append(lines, drawn("{b64:64}", rnd))
	}
	return append(lines, drawn("{b64:22}", rnd)+"==")
}

// keyTexts carries a private key in the ways in which transcripts do.
func keyTexts(t *testing.T, body []string) map[string]string {
	frame := func(label string, lines ...string) []string {
		return append(append([]string{"-----BEGIN " + label + "-----"}, lines...), "-----END "+label+"-----")
	}
	each := func(lines []string, f func(i int, line string) string) string {
		var out []string
		for i, l := range lines {
			out = append(out, f(i, l))
		}
		return strings.Join(out, "\n")
	}
	pem := frame("RSA PRIVATE KEY", body...)
	plain := strings.Join(pem, "\n")
	quoted, err := json.Marshal(plain)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := json.Marshal(string(quoted))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"plain":       plain,
		"crlf":        strings.ReplaceAll(plain, "\n", "\r\n"),
		"pkcs8":       strings.Join(frame("PRIVATE KEY", body...), "\n"),
		"openssh":     strings.Join(frame("OPENSSH PRIVATE KEY", body...), "\n"),
		"encrypted":   strings.Join(frame("RSA PRIVATE KEY", append([]string{"Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,0123456789ABCDEF0123456789ABCDEF", ""}, body...)...), "\n"),
		"pgp":         strings.Join(frame("PGP PRIVATE KEY BLOCK", append([]string{"Version: GnuPG v2", ""}, body...)...), "\n"),
		"added":       "@@ -0,0 +1,9 @@\n" + each(pem, func(_ int, l string) string { return "+" + l }),
		"removed":     "@@ -1,9 +0,0 @@\n" + each(pem, func(_ int, l string) string { return "-" + l }),
		"context":     each(pem, func(_ int, l string) string { return " " + l }),
		"indented":    "key: |\n" + each(pem, func(_ int, l string) string { return "    " + l }),
		"numbered":    each(pem, func(i int, l string) string { return "    " + string(rune('1'+i)) + "→" + l }),
		"grepped":     each(pem, func(i int, l string) string { return "id_rsa:" + string(rune('1'+i)) + ":" + l }),
		"commented":   each(pem, func(_ int, l string) string { return "# " + l }),
		"cited":       each(pem, func(_ int, l string) string { return "> " + l }),
		"coloured":    each(pem, func(_ int, l string) string { return "\x1b[32m+" + l + "\x1b[0m" }),
		"added up":    each(pem, func(_ int, l string) string { return `    "` + l + `\n" +` }),
		"quoted":      "{\"key\":" + string(quoted) + "}",
		"twice":       "{\"args\":" + string(twice) + "}",
		"on one line": strings.Join(pem, " "),
		"glued":       pem[0] + strings.Join(body, "") + pem[len(pem)-1],
		"wrapped":     each(pem, func(_ int, l string) string { return strings.Join(strings.SplitAfter(l, l[:min(len(l), 40)]), "\n") }),
		"cut off":     strings.Join(pem[:5], "\n"),
		"putty":       "Private-Lines: 7\n" + strings.Join(body, "\n") + "\nPrivate-MAC: 00",
	}
}

// TestPrivateKeys wants every line of a key gone, however it is carried, and what
// stands around it to stay.
func TestPrivateKeys(t *testing.T) {
	body := keyLines(rand.New(rand.NewPCG(13, 17)))
	e := engine(t, redact.Options{})
	for name, text := range keyTexts(t, body) {
		t.Run(name, func(t *testing.T) {
			in := "before it\n" + text + "\nafter it, in words\n"
			clean, _, err := e.Scrub(core.TextField, []byte(in))
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range body {
				checkGone(t, l, in, string(clean))
			}
			if !strings.HasPrefix(string(clean), "before it\n") || !strings.Contains(string(clean), "after it, in words") {
				t.Errorf("too much went: %q", clean)
			}
			checkScrub(t, e, core.TextField, []byte(in))
		})
	}
}

// checkGone wants no part of a line that stood in a text to stand in the result.
func checkGone(t *testing.T, line, in, clean string) {
	t.Helper()
	for i := 0; i+20 <= len(line); i += 4 {
		if part := line[i : i+20]; strings.Contains(in, part) && strings.Contains(clean, part) {
			t.Fatalf("%q stays: %q", part, clean)
		}
	}
}
