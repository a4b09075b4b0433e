package redact_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

// TestGlued has drawn passwords to which a call, an index, a link or a path is glued, as
// where a client puts the name of a symbol behind what was said. What the password alone
// is cut from, it is cut from with any of them, too.
func TestGlued(t *testing.T) {
	const draws, most = 20, 2 // per cent: some drawn letters look like words
	e := engine(t, redact.Options{})
	rnd := rand.New(rand.NewPCG(3, 27))
	for _, kind := range []string{"{b62:24}", "{lower:32}", "{b64url:32}"} {
		all, stay := 0, []string(nil)
		for _, form := range []string{
			"Use password %s for staging.", "Use password %s instead of hunter2.", "We decided against the password %s.", "the password of staging is now %s",
			"the api key is %s", "the token of the relay is now %s", "DB_PASSWORD=%s", "export AWS_SESSION_TOKEN=%s", "client_secret: %s", "password:\n  %s\n",
			"mysql -u root -p%s shop", "docker login -u ann -p %s registry.example.com", "redis-cli -a %s ping", "sshpass -p %s ssh ann@example.com",
			"CREATE USER ann IDENTIFIED BY '%s';", `["login", "--password", "%s"]`, "pass\x1b[1mword: %s\x1b[0m",
		} {
			for _, tail := range []string{
				"query(sql)", "(staging)", "()", "[0]", "{", ".query(x)", "->query(x)", "::query()", "**(x)", "(sql, params)", "[1](https://acme.io/a)", "/src/db.js",
			} {
				for range draws {
					secret := drawn(kind, rnd)
					if leaves(t, e, fmt.Sprintf(form, secret), secret) {
						continue
					}
					all++
					if text := fmt.Sprintf(form, secret+tail); leaves(t, e, text, secret) {
						stay = append(stay, text)
					}
				}
			}
		}
		if 100*len(stay) > most*all || all < 1000 {
			t.Errorf("%s: %d of %d stay:\n%s", kind, len(stay), all, strings.Join(stay, "\n"))
		}
	}
}

// leaves reports whether a secret leaves with a text.
func leaves(t *testing.T, e *redact.Engine, text, secret string) bool {
	t.Helper()
	clean, _, err := e.Scrub(core.TextField, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(clean, []byte(secret))
}

// TestCallsAreNotGlued has calls, elements and paths where a value might stand.
func TestCallsAreNotGlued(t *testing.T) {
	e := engine(t, redact.Options{})
	for _, value := range []string{
		"getUserNameByIdOrEmailV2(ctx)", "parseHTTPResponseV2(r)", "toUTF8StringFromISO88591(b)", "pbkdf2HmacSha256Base64(salt)", "NewEC2InstanceByARN[0]", "sha256OfAllTheFiles{}",
		"crypto.createHash256AndBase64(x)", "self.oauth2PasswordGrantV2Client.fetch(x)", "os.environ[name]", "md5sum2sha256sum(file)", "decodeUTF16leToUTF8(s)", "i18nL10nA11yT9n(key)",
		"process.env.X", "std::str::from_utf8(b)", "argon2idV19Base64Decode(s)", "vault2024/kv/data/app", "node16/lib/x64/index.js", "x86_64/linux/gnu2_31/lib(so)",
		"6ba7b810-9dad-11d1-80b4-00c04fd430c8(id)", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b(commit)",
	} {
		for _, form := range []string{"password = %s", "client_token = %s", "Use password %s for staging.", "the api key is %s"} {
			text := fmt.Sprintf(form, value)
			if clean, cuts, err := e.Scrub(core.TextField, []byte(text)); err != nil || len(cuts) > 0 {
				t.Errorf("%q becomes %q (%v)", text, clean, err)
			}
		}
	}
}
