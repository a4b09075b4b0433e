package setup

import (
	"errors"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/adapters/described"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/config"
)

// ownKeys returns the settings that describe a tool without an adapter.
func ownKeys() []config.Key {
	return []config.Key{
		{Name: "tools[].name", About: "of the tool, as it stands in events and nodes", Example: `"inhouse"`},
		{Name: "tools[].paths", Kind: config.Texts, About: "patterns of its transcripts, logs of JSON or databases of SQLite; ** stands for any number of folders", Example: `["~/.inhouse/sessions/*.jsonl"]`},
		{Name: "tools[].table", About: "of a database: the table whose rows are the records; pointers begin with a column of it", Example: `"messages"`},
		{Name: "tools[].order", About: "of a database: the column by which rows are sorted; without one, as they were written", Example: `"created_at"`},
		{Name: "tools[].role", About: "JSON pointer to who speaks, in a record", Example: `"/who"`},
		{Name: "tools[].user", Kind: config.Texts, About: "roles of a person (user, human)", Example: `["user"]`},
		{Name: "tools[].assistant", Kind: config.Texts, About: "roles of the model (assistant, model, agent)", Example: `["bot"]`},
		{Name: "tools[].text", About: "pointer to what is said", Example: `"/words"`},
		{Name: "tools[].time", About: "pointer to when: a text, or seconds or milliseconds since 1970", Example: `"/at"`},
		{Name: "tools[].session", About: "pointer to the session's id; without one it is the file's name", Example: `"/run"`},
		{Name: "tools[].cwd", About: "pointer to the folder of work", Example: `"/dir"`},
		{Name: "tools[].model", About: "pointer to the model's name"},
		{Name: "tools[].id", About: "pointer to the record's own id"},
		{Name: "tools[].call", About: "pointer to the id of a call, where it is made", Example: `"/call/id"`},
		{Name: "tools[].tool", About: "pointer to the name of the tool that is called", Example: `"/call/name"`},
		{Name: "tools[].args", About: "pointer to the arguments of the call"},
		{Name: "tools[].path", About: "pointer to the file that a call edits", Example: `"/call/file"`},
		{Name: "tools[].old", About: "pointer to the string that is replaced", Example: `"/call/old"`},
		{Name: "tools[].new", About: "pointer to the string that replaces it", Example: `"/call/new"`},
		{Name: "tools[].content", About: "pointer to all that the file holds then", Example: `"/call/content"`},
		{Name: "tools[].command", About: "pointer to the shell command that a call runs"},
		{Name: "tools[].result", About: "pointer to the id of a call, where it is answered; without one, records of calls say what was done", Example: `"/result/id"`},
		{Name: "tools[].error", About: "pointer to what is there if a call failed", Example: `"/result/error"`},
		{Name: "tools[].kind", About: "pointer to the kind of a record", Example: `"/type"`},
		{Name: "tools[].ignore", Kind: config.Texts, About: "kinds that tell nothing of the conversation", Example: `["ping"]`},
	}
}

// readOwn reads the descriptions of tools in a file. A name that an adapter or another description
// has is a problem; the other descriptions are still read.
func (s *Setup) readOwn(d *config.Document) config.Problems {
	var found config.Problems
	s.Own = nil
	for _, at := range d.Tables("tools") {
		text := func(name string) string { return d.Text(at + "." + name) }
		list := func(name string) []string { return d.Texts(at + "." + name) }
		own := described.Description{
			Name: text("name"), Kind: text("kind"), Ignore: list("ignore"), ID: text("id"), Session: text("session"), Time: text("time"),
			Cwd: text("cwd"), Model: text("model"), Role: text("role"), User: list("user"), Assistant: list("assistant"), Text: text("text"),
			Call: text("call"), Tool: text("tool"), Args: text("args"), Path: text("path"), Old: text("old"), New: text("new"),
			Table: text("table"), Order: text("order"), Content: text("content"), Command: text("command"), Result: text("result"), Error: text("error"),
		}
		for _, pattern := range list("paths") {
			p, err := s.Settings.Path(pattern)
			if err != nil {
				found = append(found, d.Problem(at+".paths", "%s: %v", at+".paths", err))
			}
			own.Paths = append(own.Paths, p)
		}
		if _, known := adapters.ByTool(core.Tool(own.Name)); known || s.describes(own.Name) {
			found = append(found, d.Problem(at+".name", "%s: there is another tool called %q", at+".name", own.Name))
			continue
		}
		adapter, err := described.New(own)
		if e, ok := errors.AsType[*described.FieldError](err); ok {
			found = append(found, d.Problem(at+"."+e.Field, "%s: %v", at+"."+e.Field, e.Err))
			continue
		}
		s.Own = append(s.Own, adapter)
	}
	return found
}

// describes reports whether the settings describe a tool with this name.
func (s *Setup) describes(name string) bool {
	for _, own := range s.Own {
		if string(own.Tool()) == name {
			return true
		}
	}
	return false
}
