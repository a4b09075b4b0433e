package nodedb

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Relations of the links of memories. No binding has them: they follow from the
// store, the key and the order of time.
const (
	// Planted links a read of a memory with a write before it that may have planted
	// what was read.
	Planted = "planted"
	// ReadLater links a write of a memory with a read after it.
	ReadLater = "read_later"
)

// Memories returns the calls by which agents wrote to memories of their own and
// read from them, edits of the files that they are given among them, the newest
// first: of a store, and of a key in it, or with "" of all.
//
// The links of a read are the writes that may have planted what was read, those of
// a write the reads after it.
func (r *Reader) Memories(ctx context.Context, store, key string, f Filter, p Page) (Answer, error) {
	return r.newest(ctx, memories(store, key), f, p)
}

// memories returns the list of reads and writes of agents' memories.
func memories(store, key string) list {
	l := list{what: "memories", trace: true, index: "nodes_memory", where: []string{"memory_action IS NOT NULL"}}
	if store != "" {
		l.where, l.args = append(l.where, "memory_store = ?"), append(l.args, store)
	}
	if key != "" {
		l.where, l.args = append(l.where, "memory_key = ?"), append(l.args, key)
	}
	return l
}

// trace links the nodes that are calls about memories with those before or after
// them.
//
// At most 20 links a node, the nearest in time.
func (v view) trace(ctx context.Context, nodes []Node) error {
	ids := map[string][]string{}
	at := map[string]int{}
	for i := range nodes {
		at[nodes[i].ID] = i
		ids[nodes[i].Memory.Action] = append(ids[nodes[i].Memory.Action], nodes[i].ID)
	}
	for _, action := range []string{"memory_read", "memory_write"} {
		if len(ids[action]) == 0 {
			continue
		}
		q, err := traceOf(action, ids[action])
		if err != nil {
			return err
		}
		found, err := schema.Collect(ctx, v, scanTrace, q.SQL, q.Args...)
		if err != nil {
			return err
		}
		attach(nodes, at, found)
	}
	return nil
}

// traceOf returns the question for the other ends of calls of one action. Who reads all
// of a store reads every key of it, up to the last character that there is.
func traceOf(action string, ids []string) (Query, error) {
	relation, others := Planted, `SELECT n FROM nodes WHERE memory_store = c.memory_store AND memory_action = 'memory_write'
		AND memory_key BETWEEN c.memory_key AND iif(c.memory_key = '', char(1114111), c.memory_key) AND n < c.n`
	if action == "memory_write" {
		relation, others = ReadLater, `SELECT n FROM nodes WHERE memory_store = c.memory_store AND memory_action = 'memory_read'
		AND memory_key IN (c.memory_key, '') AND n > c.n`
	}
	list, err := json.Marshal(ids)
	return Query{
		SQL: `SELECT wanted.value, o.id, o.kind, '` + relation + `', coalesce(o.timestamp, ''), ` + said("o") + `, coalesce(o.path, ''),
		  coalesce(o.change, ''), o.source, o.session
		FROM json_each(?) AS wanted
		  CROSS JOIN nodes AS c ON c.id = wanted.value
		  CROSS JOIN nodes AS o ON o.n IN (` + others + ` ORDER BY n DESC LIMIT ` + strconv.Itoa(MaxLinks) + `)
		ORDER BY wanted.key, o.n DESC`,
		Args: []any{string(list)},
	}, err
}
