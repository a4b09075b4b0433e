package redact_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/testkit/size"
)

// TestDrawnPasswords draws passwords of letters and digits, as a password manager does, and wants
// them gone from forms that say what they are. Some look like the name of a function by chance:
// one in eight thousand may stay.
func TestDrawnPasswords(t *testing.T) {
	const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	e := engine(t, redact.Options{})
	rnd := rand.New(rand.NewPCG(15, 24))
	var left []string
	each := size.Of(800, 4000)
	forms := 0
	for _, form := range []string{
		"Use password %s for staging.", "Use password %s instead of hunter2.", "DB_PASSWORD=%s", "curl -u admin:%s https://example.com/v1",
		"machine example.com login ann password %s", "CREATE USER ann IDENTIFIED BY '%s';", "Cookie: session=%s; Path=/",
		"sshpass -p %s ssh ann@example.com", "mysql -u root -p%s shop", "{\"client_secret\": \"%s\"}", "Authorization: Bearer %s",
		"postgres://ann:%s@db.example.com/shop", "password:\n  %s\n", "[\"login\", \"--password\", \"%s\"]", "docker login -u ann -p %s registry.example.com",
		"redis-cli -a %s ping", "export AWS_SESSION_TOKEN=%s", "the api key is %s", "pass\x1b[1mword: %s\x1b[0m", "We decided against the password %s.",
	} {
		forms++
		for range each {
			secret := make([]byte, 24)
			for i := range secret {
				secret[i] = letters[rnd.IntN(len(letters))]
			}
			text := fmt.Sprintf(form, secret)
			clean, _, err := e.Scrub(core.TextField, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(clean, secret) {
				left = append(left, text)
			}
		}
	}
	t.Logf("%d of %d stay", len(left), each*forms)
	if 8000*len(left) > each*forms {
		t.Errorf("of %d passwords %d stay:\n%s", each*forms, len(left), strings.Join(left, "\n"))
	}
}

// TestNamesAreNotDrawn has names of functions, types and files near the word for a password: their
// capitals, digits and short words are no sign that they were drawn.
func TestNamesAreNotDrawn(t *testing.T) {
	e := engine(t, redact.Options{})
	for _, name := range []string{
		"getUserNameByIdOrEmail", "isOKToGoOnToTheNext", "parseHTTPResponseV2", "toUTF8StringFromISO88591", "NewEC2InstanceByARN", "useOAuth2PasswordGrant",
		"XMLHTTPRequestToJSON", "AWSS3BucketURLForKey", "goToEndOfLineOrFile", "iOSAppToWebBridge", "sha256OfAllTheFiles", "TestHTTP2ServerRSTStream",
		"UIViewControllerDidLoad", "aToBOrBToA", "getXYZFromRGBAndBack", "onDnDOverTheDropZone", "IdOrNilIfNotFound", "RFC3339NanoInUTC", "MacOSX11WindowAsUI",
	} {
		for _, form := range []string{"Use password %s for staging.", "the password is read by %s", "the api key is %s", "%s checks the password"} {
			text := fmt.Sprintf(form, name)
			if clean, cuts, err := e.Scrub(core.TextField, []byte(text)); err != nil || len(cuts) > 0 {
				t.Errorf("%q becomes %q (%v)", text, clean, err)
			}
		}
	}
}
