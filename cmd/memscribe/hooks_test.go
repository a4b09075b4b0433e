package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/hooksettings"
	"github.com/memscribe/memscribe/internal/app/host"
)

// FuzzHooks installs hooks into settings that may be anything and takes them out
// again: the settings are then what they were, to the byte, and with the
// permissions that they had; also if installing refuses them.
func FuzzHooks(f *testing.F) {
	for _, s := range []string{
		"", "{}", "{}\n", "\xef\xbb\xbf{}", "{\r\n\t\"a\": 1\r\n}\r\n", "// mine\n{ /* none */ }", "{\"hooks\": {\"Stop\": [ ]}, }\n\n",
		"{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"true\"}]}, // last\n]}}", "{\"hooks\": null}", "{\"hooks\": []}",
		"{\"hooks\": {\"stop\": {}}}", "{\"a\": 1, \"a\": 2}", "[]", "null", "{", "nonsense", "\x00", "{\"version\": 1, \"hooks\": {\"sessionEnd\": [{\"bash\": \"true\"}]}}",
	} {
		for i := range hooksettings.Tools() {
			f.Add([]byte(s), byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, tool byte) {
		h := hooksettings.Tools()[int(tool)%len(hooksettings.Tools())]
		home := t.TempDir()
		file := filepath.Join(home, filepath.FromSlash(h.Folder), filepath.FromSlash(h.File))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o640)); err != nil {
			t.Fatal(err)
		}
		change := func(do string, flags ...string) (code int, said string) {
			var out bytes.Buffer
			code = run(append([]string{"hooks", do, string(h.Tool)}, flags...), cli.Env{
				Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &out,
				Machine: host.Machine{
					OS:     "linux",
					Getenv: func(name string) string { return map[string]string{"HOME": home}[name] },
					Home:   func() (string, error) { return home, nil },
				},
			})
			return code, out.String()
		}
		installed, why := change("install")
		if installed == cli.ExitDone && len(text)%2 == 0 { // again with answers, in the place of the first
			installed, why = change("install", "--recall")
		}
		if code, said := change("uninstall"); installed == cli.ExitDone && code != cli.ExitDone {
			t.Errorf("uninstall ends with %d: %s", code, said)
		}
		after, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(after, text) {
			t.Errorf("install ended with %d (%s); afterwards %q, %v", installed, why, after, err)
		}
		if info, err := os.Stat(file); err == nil && runtime.GOOS != "windows" && info.Mode().Perm() != fs.FileMode(0o640) {
			t.Errorf("permissions are %v", info.Mode())
		}
	})
}
