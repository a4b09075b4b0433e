package pipeline_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestForkByReference has a session go on from the middle of another one, and a
// third from the middle of that: their edits carry out what was decided before
// each fork and nothing that was decided after it, in whatever order the three are
// read.
func TestForkByReference(t *testing.T) {
	old := usePostgres + `{"e":"end","id":"s1/7","anchor":true,"at":4}
{"e":"user","id":"u9","at":5,"t":"Let's use Redis instead of memcached for the sessions."}
`
	fork := `{"s":"s2","e":"start","id":"s2","base":{"s":"s1","id":"s1/7"},"at":10}
{"s":"s2","e":"user","id":"f1","at":11,"t":"Please write it."}
{"s":"s2","e":"call","c":"c1","n":"Edit","at":12}
{"s":"s2","e":"edit","c":"c1","at":13,"path":"src/db.js","lines":"-mysql\n+postgres\n"}
{"s":"s2","e":"call","c":"c2","n":"Edit","at":14}
{"s":"s2","e":"edit","c":"c2","at":15,"path":"src/s.js","lines":"-memcached\n+redis\n"}
{"s":"s2","e":"end","id":"s2/9","anchor":true,"at":16}
`
	again := `{"s":"s3","e":"start","id":"s3","base":{"s":"s2","id":"s2/9"},"at":20}
{"s":"s3","e":"user","id":"g1","at":21,"t":"Let's use port 8080 instead of 80 for the server."}
{"s":"s3","e":"call","c":"c3","n":"Edit","at":22}
{"s":"s3","e":"edit","c":"c3","at":23,"path":"src/port.js","lines":"-80\n+8080\n"}
{"s":"s3","e":"user","id":"g2","at":24,"t":"Please go over the queries as well."}
{"s":"s3","e":"call","c":"c4","n":"Edit","at":25}
{"s":"s3","e":"edit","c":"c4","at":26,"path":"src/query.js","lines":"-mysql.query\n+postgres.query\n"}
`
	want := `decision Let's use Postgres
decision Let's use Redis
decision Let's use port
edit c1 src/db.js
edit c1 src/db.js: derived_from turn Please write it. (same_arc)
edit c1 src/db.js: produced decision Let's use Postgres (shared_identifier)
edit c2 src/s.js
edit c2 src/s.js: derived_from turn Please write it. (same_arc)
edit c3 src/port.js
edit c3 src/port.js: produced decision Let's use port (same_arc)
edit c4 src/query.js
edit c4 src/query.js: derived_from turn Please go over (same_arc)
edit c4 src/query.js: produced decision Let's use Postgres (shared_identifier)
`
	for _, order := range [][]string{
		{old, fork, again}, {old, again, fork}, {fork, old, again}, {fork, again, old}, {again, old, fork}, {again, fork, old},
	} {
		if diff := cmp.Diff(want, summary(run(t, order...))); diff != "" {
			t.Errorf("nodes (-want +got):\n%s", diff)
		}
	}
}
