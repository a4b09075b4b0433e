package pipeline_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestForkBetween has a session go on from a point at which a decision had just been
// revoked, before a rewind took the revocation back and the same happened once more:
// its edit hangs on what held at that point, whichever of the two is read first.
func TestForkBetween(t *testing.T) {
	const once = `{"e":"user","id":"u1","at":1,"t":"Let's use Postgres instead of MySQL for the orders."}
{"e":"say","id":"a1","at":2,"t":"Done."}
{"e":"user","id":"u2","at":3,"t":"Actually, revert that: drop Postgres, use SQLite instead."}
{"e":"end","id":"s1/mid","anchor":true,"at":4}
{"e":"rewind","id":"r1","to":"a1","seq":1,"at":5}
`
	const twice = once + `{"e":"user","id":"u3","at":6,"t":"Actually, revert that: drop Postgres, use DuckDB instead."}
{"e":"rewind","id":"r2","to":"a1","seq":1,"at":7}
`
	const fork = `{"s":"s2","e":"start","id":"s2","base":{"s":"s1","id":"s1/mid"},"at":10}
{"s":"s2","e":"user","id":"f1","at":11,"t":"Please write it."}
{"s":"s2","e":"call","c":"c1","n":"Edit","at":12}
{"s":"s2","e":"edit","c":"c1","at":13,"path":"src/db.js","lines":"-mysql\n+postgres\n"}
`
	const bound = `edit c1 src/db.js
edit c1 src/db.js: derived_from turn Please write it. (same_arc)
edit c1 src/db.js: produced decision Actually, revert that: (shared_identifier)
`
	for old, decided := range map[string]string{
		once: "decision Actually, revert that: (superseded by r1)\ndecision Let's use Postgres\n",
		twice: "decision Actually, revert that: (superseded by r1)\ndecision Actually, revert that: (superseded by r2)\n" +
			"decision Let's use Postgres\n",
	} {
		for _, order := range [][]string{{old, fork}, {fork, old}} {
			if diff := cmp.Diff(decided+bound, summary(run(t, order...))); diff != "" {
				t.Errorf("nodes (-want +got):\n%s", diff)
			}
		}
	}
}

// TestCutBefore has a session that goes on elsewhere before a point of an old file in
// which more follows: a revocation, and a rewind of its own. What supersedes what is
// the same whichever file is read first.
func TestCutBefore(t *testing.T) {
	const old = `{"e":"say","id":"a0","anchor":true,"at":1,"t":"Ready."}
{"e":"user","id":"u1","at":2,"t":"Let's use Postgres instead of MySQL for the orders."}
{"e":"say","id":"a1","at":3,"t":"Done."}
{"e":"user","id":"u2","at":4,"t":"Actually, revert that: drop Postgres, use SQLite instead."}
{"e":"end","id":"s1/mid","anchor":true,"at":5}
`
	const rewound = old + `{"e":"rewind","id":"r1","to":"a1","seq":2,"at":6}
`
	const on = `{"e":"rewind","id":"r9","to":"a0","elsewhere":true,"at":9}
`
	const fork = `{"s":"s2","e":"start","id":"s2","base":{"s":"s1","id":"s1/mid"},"at":10}
{"s":"s2","e":"user","id":"f1","at":11,"t":"Please write it."}
{"s":"s2","e":"call","c":"c1","n":"Edit","at":12}
{"s":"s2","e":"edit","c":"c1","at":13,"path":"src/db.js","lines":"-mysql\n+postgres\n"}
`
	const bound = `edit c1 src/db.js
edit c1 src/db.js: derived_from turn Please write it. (same_arc)
edit c1 src/db.js: produced decision Actually, revert that: (shared_identifier)
`
	for stream, decided := range map[string]string{
		old:     "decision Actually, revert that: (superseded by r9)\ndecision Let's use Postgres (superseded by r9)\n",
		rewound: "decision Actually, revert that: (superseded by r1)\ndecision Let's use Postgres (superseded by r9)\n",
	} {
		for _, order := range [][]string{
			{stream, on, fork}, {stream, fork, on}, {on, stream, fork}, {on, fork, stream}, {fork, stream, on}, {fork, on, stream},
		} {
			if diff := cmp.Diff(decided+bound, summary(run(t, order...))); diff != "" {
				t.Errorf("nodes (-want +got):\n%s", diff)
			}
		}
	}
}
