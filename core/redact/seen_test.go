package redact_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

// A token and a password that are drawn, and no one's.
const (
	someToken    = "ghp_16C7e42F292c6912E7a5Qb10C838347aE178"
	somePassword = "Zk39dkeLLq02mfTz8"
)

// TestSeenThrough has a token with something inside it that a reader does not see,
// or reads as one of its letters: all of it must go, and nothing else.
func TestSeenThrough(t *testing.T) {
	e := engine(t, redact.Options{})
	head, tail := someToken[:18], someToken[18:] // before 9
	for name, token := range map[string]string{
		"as it is":                    head + tail,
		"space without a width":       head + "\u200b" + tail,
		"joiner":                      head[:5] + "\u200d" + head[5:] + tail,
		"word joiner":                 head + "\u2060" + tail,
		"byte order mark":             head + "\ufeff" + tail,
		"signs of direction":          head + "\u202e\u202c\u2066\u2069" + tail,
		"sign of direction by number": head + "&#x202e;" + tail,
		"variant":                     head + "\ufe0e" + tail,
		"tag":                         head + "\U000e0041" + tail,
		"variant of another plane":    head + "\U000e0100" + tail,
		"soft hyphen":                 head + "\u00ad" + tail,
		"soft hyphens in its name":    "g\u00adh\u00adp" + head[3:] + tail,
		"entity in decimals":          head + "&#49;" + tail[1:],
		"entity in hexadecimals":      "ghp&#x5f;" + head[4:] + tail,
		"named entity":                "ghp&lowbar;" + head[4:] + tail,
		"entity of an entity":         "ghp&amp;#95;" + head[4:] + tail,
		"entity without a width":      head + "&#8203;" + tail,
		"named soft hyphen":           head + "&shy;" + tail,
		"letter of full width":        head + "１" + tail[1:],
		"name of full width":          "ｇｈｐ＿" + head[4:] + tail,
		"broken line":                 head + "\\\n" + tail,
		"sum":                         head + `"+"` + tail,
		"sum with spaces":             head + `" + "` + tail,
		"sum of single quotes":        head + "' + '" + tail,
		"sum on two lines":            head + "\" +\n    \"" + tail,
		"sum with the plus below":     head + "\"\n    + \"" + tail,
		"sum of three":                head[:9] + `" + "` + head[9:] + `" + "` + tail,
		"sum in a diff":               head + "\" +\n+    \"" + tail,
		"sum that is quoted":          head + `\" + \"` + tail,
		"colour":                      head + "\x1b[31m" + tail,
		"two of them":                 head + "\u200b\u00ad" + tail[:4] + "&#8203;" + tail[4:],
		"base64":                      base64.StdEncoding.EncodeToString([]byte(head + tail)),
		"base64 behind a name":        base64.StdEncoding.EncodeToString([]byte("bob:" + head + tail)),
		"base64 behind another name":  base64.RawURLEncoding.EncodeToString([]byte("alice:" + head + tail)),
		"base64 with a line behind":   base64.StdEncoding.EncodeToString([]byte("x-access-token:" + head + tail + "\n")),
		"signing secret of a webhook": "whsec_" + head[4:] + tail,
	} {
		for _, around := range [][2]string{{"use ", " here"}, {`x = "`, `";`}, {"", ""}, {"// see ", "\nnext"}, {"—", "—"}} {
			text := around[0] + token + around[1]
			clean, _, err := e.Scrub(core.TextField, []byte(text))
			left := strings.TrimSuffix(strings.TrimPrefix(string(clean), around[0]), around[1])
			if err != nil || !strings.HasPrefix(left, "[REDACTED:") || strings.IndexByte(left, ']') != len(left)-1 {
				t.Errorf("%s: %q becomes %q (%v)", name, text, clean, err)
			}
		}
	}
}

