package doctor

import (
	"context"
	"os"
	"strings"

	"github.com/memscribe/memscribe/internal/app/hooksettings"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/app/toolsettings"
	"github.com/memscribe/memscribe/internal/human"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// checkHooks reports which tools have hooks, and which have hooks that no longer work. Hooks
// are optional: that none is installed is no problem.
func (e *examination) checkHooks() {
	files, err := hooksettings.Files(e.setup.Machine, hooksettings.Options{Home: e.Places.Home, StateDir: e.StateDir}, nil)
	if err != nil {
		e.add("hooks", Doubt, "let yourself read it", "%v", err)
		return
	}
	program, err := os.Executable()
	if err != nil {
		return
	}
	var with, without []string
	for i := range files {
		f := &files[i]
		if !f.Used() {
			continue
		}
		entries, err := f.Entries(program, f.State, f.Answering())
		if err != nil {
			return
		}
		switch state := f.Standing(entries); state {
		case toolsettings.Installed:
			with = append(with, string(f.Tool))
		case toolsettings.Missing:
			without = append(without, string(f.Tool))
		case toolsettings.Unreadable:
			e.add("hooks", Doubt, "correct it, or hooks can be neither put in nor taken out", "%s: %s cannot be read as settings", f.Tool, f.Path)
		default:
			e.add("hooks", Doubt, "'memscribe hooks install "+string(f.Tool)+"' has them run this program", "%s: hooks are %s, in %s", f.Tool, state, f.Path)
		}
	}
	if len(with)+len(without) == 0 {
		return
	}
	said := func(tools []string) string {
		if len(tools) == 0 {
			return "none"
		}
		return strings.Join(tools, ", ")
	}
	e.add("hooks", OK, "", "installed: %s; not installed: %s (nothing needs them)", said(with), said(without))
}

// checkMemories verifies the chain of a database of memories, if there is one.
//
// A file of more than 256 MiB is only verified with --deep, since all of it is read.
func (e *examination) checkMemories(ctx context.Context) {
	place := target.MemoryPlace{StateDir: e.StateDir}
	name, state, err := place.Resolve(e.setup.Machine)
	if err != nil {
		return // another check reports an unknown folder
	}
	info, err := os.Stat(name)
	if err != nil {
		return
	}
	const most = 256 << 20 // takes seconds
	if info.Size() > most && !e.Deep {
		e.add("memdb", Note, "'memscribe memdb verify', or doctor --deep, does", "%s has %s: its chain was not walked", name, human.Size(info.Size()))
		return
	}
	r, err := store.VerifyFile(ctx, name, store.VerifyOptions{StateDir: state, Pages: e.Deep})
	switch {
	case err != nil:
		e.add("memdb", Wrong, "move it away and bring back a copy, or have watch make another", "%v", err)
	case !r.OK:
		e.add("memdb", Wrong, "trust nothing in it before you know who wrote there; 'memscribe memdb verify' says more", "%s: the chain is bad: %s: %s", name, r.Fault.Reason, r.Fault.Detail)
	default:
		e.add("memdb", OK, "", "%s: the chain is good: %d entries, %d memories", name, r.Length, r.Memories)
	}
}
