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
	"strconv"
	"strings"
	"time"
)

// SSH is a folder of another machine, reached by the ssh that is installed, with the user's
// own settings and keys. The machine needs a POSIX shell and nothing of Memscribe.
type SSH struct {
	host, port, dir string
	limits          limits
}

// limits are how long ssh may take.
type limits struct{ quiet, command, ending time.Duration }

// ParseSSH reads ssh://[user@]host[:port]/folder; below the home folder it is /~/folder.
func ParseSSH(address string) (*SSH, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "ssh" || u.Hostname() == "" || strings.Trim(u.Path, "/") == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("not of the form ssh://[user@]host[:port]/folder")
	}
	s := &SSH{host: u.Hostname(), port: u.Port(), dir: u.Path, limits: limits{maxQuiet, maxCommand, maxEnding}}
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

// List implements [Place]. Whatever else is printed than names of files is left out.
func (s *SSH) List(ctx context.Context) ([]string, error) {
	script := "cd -- " + quoted(s.dir) + " || exit 3; [ -d " + Root + " ] || exit 0; cd " + Root + " && find . -type f -name '*" + suffix + "'"
	out, err := s.run(ctx, script, nil, maxFiles*int64(len("./"+nameOf(strings.Repeat("0", machineSize), 0)+"\n")))
	if err != nil {
		return nil, fmt.Errorf("look through shared folder: %w", err)
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		name := strings.TrimPrefix(strings.TrimRight(line, "\r\n"), "./")
		if _, _, ok := file(name); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

// Read implements [Place].
func (s *SSH) Read(ctx context.Context, name string, most int64) ([]byte, error) {
	if _, _, ok := file(name); !ok {
		return nil, fmt.Errorf("read shared file %q: that is no name of one", name)
	}
	data, err := s.run(ctx, "cat -- "+quoted(path.Join(s.dir, Root, name)), nil, most)
	if err != nil {
		return nil, fmt.Errorf("read shared file %s: %w", name, err)
	}
	return data, nil
}

// Write implements [Place].
//
// The shell makes the temporary file itself (set -C): a link that somebody has put there is not
// followed. It gets its name only if it is whole: of a connection that breaks, the other machine
// sees no more than that the input ends. A file that is there already is not replaced.
func (s *SSH) Write(ctx context.Context, name string, data []byte) error {
	to := path.Join(s.dir, Root, name)
	dir, temporary, to := quoted(path.Dir(to)), quoted(path.Join(path.Dir(to), ".new-"+path.Base(to))), quoted(to)
	flush := func(what string) string { return "{ sync -- " + what + " 2>/dev/null || sync; }" }
	script := "umask 077; mkdir -p -- " + dir + " && rm -f -- " + temporary + " && set -C && cat > " + temporary + " && " + flush(temporary) + " || exit; " +
		"[ $(wc -c < " + temporary + ") -eq " + strconv.Itoa(len(data)) + " ] || { rm -f -- " + temporary + "; echo 'it has not arrived whole' >&2; exit 4; }; " +
		"[ ! -e " + to + " ] || { echo 'there is a file of that name' >&2; exit 5; }; " +
		"mv -- " + temporary + " " + to + " && " + flush(dir)
	if _, err := s.run(ctx, script, data, 1<<10); err != nil {
		return fmt.Errorf("write shared file: %w", err)
	}
	return nil
}

// How long ssh may take for a command.
const (
	maxQuiet   = 2 * time.Minute  // in which no byte comes or goes
	maxCommand = 30 * time.Minute // in all
	maxEnding  = 5 * time.Second  // until what ssh has started closes its pipes, once ssh has ended
)

// Reasons why ssh is ended.
var (
	errQuiet   = errors.New("it has answered nothing for too long")
	errCommand = errors.New("it has taken too long")
)

// options are those of every ssh, beside the user's settings: it asks nothing, takes nothing along
// that the other machine could make use of (agent, display, ports), and gives up when that machine
// does not answer.
func (s *SSH) options() []string {
	all := []string{
		"-T", "-a", "-x", "-o", "BatchMode=yes", "-o", "ClearAllForwardings=yes", "-o", "ControlMaster=no", "-o", "PermitLocalCommand=no",
		"-o", "ConnectTimeout=30", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4",
	}
	if s.port != "" {
		all = append(all, "-p", s.port)
	}
	return all
}

// run runs a script at the other machine and returns what it prints.
//
// ssh is ended when it prints more than most bytes, when no byte has come or gone for maxQuiet, and
// after maxCommand. Of its standard error the first 4 KiB become part of the error.
func (s *SSH) run(ctx context.Context, script string, in []byte, most int64) ([]byte, error) {
	ctx, stop := context.WithTimeoutCause(ctx, s.limits.command, errCommand)
	defer stop()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	quiet := time.AfterFunc(s.limits.quiet, func() { end(errQuiet) })
	defer quiet.Stop()
	cmd := exec.CommandContext(ctx, "ssh", append(s.options(), "--", s.host, script)...) //nolint:gosec // the user's own host; names are quoted
	cmd.WaitDelay = s.limits.ending
	moved := func() { quiet.Reset(s.limits.quiet) }
	out, said := answer{most: most, moved: moved}, limited{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input{bytes.NewReader(in), moved}, &out, &said
	err := cmd.Run()
	switch {
	case out.over:
		err = fmt.Errorf("it answers with more than %d bytes", most)
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx)
	case errors.Is(err, exec.ErrWaitDelay):
		err = nil // ssh has ended well
	case err != nil:
		err = fmt.Errorf("%w: %s%s", err, bytes.TrimSpace(said.text), advice(said.text, s.host))
	}
	if err != nil {
		return nil, fmt.Errorf("ssh %s: %w", s.host, err)
	}
	return out.text, nil
}

// advice says what to do where ssh would have asked something.
func advice(said []byte, host string) string {
	switch {
	case bytes.Contains(said, []byte("IDENTIFICATION HAS CHANGED")):
		return ": its key is not the one that it had before; find out why before you accept it"
	case bytes.Contains(said, []byte("Host key verification failed")):
		return ": its key is not known yet; run 'ssh " + host + "' once, and compare the key"
	case bytes.Contains(said, []byte("Permission denied (")):
		return ": no password is asked for here; a key that needs none, or an agent that has it, lets you in"
	}
	return ""
}

// input is what ssh reads; it calls moved for each part.
type input struct {
	from  io.Reader
	moved func()
}

// Read implements [io.Reader].
func (i input) Read(p []byte) (int, error) {
	i.moved()
	return i.from.Read(p)
}

// answer keeps what ssh prints, and fails when that is more than most bytes.
type answer struct {
	text  []byte
	most  int64
	over  bool
	moved func()
}

// Write implements [io.Writer].
func (a *answer) Write(p []byte) (int, error) {
	a.moved()
	if a.over = int64(len(a.text)+len(p)) > a.most; a.over {
		return 0, io.ErrShortWrite
	}
	a.text = append(a.text, p...)
	return len(p), nil
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