// TestPasswordsOfCommands has commands that take a password behind a short option,
// wherever it stands among the others.
func TestPasswordsOfCommands(t *testing.T) {
	e := engine(t, redact.Options{})
	for _, form := range []string{
		"docker login -p %s", "docker login -u bob -p %s registry.example.org", "docker login -u bob -p=%s", "sudo docker login -p%s -u bob",
		"podman login -p '%s' quay.io", "helm registry login -u bob -p %s host", "az login --service-principal -u x -p %s",
		"mysql -p%s", "mysql -uroot -p%s app", "mysql -h db -u root -p'%s' -e 'select 1'", "mysqldump --single-transaction -uroot -p%s app > x",
		"mariadb-dump -u root -p\"%s\" app", "/usr/bin/mysqladmin -p%s ping", "docker exec db mysql -p%s",
		"redis-cli -a %s", "redis-cli -h cache -p 6379 -a %s ping", "redis-cli -a '%s' ping", "sshpass -p %s ssh host", "sshpass -v -p %s ssh host",
		"sshpass -p'%s' scp x host:", "mongosh -u root -p %s", "ldapsearch -x -D cn=admin -w %s -b dc=x", "mosq" + "uitto_pub -h h -u a -P %s -t x", "unzip -P %s x.zip",
		"htpasswd -b .htpasswd bob %s 2>/dev/null", "htpasswd -bc .htpasswd bob %s # the new one", "htpasswd -nb bob %s",
		"7z a -p%s x.7z dir", "rabbitmqadmin -u a -p %s list queues", "SSHPASS=%s sshpass -e ssh host", "keytool -storepass %s -list", "sqlcmd -S db -U sa -P %s", "$ cd x && mysql \\\n  -uroot \\\n  -p%s app",
	} {
		text := fmt.Sprintf(form, somePassword)
		want := strings.Replace(text, somePassword, "[REDACTED:password]", 1)
		if clean, _, err := e.Scrub(core.TextField, []byte(text)); err != nil || string(clean) != want {
			t.Errorf("%q becomes %q (%v)", text, clean, err)
		}
	}
	for _, text := range []string{
		"docker run -p 8080:80 image", "docker login -p $TOKEN", "docker login --password-stdin", "mysql -p app", "mysql -P3306 -h db", "mysql -p$PASS app",
		"mysql -p\"${PASS}\"", "redis-cli -p 6379 ping", "redis-cli -a \"$REDIS_PASSWORD\"", "mysql is slow; mkdir -p build/v2x9q", "mysql -uroot | grep -pattern1",
		"mongo -h x --port 27017", "unzip -p x.zip data-v2.txt", "7z x -pattern", "7z a -p x.7z", "mosq" + "uitto_sub -p 1883 -t x", "ldapsearch -W -b dc=x", "the mysql -pPASSWORD form", "docker login -p <token>", "ssh -p 2222 host", "sshpass -f file ssh -p 2222 host",
		"htpasswd .htpasswd bob", "htpasswd -D .htpasswd bob",
	} {
		if clean, cuts, err := e.Scrub(core.TextField, []byte(text)); err != nil || len(cuts) > 0 {
			t.Errorf("%q becomes %q (%v)", text, clean, err)
		}
	}
}

// TestSeenThroughStays has texts with the same things in them and no secret: they
// stay byte by byte.
func TestSeenThroughStays(t *testing.T) {
	e := engine(t, redact.Options{})
	for _, text := range []string{
		"soft\u00adhyphen, zero\u200bwidth, ｆｕｌｌ　ｗｉｄｔｈ： １２３", "a &amp; b &lt;c&gt; &quot;d&quot; &nbsp;&#39;e&#39;", `"hello" + "world" + 'x' + 'y'`,
		"─│┌┐ ✓ – — “quoted” … · ° é", "x = a + b; y = \"a\" + b", "+\"one\"\n+\"two\"\n", "password：请输入", "if (a && b) token = next + 1",
		"make \\\nall \\\n  test", base64.StdEncoding.EncodeToString([]byte("ghp_ is how tokens of GitHub begin, as everyone knows")),
	} {
		if clean, cuts, err := e.Scrub(core.TextField, []byte(text)); err != nil || len(cuts) > 0 {
			t.Errorf("%q becomes %q (%v)", text, clean, err)
		}
	}
}

// TestByChance has drawn passwords with a short word of documentation in them, or that begin
// as a number does; and what stands for a password, or is a number.
func TestByChance(t *testing.T) {
	e := engine(t, redact.Options{})
	for value, secret := range map[string]bool{
		"o1hT3ctodoA3NnKp3udGQ4zZ": true, "Utodo058hAvwMxLrNt0NvR1C": true, "0xhCjZm9McVHKbpyfZwryuBB": true, "q7AsdfeR2mPz9LxW4vKt": true,
		"todo-replace-this-1": false, "TODO_password_1": false, "asdf1234": false, "0x7ffe1234abcd": false,
	} {
		text := "DB_PASSWORD=" + value
		clean, _, err := e.Scrub(core.TextField, []byte(text))
		if err != nil || (string(clean) != text) != secret {
			t.Errorf("of %s: %q, %v", text, clean, err)
		}
	}
}
