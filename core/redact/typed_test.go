package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

// TestTypedPasswords has prose say passwords that people or password managers make to be
// typed: short, with letters, digits and signs.
func TestTypedPasswords(t *testing.T) {
	e := engine(t, redact.Options{})
	for _, frame := range []string{
		"the password is %s", "my password is %s.", "the password is: %s", "set the password to %s", "the db password is %s by the way",
		"das Passwort ist %s", "la contraseña es %s", "le mot de passe est %s", "пароль %s", "密码是 %s", "the new password is `%s`",
	} {
		for _, secret := range []string{"laCC7DZNKrq2", "2et68tVk", "NLY7yeKJ", "kX9$mQ2vLp", "AmJ9g%MA^j", "Dragon#77", "Silver!7363#", "Summer@8126"} {
			text := fmt.Sprintf(frame, secret)
			if clean := cleaned(t, e, text); strings.Contains(clean, secret) {
				t.Errorf("%q stays %q", text, clean)
			}
		}
	}
}

// TestTypedNames has prose say of a password what is none.
func TestTypedNames(t *testing.T) {
	e := engine(t, redact.Options{})
	for _, text := range []string{
		"the password is hashed with bcrypt12", "the password is base64-encoded", "the password is stored in AuthService2",
		"the password is read from DB_PASSWORD", "the password is validated by validatePassword2", "the password is sent to api/v2/login",
		"the password is encrypted with AES256", "the password is mandatory since v1.2.3", "the password is different for each env",
		"the password is `null` when the user signs in with SSO", "the password is `password_digest` in the users table",
		"the password is `process.env.DB_PASSWORD`", "set the password to ${DB_PASSWORD}", "set the password to your-password-here",
		"set the password field to type2Input", "the password prompt was added in PR#1234", "the password policy is in RFC2898",
		"the password check was broken by commit 4f2446bf", "the password was moved to settings/users#42", "my password manager is 1Password7",
		"Password: required, min8", "the password is passed as arg0", "use Argon2id as the password hash", "das Passwort ist in UserService2",
		"密码是 bcrypt 加密的", "пароль хранится в таблице users2", "the password is admin@example.com", "the password is OAuthProxy2",
	} {
		if clean := cleaned(t, e, text); clean != text {
			t.Errorf("%q becomes %q", text, clean)
		}
	}
}

func cleaned(t *testing.T, e *redact.Engine, text string) string {
	t.Helper()
	clean, _, err := e.Scrub(core.TextField, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(clean)
}
