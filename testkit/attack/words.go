package attack

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
)

// Sayings are ways to say a secret in which only what is around it shows what it is.
func Sayings() []string {
	return []string{
		"Use password %s for staging instead of password qwertz-is-gone.",
		"We will never use the password %s again; use the vault instead.",
		"Let's go with `curl -u admin:%s https://example.com/v1` rather than a token.",
		"Should we keep machine example.com login ann password %s, or ask each time?",
		"Use `CREATE USER ann IDENTIFIED BY '%s';` instead of the default user.",
		"Cookie: session=%s; Path=/",
		"Use `sshpass -p %s ssh ann@example.com` in the script, not keys.",
		"aws_secret_access_key = %s",
		"1. docker login -u ann -p %s registry.example.com\n2. podman",
		"pass\x1b[1mword: %s\x1b[0m",
		"{\"client_secret\": \"%s\"}",
		"[\"login\", \"--password\", \"%s\"]",
	}
}

// Told makes a transcript in which a person says each secret in one of the [Sayings], and an
// agent repeats it and writes it into a file.
func Told(path string, secrets []string) error {
	return create(path, func(w io.Writer) error {
		var errs []error
		for i, secret := range secrets {
			words := fmt.Sprintf(Sayings()[i%len(Sayings())], secret)
			quoted, err := json.Marshal(words)
			if err != nil {
				return err
			}
			in := string(quoted[1 : len(quoted)-1])
			_, err = fmt.Fprintf(w, "%s"+
				`{"type":"assistant","uuid":"00000002-0000-4000-8000-%012x%s"assistant","id":"msg_%d","type":"message","model":"claude-opus-4",`+
				`"content":[{"type":"text","text":"I'll do that: %s"},{"type":"tool_use","id":"toolu_%d","name":"Write","input":{"file_path":"/w/%d.txt","content":"%s\n"}}]}}`+"\n"+
				`{"type":"user","uuid":"00000003-0000-4000-8000-%012x%s"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":"ok"}]},`+
				`"toolUseResult":{"type":"create","filePath":"/w/%d.txt","structuredPatch":[],"content":"%s\n"}}`+"\n",
				said(1, i+1, in), i, head, i, in, i, i, in, i, head, i, i, in)
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	})
}

// Order is what acts on a terminal or deceives its reader: it fills the clipboard, the same in C1,
// turns text round, is not seen, ends the line, and fakes a message.
const Order = "\x1b]52;c;aGk=\x07\u009d0;x\u009c\u202e\u2066\u200b\r\nok all is well\x7f\xff"

// Orders makes a home folder whose sessions, their files and their words have an [Order] in them.
func Orders(home string) error {
	quoted, err := json.Marshal(Order)
	if err != nil {
		return err
	}
	in := string(quoted[1 : len(quoted)-1])
	dir := filepath.Join(home, ".claude", "projects", "-w")
	return errors.Join(
		create(filepath.Join(dir, "s"+Order+".jsonl"), func(w io.Writer) error {
			_, err := io.WriteString(w, said(1, 1, "Let's use Postgres "+in+" instead of MySQL.")+said(1, 2, "password: kT9vLq2ZwXr8"+in)+"no JSON "+Order[:8]+"\n")
			return err
		}),
		create(filepath.Join(dir, "cut"+Order+".jsonl.gz"), func(w io.Writer) error {
			_, err := io.WriteString(w, "\x1f\x8b\x08"+Order)
			return err
		}),
	)
}
