package memory

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// knownTool is a tool of a server that is known by the tool's name alone.
type knownTool struct {
	name   string
	action core.MemoryAction
	// list is the member that lists the memories, and mark the member that those
	// have; "" is for a list of names. Without either, only the server's name tells
	// the tool from another of the same name.
	list, mark string
	store      string // where the name of the tool does not name its server
}

// knownTools returns those of the reference server for memories, a graph of entities,
// and of the memory bank, whatever these servers are called.
func knownTools() [12]knownTool {
	w, r := core.MemoryWrite, core.MemoryRead
	return [12]knownTool{
		{name: "create_entities", action: w, list: "entities", mark: "entityType"},
		{name: "create_relations", action: w, list: "relations", mark: "relationType"},
		{name: "add_observations", action: w, list: "observations", mark: "entityName"},
		{name: "delete_entities", action: w, list: "entityNames"},
		{name: "delete_observations", action: w, list: "deletions", mark: "entityName"},
		{name: "delete_relations", action: w, list: "relations", mark: "relationType"},
		{name: "open_nodes", action: r, list: "names"},
		{name: "read_graph", action: r},
		{name: "search_nodes", action: r},
		{name: "memory_bank_read", action: r, store: "memory-bank"},
		{name: "memory_bank_write", action: w, store: "memory-bank"},
		{name: "memory_bank_update", action: w, store: "memory-bank"},
	}
}

// known returns what a tool that is known does; other servers have tools of the same
// names (graphs of charts and of workflows have nodes, too).
func known(server, tool string, args jsondoc.Value) (knownTool, bool) {
	for _, k := range knownTools() {
		if k.name == tool {
			return k, k.store != "" || keepsKnowledge(server) || k.fits(server, args)
		}
	}
	return knownTool{}, false
}

// fits reports whether the arguments are those of a tool of the reference server.
func (k *knownTool) fits(server string, args jsondoc.Value) bool {
	switch k.name {
	case "read_graph":
		return server == "" && args.Len() == 0
	case "search_nodes":
		return server == "" && args.Get("query").Kind() == jsondoc.String
	}
	list := args.Get(k.list)
	for e := range list.Elems() {
		if k.mark != "" {
			e = e.Get(k.mark)
		}
		if e.Kind() != jsondoc.String {
			return false
		}
	}
	return list.Len() > 0
}
