package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// freePort finds a port that nobody listens on: freeport VARIABLE
func freePort(ts *testscript.TestScript, _ bool, args []string) {
	var config net.ListenConfig
	l, err := config.Listen(context.Background(), "tcp", "127.0.0.1:0")
	ts.Check(err)
	_, port, err := net.SplitHostPort(l.Addr().String())
	ts.Check(err)
	ts.Check(l.Close())
	ts.Setenv(args[0], port)
}

// post sends a file until somebody listens, and checks the answer:
// post CODE URL TYPE FILE [HEADER VALUE]…
func post(ts *testscript.TestScript, _ bool, args []string) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(30 * time.Second)
	for {
		q, err := http.NewRequestWithContext(context.Background(), http.MethodPost, args[1], strings.NewReader(ts.ReadFile(args[3])))
		ts.Check(err)
		q.Header.Set("Content-Type", args[2])
		for i := 4; i+1 < len(args); i += 2 {
			q.Header.Set(args[i], args[i+1])
		}
		answer, err := http.DefaultClient.Do(q)
		if err == nil {
			body, err := io.ReadAll(answer.Body)
			ts.Check(err)
			ts.Check(answer.Body.Close())
			if strconv.Itoa(answer.StatusCode) != args[0] {
				ts.Fatalf("%s: %s", answer.Status, body)
			}
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			ts.Fatalf("nobody answers: %v", err)
		}
	}
}
