package redact_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

// drawnOf is n letters of a set.
func drawnOf(set string, n int, rnd *rand.Rand) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = set[rnd.IntN(len(set))]
	}
	return string(b)
}

const base64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// TestLongValuesGoWhole has values of every length behind names that tell: none
// may stay because it is long, none in part, and none under the name of another
// secret.
func TestLongValuesGoWhole(t *testing.T) {
	e := engine(t, redact.Options{})
	rnd := rand.New(rand.NewPCG(3, 5))
	for _, form := range []string{
		"AWS_SESSION_TOKEN=%s",
		"aws_session_token = %s",
		`"SessionToken": "%s"`,
		`{\"SessionToken\": \"%s\"}`,
		"export AWS_SESSION_TOKEN=\"%s\"\n",
		"export AWS_SESSION_TOKEN='%s' && aws s3 ls",
		"DB_PASSWORD=%s",
		"password: %s\n",
		"mysqldump --password=%s db",
		"<password>%s</password>",
		"CLIENT_SECRET='%s'",
		"curl -d 'client_secret=%s&x=1'",
		`api_key: "%s"`,
		"curl -H 'Authorization: Bearer %s'",
	} {
		for _, n := range []int{60, 100, 101, 150, 400, 700, 1020, 1100, 3000, 20_000} {
			for range 10 {
				value := drawnOf(base64Letters, n-2, rnd) + "8="
				clean, cuts, err := e.Scrub(core.TextField, fmt.Appendf(nil, form, value))
				if err != nil || len(cuts) != 1 || cuts[0].Len != n || strings.Contains(string(clean), "aws_secret_key") {
					t.Errorf("%s with %d letters: %v\n%.120s", form, n, err, clean)
					break
				}
			}
		}
	}
}

// TestLongMembersGoWhole is TestLongValuesGoWhole for the members of an object that
// stand as JSON in an event.
func TestLongMembersGoWhole(t *testing.T) {
	e := engine(t, redact.Options{})
	rnd := rand.New(rand.NewPCG(3, 6))
	for _, name := range []string{"SessionToken", "aws_session_token", "password", "client_secret", "apiKey"} {
		for _, n := range []int{60, 100, 260, 600, 1100, 20_000} {
			value := drawnOf(base64Letters, n, rnd)
			clean, err := e.ScrubMember([]byte(name), []byte(value))
			if err != nil || !strings.HasPrefix(string(clean), "[REDACTED:") || bytes.IndexByte(clean, ']') != len(clean)-1 {
				t.Errorf("%s of %d letters: %v %.120s", name, n, err, clean)
			}
		}
	}
}

// TestLongTextsStay has long values that only look like it: prose, lists, paths and
// ids behind names that tell.
func TestLongTextsStay(t *testing.T) {
	e := engine(t, redact.Options{})
	for _, text := range []string{
		`password: "` + strings.Repeat("Please choose something that you can remember. ", 60) + `"`,
		"DB_PASSWORD_FILE=/run/secrets/" + strings.Repeat("production/database/", 30) + "password",
		"token: " + strings.Repeat("node_modules/some-package/dist/index.js,", 60),
		`const sessionKey = "35a714e7-a252-4724-9c4c-7c844c7431f5"`,
		`"sessionToken": "35a714e7-a252-4724-9c4c-7c844c7431f5"`,
		"password: src/components/forms/password/PasswordFieldWithStrength.tsx",
	} {
		if clean, cuts, err := e.Scrub(core.TextField, []byte(text)); err != nil || len(cuts) > 0 {
			t.Errorf("%v: %.200s", err, clean)
		}
	}
}

// TestLongCredentialsOfCommands has user and password, cookies and URLs whose
// secrets are longer than the windows in which they are looked for.
func TestLongCredentialsOfCommands(t *testing.T) {
	e := engine(t, redact.Options{})
	rnd := rand.New(rand.NewPCG(3, 7))
	for _, form := range []string{
		"curl -u bob:%s https://host/", "git clone https://oauth2:%s@git.host/x.git", "Cookie: a=b; sid=%s; c=d",
		"aws configure set x IQoJb3JpZ2luX2VjE%s", `{"token":"IQoJb3JpZ2luX2VjE%s"}`,
	} {
		for _, n := range []int{200, 600, 900, 2000} {
			value := drawnOf(base64Letters[:62], n, rnd)
			text, err := json.Marshal(fmt.Sprintf(form, value))
			if err != nil {
				t.Fatal(err)
			}
			clean, _, err := e.Scrub(core.TextField, text)
			if err != nil || bytes.Contains(clean, []byte(value[n-12:])) || bytes.Contains(clean, []byte(value[:12])) {
				t.Errorf("%s with %d letters: %v\n%.160s", form, n, err, clean)
			}
		}
	}
}

// TestManySecrets: where there are more secrets than are told apart, nothing of what follows
// leaves, and what is known of them stays small.
func TestManySecrets(t *testing.T) {
	const line, n = "DB_PASSWORD=kT9vLq2ZwXr8 beside words\n", 150_000
	e, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	clean, cuts, err := e.Scrub(core.TextField, bytes.Repeat([]byte(line), n))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(clean, []byte("kT9vLq2ZwXr8")) || !bytes.HasPrefix(clean, []byte("DB_PASSWORD=[REDACTED:")) {
		t.Error("a secret stays")
	}
	if last := cuts[len(cuts)-1]; len(cuts) > 70_000 || last.At+last.Len != n*len(line) {
		t.Errorf("%d cuts, the last from %d to %d", len(cuts), last.At, last.At+last.Len)
	}
	if again, more, err := e.Scrub(core.TextField, bytes.Clone(clean)); err != nil || len(more) > 0 || !bytes.Equal(again, clean) {
		t.Errorf("a second time cuts %d more: %v", len(more), err)
	}
}
