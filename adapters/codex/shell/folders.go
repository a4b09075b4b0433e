package shell

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/script"
)

// Folder is where a patch of a shell script is applied, if the script begins in
// dir: scripts go to another one first, alone or in a shell of their own (0.163,
// recorded). A folder that only the shell knows is taken for the one before.
func (s Scripted) Folder(script, dir string) string {
	w := walk{dirs: []string{dir}}
	for rest := script[:s.applied(script)]; rest != ""; {
		line, after, _ := strings.Cut(rest, "\n")
		w.line(line)
		rest = behindHeredoc(line, after)
	}
	return w.dirs[len(w.dirs)-1]
}

// applied is where the command stands that applies the patch: before the text, or behind it.
func (s Scripted) applied(script string) int {
	for _, name := range [...]string{"apply_patch", "applypatch"} {
		if at := strings.LastIndex(script[s.from:s.at], name); at >= 0 {
			return s.from + at
		}
		if at := strings.Index(script[s.end:], name); at >= 0 {
			return s.end + at
		}
	}
	return s.at
}

// behindHeredoc leaves out the text that a line announces by "<<WORD".
func behindHeredoc(line, after string) string {
	_, word, ok := strings.Cut(line, "<<")
	word = strings.TrimLeft(strings.TrimPrefix(word, "-"), " ")
	if !ok || strings.HasPrefix(word, "<") {
		return after
	}
	if end := strings.IndexAny(word, " \t;&|)>"); end >= 0 {
		word = word[:end]
	}
	if word = strings.Trim(word, `'"\`); word == "" {
		return after
	}
	for rest := after; rest != ""; {
		text, next, _ := strings.Cut(rest, "\n")
		if strings.Trim(text, " \t") == word {
			return next
		}
		rest = next
	}
	return "" // the script is cut off within it
}

// OnlyPatches reports whether a script changes files by nothing but patches.
func OnlyPatches(text string) bool {
	var rest strings.Builder
	for after := text; after != ""; {
		var line string
		line, after, _ = strings.Cut(after, "\n")
		if behind := behindHeredoc(line, after); len(behind) < len(after) {
			line, after = withoutHeredoc(line), behind
		}
		rest.WriteString(strings.Map(unshelled, line) + "\n")
	}
	segments, ok := script.Words(rest.String())
	for _, words := range segments {
		ok = ok && (script.OnlyReads(words) || isPatching(words))
	}
	return ok
}

// withoutHeredoc takes "<<WORD" out of a line.
func withoutHeredoc(line string) string {
	before, after, _ := strings.Cut(line, "<<")
	after = strings.TrimLeft(after, "- ")
	end := strings.IndexAny(after, " \t;&|)>")
	if end < 0 {
		return before
	}
	return before + after[end:]
}

// unshelled makes the signs of a shell within the shell to ends of commands.
func unshelled(r rune) rune {
	if r == '(' || r == ')' {
		return ';'
	}
	return r
}

// isPatching reports whether a command does nothing else than patch, or make folders for it.
func isPatching(words []string) bool {
	switch words[0] {
	case "apply_patch", "applypatch", "set", "mkdir", "pushd", "popd":
		return true
	}
	return false
}

// walk is the way of a script through folders. Shells within the shell have each a
// folder of their own, the innermost one's stands last.
type walk struct{ dirs []string }

// maxShells bounds how deep shells within shells are told apart.
const maxShells = 32

// line continues through the commands of a line.
func (w *walk) line(line string) {
	var command strings.Builder
	for i := range len(line) {
		switch c := line[i]; {
		case c == '(' && len(w.dirs) < maxShells:
			w.dirs = append(w.dirs, w.dirs[len(w.dirs)-1])
			command.Reset()
		case c == ')' && len(w.dirs) > 1:
			w.dirs = w.dirs[:len(w.dirs)-1]
			command.Reset()
		case strings.IndexByte("&;|", c) >= 0:
			w.command(command.String())
			command.Reset()
		default:
			command.WriteByte(c)
		}
	}
	w.command(command.String())
}

// command goes to another folder, if that is what a command does.
func (w *walk) command(command string) {
	words := strings.Fields(command)
	if len(words) > 2 && IsShell(words[0]) && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		words = words[2:]
		words[0] = strings.TrimLeft(words[0], `'"$`)
	}
	if len(words) < 2 || words[0] != "cd" && words[0] != "pushd" && words[0] != "Set-Location" {
		return
	}
	_, to, _ := strings.Cut(command, words[0])
	to = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(to), "-- "))
	if to = strings.Trim(to, `'"`); to == "" || to == "-" || strings.ContainsAny(to, "$`*~") {
		return
	}
	w.dirs[len(w.dirs)-1] = Resolve(w.dirs[len(w.dirs)-1], to)
}
