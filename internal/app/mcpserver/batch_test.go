package mcpserver_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/memscribe/memscribe/internal/app/mcpserver"
)

// What a client has asked before it closes its side is answered before the library sees the
// end; answers to a batch are one list.
func TestEndWaitsForAnswers(t *testing.T) {
	var out bytes.Buffer
	in, answers := mcpserver.FramesAnswered(bytes.NewReader([]byte(
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"+`[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"ping"}]`+"\n")), &out, "2025-03-26")
	buffer, got := make([]byte, 1000), ""
	for range 2 {
		n, err := in.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		got += string(buffer[:n])
	}
	ended := make(chan error)
	go func() {
		_, err := in.Read(buffer)
		ended <- err
	}()
	for _, id := range []string{"3", "1", "2"} {
		select {
		case err := <-ended:
			t.Fatalf("the end comes before the answer to %s: %v", id, err)
		default:
		}
		if _, err := io.WriteString(answers, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-ended; err != io.EOF { //nolint:errorlint // a reader returns it as it is
		t.Errorf("the end is %v", err)
	}
	const want = `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + `[{"jsonrpc":"2.0","id":3,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]` + "\n"
	if out.String() != want {
		t.Errorf("answered is %s, passed on %s", &out, got)
	}
}
