package prose

import "strings"

// points handles the description of an element that the person picked in an editor's browser.
// The editor inserts it between typed words. points reports whether it handled the line.
// Evidence: Cursor, seen in the wild. Below, only "make this blue" and "and wider" are typed:
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

// behindElement returns the end of the element at the beginning of a line: after the last
// closing tag. A line without one belongs to the element as a whole.
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
