package mcpserver_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/memscribe/memscribe/internal/app/mcpserver"
)

// FuzzFrames: whatever a client sends, the library sees only messages that it can decode,
// one on a line, and each other line that is not blank is answered. The messages of a batch
// come one by one, where the protocol has batches.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "{", "[]\n{}\r\n", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "\x00\n\xff", `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"}]`, `{"id":{}}` + "\n" + `{"jsonrpc":"2.0","method":"x"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		var some bytes.Buffer
		taken, err := io.ReadAll(mcpserver.Frames(bytes.NewReader(sent), &some, "2025-03-26"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(taken) {
			if _, err := jsonrpc.DecodeMessage(line); err != nil || line[len(line)-1] != '\n' {
				t.Errorf("%q: %v", line, err)
			}
		}
		var answers bytes.Buffer
		passed, err := io.ReadAll(mcpserver.Frames(bytes.NewReader(sent), &answers, "2025-06-18"))
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		for line := range bytes.Lines(sent) {
			if len(bytes.TrimSpace(line)) > 0 {
				said++
			}
		}
		for line := range bytes.Lines(passed) {
			if said--; line[len(line)-1] != '\n' {
				t.Errorf("no line: %q", line)
			}
			if _, err := jsonrpc.DecodeMessage(line); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
		for line := range bytes.Lines(answers.Bytes()) {
			said--
			if _, err := jsonrpc.DecodeMessage(bytes.Replace(line, []byte(`"id":null`), []byte(`"id":0`), 1)); err != nil {
				t.Errorf("answer %q: %v", line, err)
			}
		}
		if said != 0 {
			t.Errorf("%d lines are not answered", said)
		}
	})
}
