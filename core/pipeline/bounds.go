package pipeline

import (
	"cmp"
	"fmt"

	"github.com/memscribe/memscribe/core"
)

// maxEdit is the default of Options.MaxEdit.
const maxEdit = 8 << 20

// bounds replaces overlong values in events. The zero value is ready to use.
type bounds struct {
	maxEdit int           // the longest diff; 0 is the default
	project *core.Project // the latest project
	bounded *core.Project // the same without overlong values
	value   string        // the latest overlong value of a project
	ids     [6]replacedID // the latest overlong id of each kind
	model   string        // the latest overlong model
}

// replacedID is an overlong id and its replacement.
type replacedID struct{ id, replacement string }

// bound replaces overlong ids in an event by their hash, and removes other overlong values.
// An edit of an overlong path loses its body, since no system has such a file, and so does one
// with an overlong diff: its node would take many times as much until a sink has it. It returns
// a complaint for a value that it has not seen before.
func (b *bounds) bound(ev *core.Event) (complaint string) {
	back := new(string)
	if rewind, ok := ev.Body.(*core.Rewind); ok {
		back = &rewind.ToEvent
	}
	for i, id := range [...]*string{&ev.Session, &ev.Thread, &ev.ID, &ev.ParentID, &ev.CopyOf, back} {
		if len(*id) > core.MaxContext {
			if b.ids[i].id != *id {
				b.ids[i] = replacedID{*id, core.BoundedID(*id)}
				complaint = overlong([...]string{"session", "thread", "id", "parent", "original", "aim"}[i], *id)
			}
			*id = b.ids[i].replacement
		}
	}
	switch body := ev.Body.(type) {
	case *core.AssistantTurn:
		if len(body.Model) > core.MaxContext {
			if b.model != body.Model {
				b.model = body.Model
				complaint = overlong("model", body.Model)
			}
			body.Model = ""
		}
	case *core.FileEdit:
		if path := max(len(body.Diff.Path), len(body.Diff.OldPath)); path > core.MaxContext {
			complaint = fmt.Sprintf("an edit of a path of %d bytes, over the limit of %d: not taken for one", path, core.MaxContext)
			ev.Body = nil
		} else if size, most := sizeOf(&body.Diff), cmp.Or(b.maxEdit, maxEdit); size > most {
			complaint = fmt.Sprintf("an edit of %d bytes, over the limit of %d: not taken for one", size, most)
			ev.Body = nil
		}
	}
	if ev.Project != b.project {
		b.project = ev.Project
		b.bounded = ev.Project.Bounded()
		if what, value := longest(ev.Project); len(value) > core.MaxContext && value != b.value {
			b.value = value
			complaint = overlong(what, value)
		}
	}
	ev.Project = b.bounded
	return complaint
}

// sizeOf returns how long a diff is, or the texts of the call that it comes from if they are longer.
func sizeOf(d *core.Diff) int {
	told := 0
	for _, text := range [...]*string{d.Old, d.New} {
		if text != nil {
			told += len(*text)
		}
	}
	return max(len(d.Unified), told)
}

// longest returns the longest value of a project and its name.
func longest(p *core.Project) (what, value string) {
	if p == nil {
		return "", ""
	}
	for _, v := range [...]struct{ what, value string }{
		{"folder", p.Cwd}, {"repository", p.RepoRoot}, {"commit", p.Git.SHA}, {"branch", p.Git.Branch},
	} {
		if len(v.value) > len(value) {
			what, value = v.what, v.value
		}
	}
	return what, value
}

// overlong is the reason for which a field is left out that no tool makes so long.
func overlong(what, value string) string {
	return fmt.Sprintf("its %s has %d bytes, over the limit of %d: taken for unknown", what, len(value), core.MaxContext)
}
