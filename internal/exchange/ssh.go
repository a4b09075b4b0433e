package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"path"
	"strings"
)

// SSH is a folder of another machine, reached by the ssh that is installed, with the user's
// own settings and keys. The machine needs a POSIX shell and nothing of Memscribe.
type SSH struct {
	host, port, dir string
}

// ParseSSH reads ssh://[user@]host[:port]/folder; below the home folder it is /~/folder.
func ParseSSH(address string) (*SSH, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "ssh" || u.Hostname() == "" || strings.Trim(u.Path, "/") == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("not of the form ssh://[user@]host[:port]/folder")
	}
	s := &SSH{host: u.Hostname(), port: u.Port(), dir: u.Path}
	if name := u.User.Username(); name != "" {
		s.host = name + "@" + s.host
	}
	if _, set := u.User.Password(); set {
		return nil, errors.New("it has a password: ssh asks for one itself, or uses a key")
	}
	if strings.HasPrefix(s.host, "-") {
		return nil, errors.New("a host does not begin with -")
	}
	if rest, ok := strings.CutPrefix(s.dir, "/~/"); ok {
		s.dir = rest // ssh begins there
	}
	return s, nil
}

// List implements [Place].
func (s *SSH) List(ctx context.Context) ([]string, error) {
	const most = 64 << 20
	script := "cd -- " + quoted(s.dir) + " || exit 3; [ -d " + Root + " ] || exit 0; cd " + Root + " && find . -type f -name '*" + suffix + "'"
	out, err := s.run(ctx, script, nil, most)
	if err != nil {
		return nil, fmt.Errorf("look through shared folder: %w", err)
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		names = append(names, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "./"))
	}
	return names, nil
}

// Read implements [Place].
func (s *SSH) Read(ctx context.Context, name string, most int64) ([]byte, error) {
	data, err := s.run(ctx, "cat -- "+quoted(path.Join(s.dir, Root, name)), nil, most)
	if err != nil {
		return nil, fmt.Errorf("read shared file %s: %w", name, err)
	}
	return data, nil
}

// Write implements [Place].
func (s *SSH) Write(ctx context.Context, name string, data []byte) error {
	to := path.Join(s.dir, Root, name)
	dir, temporary := quoted(path.Dir(to)), quoted(path.Join(path.Dir(to), ".new-"+path.Base(name)))
	script := "umask 077; mkdir -p -- " + dir + " && cat > " + temporary + " && { sync -- " + temporary + " 2>/dev/null || sync; } && mv -- " + temporary + " " + quoted(to)
	if _, err := s.run(ctx, script, data, 1<<10); err != nil {
		return fmt.Errorf("write shared file: %w", err)
	}
	return nil
}

// run runs a script at the other machine and returns what it prints.
//
// ssh runs in batch mode: it never asks. Its standard error, at most 4 KiB, becomes
// part of the error. An answer of more than most bytes ends the process.
func (s *SSH) run(ctx context.Context, script string, in []byte, most int64) ([]byte, error) {
	args := []string{"-T", "-o", "BatchMode=yes"}
	if s.port != "" {
		args = append(args, "-p", s.port)
	}
	cmd := exec.CommandContext(ctx, "ssh", append(args, "--", s.host, script)...) //nolint:gosec // the user's own host; names are quoted
	cmd.Stdin = bytes.NewReader(in)
	var said limited
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err = cmd.Start(); err != nil {
		return nil, err
	}
	data, err := readAll(out, s.host, most)
	if err != nil {
		_ = cmd.Process.Kill()
	}
	_, _ = io.Copy(io.Discard, out)
	if failed := cmd.Wait(); failed != nil && err == nil {
		err = fmt.Errorf("ssh %s: %w: %s", s.host, failed, bytes.TrimSpace(said.text))
	}
	return data, err
}

// quoted returns a word as a shell takes it literally.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// limited keeps the beginning of what is written to it.
type limited struct{ text []byte }

// Write keeps the first 4 KiB of what ssh says and drops the rest.
func (l *limited) Write(p []byte) (int, error) {
	const most = 4 << 10
	l.text = append(l.text, p[:min(len(p), most-len(l.text))]...)
	return len(p), nil
}
