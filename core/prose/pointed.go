package prose

import "strings"

// points handles the description of an element that somebody pointed at in an editor's
// browser, which stands in the midst of what they typed. It reports whether it took the
// line. Evidence: Cursor, seen in the wild.
//
//	make this blue DOM Path: div#root > main.flex > button.primary
//	Position: top=47px, left=400px, width=96px, height=23px
//	React Component: Toolbar
//	HTML Element: <button class="primary">Save</button> and wider
func (p *projector) points(at, end int) bool {
	line := p.text[at:end]
	i := strings.Index(line, "DOM Path: ")
	found := i >= 0 && strings.Contains(line[i:], " > ")
	if found {
		p.pointed = true
		end = at + i
		line = p.text[at:end]
	}
	switch trimmed := strings.TrimLeft(line, " \t"); {
	case !p.pointed:
		return false
	case strings.HasPrefix(trimmed, "Position: top="), strings.HasPrefix(trimmed, "React Component: "):
	case strings.HasPrefix(trimmed, "HTML Element: <"):
		p.line(at+behindElement(line), end)
	case !found:
		return false
	default:
		p.line(at, end)
	}
	return true
}

// behindElement returns where the element ends that a line begins with: behind the last tag
// that closes one. A line without any is the element's as a whole.
func behindElement(line string) int {
	shut := strings.LastIndex(line, "</")
	if shut < 0 {
		if shut = strings.LastIndex(line, "/>"); shut < 0 {
			return len(line)
		}
	}
	if n := strings.IndexByte(line[shut:], '>'); n >= 0 {
		return shut + n + 1
	}
	return len(line)
}
