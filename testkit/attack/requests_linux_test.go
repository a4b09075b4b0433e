package attack_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/memscribe/memscribe/testkit/attack"
)

// TestRequestsWithinBudget: telemetry that unpacks to much, sent by many at once while
// a watch reads a transcript that is as much as it may be, waits for memory, and the
// watch takes no more than it is allowed.
func TestRequestsWithinBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	program, err := attack.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	for _, in := range beside() {
		made(t, filepath.Join(home, "root", in.name))
	}
	server, err := attack.Serve(t.Context(), home, program, "watch", "--root", filepath.Join(home, "root"),
		"--sink", "ndjson", "--out", filepath.Join(home, "nodes.ndjson"), "--otlp-http", "127.0.0.1:0", "--otlp-grpc", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address, err := server.Says(regexp.MustCompile(`receiving telemetry.* http=(\S+) grpc=(\S+)`))
	if err != nil {
		t.Fatal(err)
	}
	sent := sendAll(t, "http://"+address[0]+"/v1/logs")
	called := callAll(t, "http://"+address[1]+"/opentelemetry.proto.collector.logs.v1.LogsService/Export")
	spent, err := server.End()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d MB resident, %v of processor, answers %v and by gRPC %v", spent.Memory>>20, spent.Processor, sent, called)
	if spent.Memory > most {
		t.Errorf("%d MB were resident, want at most %d", spent.Memory>>20, most>>20)
	}
	if sent[http.StatusOK] == 0 {
		t.Errorf("no request was taken:\n%s", spent.Stderr)
	}
	if called["0"] == 0 || len(called) > 2 || len(called) == 2 && called["14"] == 0 {
		t.Errorf("by gRPC %v, want that each is taken or asked to come again", called)
	}
	for code := range sent {
		if code != http.StatusOK && code != http.StatusServiceUnavailable && code != http.StatusBadRequest {
			t.Errorf("answers %v, want that each is taken, refused for good or asked to come again", sent)
		}
	}
}

// beside is what is read while requests come.
func beside() []input {
	return []input{
		{name: "said.jsonl", make: func(path string) error { return attack.LongLine(path, 60<<20) }},
		{name: "decided.jsonl", make: func(path string) error { return attack.Decisions(path, 60_000, false) }},
	}
}

// sendAll sends requests that unpack to as much as one may, or to many values, and
// some as large as they are, all at once. It counts the answers.
func sendAll(t *testing.T, url string) map[int]int {
	t.Helper()
	const size = 15 << 20
	long, err := attack.Request(size)
	if err != nil {
		t.Fatal(err)
	}
	crowded, err := attack.CrowdedRequest(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	plain := fmt.Appendf(nil, `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":%q}}]}]}]}`, bytes.Repeat([]byte("a"), size))
	var (
		all  sync.WaitGroup
		mu   sync.Mutex
		sent = map[int]int{}
	)
	for i := range 48 {
		body, encoding := [][]byte{long, crowded, plain}[i%3], []string{"gzip", "gzip", ""}[i%3]
		all.Go(func() {
			q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			q.Header.Set("Content-Type", "application/json")
			q.Header.Set("Content-Encoding", encoding)
			answer, err := http.DefaultClient.Do(q)
			if err != nil {
				t.Error(err)
				return
			}
			answer.Body.Close()
			mu.Lock()
			defer mu.Unlock()
			sent[answer.StatusCode]++
		})
	}
	all.Wait()
	return sent
}

// callAll makes calls by gRPC that unpack to as much as one may, hundreds at once, and
// counts their answers.
func callAll(t *testing.T, url string) map[string]int {
	t.Helper()
	packed, err := attack.Message(8 << 20)
	if err != nil {
		t.Fatal(err)
	}
	messages := [][]byte{packed, attack.Lists(250_000)}
	var (
		all       sync.WaitGroup
		mu        sync.Mutex
		called    = map[string]int{}
		protocols http.Protocols
	)
	protocols.SetUnencryptedHTTP2(true)
	for range 16 {
		client := &http.Client{Transport: &http.Transport{Protocols: &protocols}}
		for i := range 32 {
			all.Go(func() {
				q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(messages[i%2]))
				if err != nil {
					t.Error(err)
					return
				}
				q.Header.Set("Content-Type", "application/grpc")
				q.Header.Set("Grpc-Encoding", []string{"gzip", "identity"}[i%2])
				q.Header.Set("Te", "trailers")
				answer, err := client.Do(q)
				if err != nil {
					t.Error(err)
					return
				}
				_, err = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				called[cmp.Or(answer.Trailer.Get("Grpc-Status"), answer.Header.Get("Grpc-Status"))]++
			})
		}
	}
	all.Wait()
	return called
}
