package opencode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/opencode"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// logTable is the log that later databases have.
const logTable = `CREATE TABLE event (id text PRIMARY KEY, aggregate_id text NOT NULL, seq integer NOT NULL, type text NOT NULL, data text NOT NULL);
`

// logged are records of the log, at moments of their own.
func logged(session string, records ...string) string {
	var b strings.Builder
	b.WriteString(logTable)
	for i, r := range records {
		at, kind, data := 0, "", ""
		if n, err := fmt.Sscanf(r, "%d %s ", &at, &kind); n != 2 || err != nil {
			panic(r)
		}
		data = r[strings.Index(r, "{"):]
		fmt.Fprintf(&b, "INSERT INTO event VALUES ('evt_%09x%03x', '%s', %d, '%s', '%s');\n", at, i, session, i, kind, data)
	}
	return b.String()
}

// TestDeleted: what a rewind has deleted, and the rewind, the log still says; what
// was deleted without one was not taken back; a message that was made within the
// moment of the rewind comes after it.
func TestDeleted(t *testing.T) {
	const (
		made    = `%d message.updated.1 {"sessionID":"ses_a","info":{"id":"msg_%d","sessionID":"ses_a","role":"user","time":{"created":%d}}}`
		part    = `%d message.part.updated.1 {"sessionID":"ses_a","part":{"id":"prt_%d","sessionID":"ses_a","messageID":"msg_%d","type":"text","text":"%s"},"time":1}`
		back    = `%d session.updated.1 {"sessionID":"ses_a","info":{"id":"ses_a","revert":{"messageID":"msg_%d"}}}`
		onwards = `%d session.updated.1 {"sessionID":"ses_a","info":{"id":"ses_a"}}`
		removed = `%d message.removed.1 {"sessionID":"ses_a","messageID":"msg_%d"}`
	)
	f := fmt.Sprintf
	read(t, session("ses_a", ") VALUES ('t', '1', 1, 1")+
		message("msg_1", "ses_a", 10, user(10), said("one"))+message("msg_4", "ses_a", 41, user(41), said("four"))+message("msg_6", "ses_a", 70, user(70), said("six"))+
		logged("ses_a",
			f(made, 10, 1, 10), f(part, 10, 1, 1, "one"),
			f(made, 20, 2, 20), f(part, 20, 2, 2, "tw"), f(part, 21, 2, 2, "two"),
			f(made, 30, 3, 30), f(part, 30, 3, 3, "three"),
			f(back, 40, 2), f(removed, 41, 2), f(removed, 41, 3), f(onwards, 42),
			f(made, 41, 4, 41), f(made, 50, 5, 50), f(part, 50, 5, 5, "five"), f(removed, 60, 5),
		), `# ses_a
start ses_a /w 
user "one"
user "two"
user "three"
rewind to prt_1_0
user "four"
user "five"
user "six"
`)
}

// TestDeletedForked: a message of which a fork still has the copy stands there alone.
func TestDeletedForked(t *testing.T) {
	read(t, session("ses_b", ") VALUES ('t', '1', 1, 1")+session("ses_a", ") VALUES ('f', '1', 5000, 5")+
		message("msg_00000000a000", "ses_b", 10, user(10), said("one"))+message("msg_00000001e000", "ses_b", 30, user(30), said("three"))+
		message("msg_000001388000", "ses_a", 10, user(10), said("one"))+message("msg_000001388001", "ses_a", 20, user(20), said("two"))+
		logged("ses_b",
			`20 message.updated.1 {"info":{"id":"msg_000000014000","role":"user","time":{"created":20}}}`,
			`20 message.part.updated.1 {"part":{"id":"prt_2","messageID":"msg_000000014000","type":"text","text":"two"}}`,
			`25 session.updated.1 {"info":{"revert":{"messageID":"msg_000000014000"}}}`,
			`26 message.removed.1 {"messageID":"msg_000000014000"}`,
		), `# ses_b
start ses_b /w 
user "one"
user "three"
# ses_a
start ses_a /w 
user "one" copy of prt_00000000a000_0
user "two"
`)
}

// TestPutBack: after a rewind the files are what they were if a part says that
// something was kept of them, and else as the model left them.
func TestPutBack(t *testing.T) {
	for _, c := range []struct{ name, part, then string }{
		// Only the files of the patch are put back, so that no other is known for sure.
		{"put back", `{"type":"patch","hash":"h","files":["/w/a"]}`, "write /w/a by \"c\"\n--- a/w/a\n+++ b/w/a\n@@ -0,0 +1 @@\n+three\n"},
		{"left", `{"type":"step-finish"}`, "@@ -1 +1 @@\n-two\n+three\n"},
	} {
		write := func(text string) string {
			return tool("write", `{"filePath":"a","content":"`+text+`\n"}`, `{"exists":true}`)
		}
		got := adaptertest.Tale(t, opencode.Adapter{}, "/d/storage/session/p/ses_a.json", rows(
			row("session", "ses_a", `{"id":"ses_a","directory":"/w","version":"1","time":{"created":1000}}`),
			row("message", "msg_1", user(1010)), partOf("p1", "msg_1", write("one")),
			partOf("p2", "msg_2", said("two")), partOf("p3", "msg_3", `{"type":"step-start"}`), partOf("p4", "msg_3", write("two")), partOf("p5", "msg_3", c.part),
			row("message", "msg_4", user(1060)), partOf("p6", "msg_4", write("three")),
		))
		if !strings.HasSuffix(got, c.then) {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

func rows(lines ...string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

func row(table, key, data string) string {
	return fmt.Sprintf(`{"table":%q,"key":%q,"data":%s}`, table, key, data)
}

// partOf is a part as it lies in a file.
func partOf(key, message, data string) string {
	return row("part", key, strings.Replace(data, "{", `{"messageID":"`+message+`",`, 1))
}

// TestStray: where files are, the parts of what was taken back stay: a person's,
// the model's, and a summary; one that begins with the model's was not a rewind.
func TestStray(t *testing.T) {
	const model = `{"role":"assistant","time":{"created":%d}}`
	got := adaptertest.Tale(t, opencode.Adapter{}, "/d/storage/session/p/ses_a.json", rows(
		row("session", "ses_a", `{"id":"ses_a","directory":"/w","version":"1","time":{"created":1000}}`),
		row("message", "msg_0000003f2000", user(1010)), partOf("p1", "msg_0000003f2000", said("one")),
		partOf("p2", "msg_0000003fc000", said("two")),
		partOf("p3", "msg_000000406000", `{"type":"step-start"}`), partOf("p4", "msg_000000406000", tool("write", `{"filePath":"a","content":"x\n"}`, `{"exists":false}`)),
		partOf("p5", "msg_000000410000", `{"type":"compaction"}`),
		partOf("p6", "msg_00000041a000", `{"type":"step-start"}`), partOf("p7", "msg_00000041a000", said("sum")),
		row("message", "msg_000000424000", user(1060)), partOf("p8", "msg_000000424000", said("three")),
		partOf("p9", "msg_00000042e000", `{"type":"step-start"}`), partOf("p10", "msg_00000042e000", said("answer")),
		row("message", "msg_000000438000", fmt.Sprintf(model, 1080)), partOf("p11", "msg_000000438000", said("done")),
	))
	const want = `start ses_a /w 
user "one"
user "two"
call "c" write
result "c" true
create /w/a by "c"
--- /dev/null
+++ b/w/a
@@ -0,0 +1 @@
+x
compaction 0-8 "sum"
rewind to p1
user "three"
says "answer" thinking ""
says "done" thinking ""
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
