package memory

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// ofShellCall tells what commands for a shell do to files that are memories. It
// knows how files are usually read (cat, head, sed -n) and written (a redirection,
// tee, sed -i), and nothing of what a shell works out itself.
func ofShellCall(name string, given *arguments, p *core.Project) []core.MemoryAccess {
	script := scriptOf(given.args)
	if !mayName([]byte(script)) {
		return nil
	}
	here := core.Project{}
	if p != nil {
		here.Cwd = p.Cwd
	}
	for _, member := range [...]string{"workdir", "cwd", "dir_path", "directory"} {
		if dir := given.args.Get(member).Str(); dir != "" {
			here.Cwd = fileKey(dir, &here)
		}
	}
	var read, written []core.MemoryAccess
	for _, c := range commands(script) {
		if len(c.words) > 1 && c.words[0] == "cd" {
			here.Cwd = fileKey(c.words[1], &here)
			continue
		}
		reads, writes := c.files()
		read, written = addFiles(read, core.MemoryRead, reads, &here), addFiles(written, core.MemoryWrite, writes, &here)
	}
	all := written
	if len(all) == 0 {
		all = read
	}
	for i := range all {
		all[i].Text = given.whole(name)
	}
	return all
}

// addFiles adds accesses to those of the files that are memories.
func addFiles(all []core.MemoryAccess, done core.MemoryAction, files []string, here *core.Project) []core.MemoryAccess {
	for _, file := range files {
		if OfFile(file) {
			all = append(all, core.MemoryAccess{Action: done, Store: Files, Key: fileKey(file, here)})
		}
	}
	return all
}

// scriptOf returns what a call gives a shell to run: a text, or the arguments of a
// program; the last is the text if the program is a shell.
func scriptOf(args jsondoc.Value) string {
	for _, member := range [...]string{"command", "cmd", "script"} {
		v := args.Get(member)
		if v.Kind() == jsondoc.String {
			return cut(v.Str(), maxText)
		}
		var words []string
		for e := range v.Elems() {
			words = append(words, e.Str())
		}
		if n := len(words); n > 2 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[0], "sh") {
			return cut(words[n-1], maxText)
		}
		if len(words) > 0 {
			return cut(strings.Join(words, " "), maxText)
		}
	}
	return ""
}

// command is one program that a script runs.
type command struct {
	words  []string
	target []string // files to which its output goes
}

// files returns the files that a command reads, and those that it writes.
// Options are among them, and are no files that are memories.
func (c *command) files() (reads, writes []string) {
	writes = c.target
	if len(c.words) < 2 {
		return nil, writes
	}
	given := c.words[1:]
	switch path.Base(c.words[0]) {
	case "cat", "head", "tail", "nl", "less", "more", "bat", "type", "Get-Content", "gc":
		return given, writes
	case "sed":
		if strings.HasPrefix(given[0], "-i") {
			return nil, append(writes, given...)
		}
		return given, writes
	case "tee":
		return nil, append(writes, given...)
	}
	return nil, writes
}

// commands takes a script apart, up to the end of the line of its first here
// document.
// What is in a here document is a text, and runs nothing.
func commands(script string) []command {
	var all []command
	var c command
	into, here := false, false
	for _, w := range shellWords(script) {
		switch {
		case !w.operator && into:
			c.target, into = append(c.target, w.text), false
		case !w.operator:
			c.words = append(c.words, w.text)
		case w.text[0] == '>':
			into = true
		case w.text[0] == '<':
			here = here || len(w.text) > 1
		default:
			all, c, into = append(all, c), command{}, false
			if here && w.text[0] == '\n' {
				return all
			}
		}
	}
	return append(all, c)
}

// shellWord is a word of a script, or what stands between them.
type shellWord struct {
	text     string
	operator bool
}

// shellWords cuts a script into words and operators, without quotes. Variables and
// substitutions stay as they are written.
func shellWords(script string) []shellWord {
	var all []shellWord
	var word strings.Builder
	begun, quote := false, byte(0)
	end := func() {
		if begun {
			all = append(all, shellWord{text: word.String()})
			word.Reset()
			begun = false
		}
	}
	for i := 0; i < len(script); i++ {
		c := script[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(script):
			i++
			word.WriteByte(script[i])
			begun = true
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, begun = c, true
		case c == ' ' || c == '\t' || c == '\r':
			end()
		case strings.IndexByte(";|&<>\n", c) >= 0:
			end()
			from := i
			for i+1 < len(script) && script[i+1] == c {
				i++
			}
			all = append(all, shellWord{script[from : i+1], true})
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	end()
	return all
}
