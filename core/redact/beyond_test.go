package redact_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

// TestBeyondTheLine has values that do not stand beside their names: on the lines below, in
// the next element of a list, in another member of the same object, and in the same
// sentence as another one. CHOSEN is one that people choose, DRAWN and OTHER are drawn.
func TestBeyondTheLine(t *testing.T) {
	const chosen, other = "correct-Horse7", "Qk39dkeLLq02mfTz1"
	fill := strings.NewReplacer("CHOSEN", chosen, "DRAWN", somePassword, "OTHER", other)
	e := engine(t, redact.Options{})
	for _, form := range []string{
		// blocks and here-documents
		"db_password: |\n  DRAWN\nuser: x", "db_password: >-\n  DRAWN", "db_password: |2-\n      CHOSEN", "  \"db_password\": |\n    DRAWN",
		"db_password: | # from the vault\n  CHOSEN", "db_password: |\r\n  CHOSEN\r\n", "+db_password: |\n+  DRAWN", "12\tdb_password: |\n13\t  DRAWN",
		"    12→db_password: >\n    13→  CHOSEN", "api_token: >\n  DRAWN\n  OTHER\nnext: x", "db_password = <<EOT\nCHOSEN\nEOT", "db_password = <<-\"EOT\"\n  DRAWN\n  EOT",
		"password = \"\"\"\nDRAWN\n\"\"\"", "db_password: !!str CHOSEN", "db_password: &anchor CHOSEN", `{"x":"db_password: |\n  DRAWN\n"}`,
		// the end of a line
		"db_password =\n  DRAWN", "token =\n  DRAWN;", "db_password =\n    \"CHOSEN\"", "const password =\n  'CHOSEN';", "const password: string =\n\t'CHOSEN';",
		"+const password =\n+  'CHOSEN';", "12\tpassword :=\n13\t\t\"CHOSEN\"",
		// lists
		`["--password", "CHOSEN"]`, "\"--password\",\n  \"CHOSEN\",", `args: ["--token", "DRAWN"]`, `CMD ["app", "--db-password", "CHOSEN"]`, "['--api-key', 'DRAWN']",
		"args:\n  - --password\n  - CHOSEN", "args:\n- \"--token\"\n- \"DRAWN\"", `{"args":["--password","CHOSEN"]}`, `[\"--password\", \"CHOSEN\"]`,
		`["mysql", "-u", "root", "-pCHOSEN"]`, `spawn("mongosh", ["-u", "root", "-p", "CHOSEN"])`, `["sshpass", "-p", "CHOSEN", "ssh"]`, "[\"sshpass\",\n  \"-p\",\n  \"CHOSEN\"]",
		`["docker", "login", "-u", "x", "-p", "CHOSEN"]`, `["redis-cli", "-a", "CHOSEN"]`, "command:\n  - redis-cli\n  - -a\n  - CHOSEN", "- docker\n- login\n- \"-p\"\n- \"CHOSEN\"",
		`["curl", "-s", "-u", "bob:CHOSEN", url]`, "run(['curl', '--user', 'bob:CHOSEN'])",
		// members
		`{"name": "DB_PASSWORD", "value": "CHOSEN"}`, `{"key":"password","value":"CHOSEN"}`, "- name: DB_PASSWORD\n  value: CHOSEN", "- name: DB_PASSWORD\n  value: \"CHOSEN\"",
		"- name: \"API_TOKEN\"\n  value: >-\n    DRAWN", `<add key="DbPassword" value="CHOSEN"/>`, "{ name = \"db_password\", value = \"CHOSEN\" }",
		// sentences
		"Use DRAWN instead of OTHER as password", "Use `DRAWN` rather than `OTHER` as the password for staging.", "the password is now DRAWN, not OTHER",
		"The secret is DRAWN, no longer OTHER.", "DRAWN → OTHER as the new secret", "replace OTHER with DRAWN as the token", "Use DRAWN instead of OTHER as the API token.",
		"the token is now DRAWN, not OTHER", "The token of the relay is now DRAWN, not OTHER.", "our API key for staging is `DRAWN` instead of `OTHER`", "token: DRAWN -> OTHER", "password: DRAWN (was OTHER)", "DRAWN is the new password, OTHER the old one", "rotate the password: OTHER => DRAWN",
		"set password to DRAWN; it was OTHER before", "The new password: DRAWN instead of OTHER", "Passwords: DRAWN, OTHER", "the passwords are DRAWN and OTHER",
		"user: bob, pass: DRAWN", "Passwort ist DRAWN statt OTHER",
	} {
		text := fill.Replace(form)
		clean, cuts, err := e.Scrub(core.TextField, []byte(text))
		left := string(clean)
		for _, secret := range []string{chosen, somePassword, other} {
			if strings.Contains(left, secret) {
				t.Errorf("%q keeps %s: %q (%v)", text, secret, left, err)
			}
		}
		if n := strings.Count(text, chosen) + strings.Count(text, somePassword) + strings.Count(text, other); err == nil && len(cuts) != n {
			t.Errorf("%q has %d cuts, want %d: %q", text, len(cuts), n, left)
		}
	}
}

// TestBeyondTheLineStays has the same forms without a secret.
func TestBeyondTheLineStays(t *testing.T) {
	e := engine(t, redact.Options{})
	for _, text := range []string{
		"password: |\n  Your password must have a digit.\nuser: x", "password: >-\n  ${DB_PASSWORD}", "password:\n  type: string\n  minLength: 8", "token =\n  readToken(path)",
		"PASSWORD=\nUSER=admin1234\n", "password =\n\nfoo = bar2024x", "db_password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256", "db_password: !Ref DbPassword2",
		"const password =\n  useState('');", "password = <<EOT\nplease change me\nEOT", "| Password | Length |\n| -------- | ------ |", "Password:\n| a1b2 | c3d4 |",
		`["--password", "stdin"]`, `["--token", "--password", "--user-name-1"]`, `["--password", "$DB_PASSWORD"]`, "args:\n  - --password\n  - $(DB_PASSWORD)",
		"- --token\n- --user\n- bob", `["mysql", "-p", "app2024"]`, `["docker", "run", "-p", "8080:80"]`, `["redis-cli", "-p", "6379"]`, `["curl", "-u", "$USER:$PASS"]`,
		"login, logout, -p 8080", `{"name":"password","value":""}`, `{"name":"password","type":"password","value":"text"}`, "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:",
		`{"name": "DB_PASSWORD", "value": "$(cat file)"}`, "the password is now checked, not stored", "use a passphrase instead of a password", "Use bcrypt instead of sha256 as the password hash.",
		"the token of request 6ba7b810-9dad-11d1-80b4-00c04fd430c8 is not the one of 7ba7b810-9dad-11d1-80b4-00c04fd430c8",
		"Passwords are hashed (sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6)",
	} {
		if clean, cuts, err := e.Scrub(core.TextField, []byte(text)); err != nil || len(cuts) > 0 {
			t.Errorf("%q becomes %q (%v)", text, clean, err)
		}
	}
}
