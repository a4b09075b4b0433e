// Package powerloss derives, from a program's system calls recorded by strace, every
// state of the disk that a power loss could leave.
//
// Nothing stands in for a part of the program: the calls are those of the real
// one, made on a real file system. A [Disk] learns of them, as far as the power
// lasts, and knows then what is on it for certain, because it was synced, and
// what may be. That it is right, whoever uses it can see: with all calls made it
// holds what the file system holds.
package powerloss

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// Options are what strace is given, before the program and its arguments, to
// write to a file what Read reads.
func Options(trace string) []string {
	return []string{
		"-f", "--seccomp-bpf", "-y", "-xx", "-s", "16777216", "-o", trace,
		"-e", "trace=openat,write,pwrite64,lseek,ftruncate,fsync,fdatasync,/^(rename|unlink|link|mkdir)(at)?2?$",
	}
}

// Call is a system call that changes what lies below a folder, or something that
// was said: written to what is no file.
type Call struct {
	Kind Kind
	Name string // below the folder, with slashes; "." is the folder
	To   string // the other name
	At   int64  // where to write, or the size
	Data []byte
}

// Kind is what a call does.
type Kind string

// The kinds of calls.
const (
	Create   Kind = "create" // a file, which may be there
	Folder   Kind = "folder"
	Write    Kind = "write"
	Truncate Kind = "truncate"
	Sync     Kind = "sync" // a file or a folder
	Rename   Kind = "rename"
	Link     Kind = "link"
	Remove   Kind = "remove"
	Say      Kind = "say"
)

// tracer reads what strace has written of one process.
type tracer struct {
	dir   string
	begun map[string]string // by thread: calls that others came between
	files map[string]*open  // by descriptor
	sizes map[string]int64  // by name
	calls []Call
}

// open is an open file.
type open struct {
	at     int64
	append bool
}

// Read reads what strace has written of one process, and returns what that did
// after what others had done before. Of its calls those count
// that change what lies below dir, which is a clean absolute path, and what is
// said. Files that SQLite shares memory by are left out: they do not outlive a
// process.
func Read(r io.Reader, dir string, before ...Call) ([]Call, error) {
	t := tracer{dir: dir, begun: map[string]string{}, files: map[string]*open{}, sizes: map[string]int64{}, calls: before}
	for name, content := range After(before).Whole() {
		t.sizes[name] = int64(len(content))
	}
	in := bufio.NewReaderSize(r, 1<<20)
	for {
		line, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return t.calls, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read trace: %w", err)
		}
		text, whole := t.joined(strings.TrimSuffix(line, "\n"))
		if !whole {
			continue
		}
		if err := t.line(text); err != nil {
			return nil, fmt.Errorf("read trace: %w in %.300q", err, text)
		}
	}
}

// joined is a line without its thread. A call that another thread's came between
// stands on two lines.
func (t *tracer) joined(line string) (text string, whole bool) {
	thread, text, _ := strings.Cut(line, " ")
	text = strings.TrimSpace(text)
	if head, cut := strings.CutSuffix(text, " <unfinished ...>"); cut {
		t.begun[thread] = head
		return "", false
	}
	if strings.HasPrefix(text, "<... ") {
		_, rest, _ := strings.Cut(text, " resumed>")
		text = t.begun[thread] + rest
	}
	return text, true
}

// line reads a line like pwrite64(5</name>, "data", 4, 0) = 4.
func (t *tracer) line(text string) error {
	name, rest, _ := strings.Cut(text, "(")
	end := strings.LastIndex(rest, ")")
	if end < 0 {
		return nil
	}
	result := strings.TrimPrefix(strings.TrimSpace(rest[end+1:]), "= ")
	if result == "" || strings.HasPrefix(result, "-1") || strings.HasPrefix(result, "?") {
		return nil
	}
	args := strings.Split(rest[:end], ", ")
	switch name {
	case "openat":
		return t.opened(args, result)
	case "lseek":
		return t.moved(args, result)
	case "write", "pwrite64":
		return t.written(name, args, result)
	case "ftruncate":
		size, err := strconv.ParseInt(args[1], 10, 64)
		return errors.Join(err, t.add(Call{Kind: Truncate, At: size}, args[0], ""))
	case "fsync", "fdatasync":
		return t.add(Call{Kind: Sync}, args[0], "")
	case "unlink", "unlinkat":
		return t.add(Call{Kind: Remove}, nthText(args, 0), "")
	case "mkdir", "mkdirat":
		return t.add(Call{Kind: Folder}, nthText(args, 0), "")
	case "rename", "renameat", "renameat2":
		return t.add(Call{Kind: Rename}, nthText(args, 0), nthText(args, 1))
	case "link", "linkat":
		return t.add(Call{Kind: Link}, nthText(args, 0), nthText(args, 1))
	}
	return nil
}

