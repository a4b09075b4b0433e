package pipeline_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// strands is a session that two processes go on with behind its second event: the
// one takes Redis, the other Kafka, in turns; and both know of Postgres.
const strands = `{"e":"user","id":"u1","t":"Let's use Postgres instead of MySQL for the orders service."}
{"e":"say","id":"a1","t":"Fine."}
{"e":"user","id":"u2","t":"Let's use Redis instead of memcached for the sessions."}
{"e":"call","c":"c1","n":"Edit"}
`

// TestStrandsApart has each of two processes carry out what was decided on its own
// strand or before, and never what the other one heard.
func TestStrandsApart(t *testing.T) {
	got := summary(run(t, strands+`{"e":"user","id":"u3","strand":{"no":1,"at":1},"t":"Let's use Kafka instead of RabbitMQ for the queue."}
{"e":"edit","c":"c1","path":"src/a.js","lines":"-memcached\n+redis\n"}
{"e":"user","id":"u4","strand":{"no":1,"at":1},"t":"Please go over the rest."}
{"e":"call","c":"c2","n":"Edit","strand":{"no":1,"at":1}}
{"e":"edit","c":"c2","strand":{"no":1,"at":1},"path":"src/b.js","lines":"-memcached\n+redis\n"}
{"e":"call","c":"c3","n":"Edit","strand":{"no":1,"at":1}}
{"e":"edit","c":"c3","strand":{"no":1,"at":1},"path":"src/c.js","lines":"-mysql\n+postgres\n"}
{"e":"call","c":"c4","n":"Edit"}
{"e":"edit","c":"c4","path":"src/d.js","lines":"-rabbitmq\n+kafka\n"}
`))
	want := `decision Let's use Kafka
decision Let's use Postgres
decision Let's use Redis
edit c1 src/a.js
edit c1 src/a.js: produced decision Let's use Redis (same_arc)
edit c2 src/b.js
edit c2 src/b.js: derived_from turn Please go over (same_arc)
edit c3 src/c.js
edit c3 src/c.js: produced decision Let's use Postgres (shared_identifier)
edit c4 src/d.js
edit c4 src/d.js: produced decision Let's use Redis (same_arc)
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
}

// TestVoided takes a rewind back: what it superseded stands, the edits of the strand
// that goes on carry it out, and those of the other one still do not.
func TestVoided(t *testing.T) {
	got := summary(run(t, strands+`{"e":"edit","c":"c1","path":"src/a.js","lines":"-memcached\n+redis\n"}
{"e":"say","id":"a2","t":"Shall I name it sessions_v2?"}
{"e":"rewind","id":"r","to":"a1","seq":1}
{"e":"user","id":"u3","t":"Let's use Kafka instead of RabbitMQ for the queue."}
{"e":"user","id":"u4","strand":{"no":1,"at":5,"voids":"r"},"t":"yes, do that"}
{"e":"call","c":"c2","n":"Edit","strand":{"no":1,"at":5}}
{"e":"edit","c":"c2","strand":{"no":1,"at":5},"path":"src/b.js","lines":"-memcached\n+redis\n"}
{"e":"call","c":"c3","n":"Edit"}
{"e":"edit","c":"c3","path":"src/c.js","lines":"-memcached\n+redis\n"}
`))
	want := `decision Let's use Kafka
decision Let's use Postgres
decision Let's use Redis
decision Shall I name
edit c1 src/a.js
edit c1 src/a.js: produced decision Let's use Redis (same_arc)
edit c2 src/b.js
edit c2 src/b.js: produced decision Shall I name (same_arc)
edit c3 src/c.js
edit c3 src/c.js: produced decision Let's use Kafka (same_arc)
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
}

// TestStrandTakenBack supersedes what no strand holds any more, and nothing else.
func TestStrandTakenBack(t *testing.T) {
	tests := []struct{ name, more, want string }{
		{"by one of two", `{"e":"user","id":"u3","strand":{"no":1,"at":2},"t":"Let's use Kafka instead of RabbitMQ for the queue."}
{"e":"rewind","id":"r","strand":{"no":1,"at":2},"to":"a1","seq":1}
`, "decision Let's use Kafka (superseded by r)\ndecision Let's use Postgres\ndecision Let's use Redis\n"},
		{"by both", `{"e":"user","id":"u3","strand":{"no":1,"at":2},"t":"Let's use Kafka instead of RabbitMQ for the queue."}
{"e":"rewind","id":"r1","strand":{"no":1,"at":2},"to":"a1","seq":1}
{"e":"rewind","id":"r2","to":"a1","seq":1}
`, "decision Let's use Kafka (superseded by r1)\ndecision Let's use Postgres\ndecision Let's use Redis (superseded by r2)\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, summary(run(t, strands+tt.more))); diff != "" {
				t.Errorf("nodes (-want +got):\n%s", diff)
			}
		})
	}
}
