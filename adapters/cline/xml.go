package cline

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// tools are the names that elements have which are calls (source).
const tools = " execute_command read_file write_to_file replace_in_file search_files list_files list_code_definition_names browser_action " +
	"use_mcp_tool access_mcp_resource ask_followup_question load_mcp_documentation new_task condense new_rule report_bug web_fetch " +
	"web_search focus_chain use_skill use_subagents generate_explanation apply_diff insert_content search_and_replace apply_patch " +
	"update_todo_list switch_mode fetch_instructions codebase_search "

// spoken says in which elements the model speaks to the person (recorded 2.18.0,
// source): what is in the inner one is said.
func spoken(name string) (inner string, ok bool) {
	switch name {
	case "attempt_completion":
		return "result", true
	case "plan_mode_respond", "plan_mode_response":
		return "response", true
	}
	return "", false
}

// longestName bounds how far a name is looked for.
const longestName = 48

// parseCalls takes the calls out of an answer.
func parseCalls(text string) (words string, calls []call) {
	var b strings.Builder
	for {
		name, at, end := nextElement(text)
		if at < 0 {
			b.WriteString(text)
			return b.String(), calls
		}
		b.WriteString(text[:at])
		body := text[at+len(name)+2 : end]
		if inner, ok := spoken(name); ok {
			said, _ := inside(body, inner)
			b.WriteString(said)
		} else {
			calls = append(calls, call{name: name, args: arguments(body)})
		}
		text = strings.TrimPrefix(text[end:], "</"+name+">")
	}
}

// nextElement finds the first element that is a call or an answer, and where its
// body ends. One that was cut off ends with the text.
func nextElement(text string) (name string, at, end int) {
	for from := 0; from < len(text); {
		i := strings.IndexByte(text[from:], '<')
		if i < 0 {
			break
		}
		at = from + i
		stop := strings.IndexByte(text[at:min(len(text), at+longestName)], '>')
		if stop < 0 {
			from = at + 1
			continue
		}
		name = text[at+1 : at+stop]
		_, answer := spoken(name)
		if answer || name != "" && !strings.Contains(name, " ") && strings.Contains(tools, " "+name+" ") {
			if end = strings.Index(text[at:], "</"+name+">"); end < 0 {
				return name, at, len(text)
			}
			return name, at, at + end
		}
		from = at + 1
	}
	return "", -1, 0
}

// arguments makes JSON of the elements in the body of a call. The last one may
// hold anything, also what looks like an end.
func arguments(body string) []byte {
	out := []byte{'{'}
	for {
		open := strings.IndexByte(body, '<')
		stop := strings.IndexByte(body, '>')
		if open < 0 || stop < open {
			break
		}
		name := body[open+1 : stop]
		rest := body[stop+1:]
		end := strings.Index(rest, "</"+name+">")
		if name == "content" || name == "diff" {
			end = strings.LastIndex(rest, "</"+name+">")
		}
		after := ""
		if end < 0 {
			end = len(rest)
		} else {
			after = rest[end+len(name)+3:]
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(jsondoc.AppendQuoteString(out, name), ':')
		out = jsondoc.AppendQuoteString(out, strings.TrimSuffix(strings.TrimPrefix(rest[:end], "\n"), "\n"))
		body = after
	}
	return append(out, '}')
}

// pairs are the replacements that a call asks for.
func pairs(args jsondoc.Value) []edit.Pair {
	if search := args.Get("search"); search.Exists() {
		return []edit.Pair{{Before: search.Str(), After: args.Get("replace").Str()}}
	}
	return blocksOf(args.Get("diff").Str())
}

// blocksOf reads blocks of SEARCH and REPLACE. The lines around them have been
// written in two ways (recorded 2.18.0; source, before 3.9).
func blocksOf(diff string) []edit.Pair {
	var all []edit.Pair
	var now edit.Pair
	state := 0
	for line := range strings.Lines(diff) {
		mark := strings.TrimRight(line, " \r\n")
		switch {
		case state == 0 && isMark(mark, "<-", "SEARCH"):
			state, now = 1, edit.Pair{}
		case state == 1 && len(mark) >= 3 && strings.Trim(mark, "=") == "":
			state = 2
		case state == 2 && isMark(mark, ">+", "REPLACE"):
			all, state = append(all, now), 0
		case state == 1 && now.Before == "" && (strings.HasPrefix(mark, ":start_line:") || mark == "-------"): // Roo Code
		case state == 1:
			now.Before += line
		case state == 2:
			now.After += line
		}
	}
	return all
}

// isMark reports whether a line is a row of one of the characters and a word.
func isMark(line, row, word string) bool {
	head, ok := strings.CutSuffix(line, " "+word)
	return ok && len(head) >= 3 && strings.Trim(head, row) == ""
}