// nthText is the nth of the texts that a call is given: of each, the folder that it
// is relative to may stand before, or not.
func nthText(args []string, n int) string {
	for _, a := range args {
		if !strings.HasPrefix(a, `"`) {
			continue
		}
		if n == 0 {
			return a
		}
		n--
	}
	return ""
}

// add notes a call, if it is about what lies below the folder.
func (t *tracer) add(c Call, name, to string) error {
	var err error
	ours := false
	if c.Name, ours, err = t.name(name); err != nil || !ours {
		return err
	}
	if to != "" {
		if c.To, ours, err = t.name(to); err != nil || !ours {
			return err
		}
	}
	switch c.Kind {
	case Rename, Link:
		t.sizes[c.To] = t.sizes[c.Name]
	case Truncate:
		t.sizes[c.Name] = c.At
	case Write:
		t.sizes[c.Name] = max(t.sizes[c.Name], c.At+int64(len(c.Data)))
	default:
	}
	t.calls = append(t.calls, c)
	return nil
}

// name is a name below the folder.
func (t *tracer) name(arg string) (name string, ours bool, err error) {
	raw, err := unhex(arg)
	if err != nil {
		return "", false, err
	}
	rel, err := filepath.Rel(t.dir, string(raw))
	if err != nil || !filepath.IsLocal(rel) || strings.HasSuffix(rel, "-shm") {
		return "", false, nil //nolint:nilerr // it is no path, or one of somewhere else
	}
	return filepath.ToSlash(rel), true, nil
}

func (t *tracer) opened(args []string, result string) error {
	number, _, _ := strings.Cut(result, "<")
	how := args[2]
	f := &open{append: strings.Contains(how, "O_APPEND")}
	t.files[number] = f
	if strings.Contains(how, "O_CREAT") {
		if err := t.add(Call{Kind: Create}, result, ""); err != nil {
			return err
		}
	}
	if strings.Contains(how, "O_TRUNC") {
		return t.add(Call{Kind: Truncate}, result, "")
	}
	return nil
}

func (t *tracer) moved(args []string, result string) (err error) {
	number, _, _ := strings.Cut(args[0], "<")
	if f := t.files[number]; f != nil {
		f.at, err = strconv.ParseInt(result, 10, 64)
	}
	return err
}

func (t *tracer) written(call string, args []string, result string) error {
	data, err := unhex(args[1])
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(result)
	if err != nil || n > len(data) {
		return fmt.Errorf("%d bytes were written of %d that are known (%w)", n, len(data), err)
	}
	data = data[:n] // what was written of it
	name, ours, err := t.name(args[0])
	if err != nil {
		return err
	}
	if isFile := strings.Contains(args[0], `<\x2f`); !ours { // its name begins with a slash
		if !isFile {
			t.calls = append(t.calls, Call{Kind: Say, Data: data})
		}
		return nil
	}
	if call == "pwrite64" {
		at, err := strconv.ParseInt(args[3], 10, 64)
		return errors.Join(err, t.add(Call{Kind: Write, Data: data, At: at}, args[0], ""))
	}
	number, _, _ := strings.Cut(args[0], "<")
	f := t.files[number]
	if f == nil {
		return errors.New("a file that was never opened")
	}
	if f.append {
		f.at = t.sizes[name]
	}
	c := Call{Kind: Write, Data: data, At: f.at}
	f.at += int64(n)
	return t.add(c, args[0], "")
}

// unhex reads "\x41\x42", or 5<\x41\x42>.
func unhex(s string) ([]byte, error) {
	if at := strings.IndexAny(s, `<"`); at >= 0 {
		s = s[at+1:]
	}
	s = strings.TrimRight(s, `>"`)
	b, err := hex.DecodeString(strings.ReplaceAll(s, `\x`, ""))
	if err != nil {
		return nil, fmt.Errorf("read text: %w", err)
	}
	return b, nil
}
