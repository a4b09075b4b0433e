package status

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sort"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/local"
)

// Summary is the state of a capture by tool, without names and contents of transcripts:
//
//	{"idle":true,"transcripts":12,"errors":0,"sources":[{"tool":"codex","records":812,"unknown":0,"malformed":0,"lag_ms":15}]}
type Summary struct {
	Idle        bool     `json:"idle"`    // everything is read and delivered
	Waiting     bool     `json:"waiting"` // the sink cannot be written to
	Transcripts int      `json:"transcripts"`
	Errors      int64    `json:"errors"`
	Sources     []Source `json:"sources"`
}

// Source is the state of a tool's transcripts.
type Source struct {
	Tool core.Tool `json:"tool"`

	// Records are the records read since the start. Of these, Unknown are of unknown kinds, and
	// Malformed are not JSON.
	Records   int64 `json:"records"`
	Unknown   int64 `json:"unknown"`
	Malformed int64 `json:"malformed"`

	// LagMS is the longest lag of a transcript in memory, in milliseconds; 0 if none was
	// written to since the start.
	LagMS int64 `json:"lag_ms"`
}

// Summary returns the present state by tool.
func (b *Board) Summary() Summary {
	state, totals := b.Look(), b.Tools()
	lags := map[core.Tool]time.Duration{}
	for _, f := range b.Files() {
		lags[f.Tool] = max(lags[f.Tool], f.Lag)
	}
	s := Summary{Idle: state.Idle, Waiting: state.Waiting != "", Transcripts: state.Known, Errors: state.Errors, Sources: []Source{}}
	for tool, t := range totals { // sorted below
		if tool != "" {
			s.Sources = append(s.Sources, Source{tool, t.Records, t.Unknown, t.Malformed, lags[tool].Milliseconds()})
		}
	}
	sort.SliceStable(s.Sources, func(i, j int) bool {
		a, b := &s.Sources[i], &s.Sources[j]
		return cmp.Compare(a.Tool, b.Tool) < 0
	})
	return s
}

const (
	// patience is how long an answer may take; a person waits for it.
	patience = 500 * time.Millisecond
	// maxSummary is the size of the largest answer in bytes.
	maxSummary = 1 << 20
)

// Ask returns the summary of a capture that serves its status at a loopback address.
func Ask(ctx context.Context, address string) (s Summary, err error) {
	host, _, err := net.SplitHostPort(address)
	if err == nil && !local.IsLoopback(host) {
		err = ErrRemote
	}
	if err == nil {
		s, err = ask(ctx, "http://"+address+"/status")
	}
	if err != nil {
		return Summary{}, fmt.Errorf("ask for status on %s: %w", address, err)
	}
	return s, nil
}

// ask requests a URL. It follows no redirect and uses no proxy.
func ask(ctx context.Context, url string) (s Summary, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return s, err
	}
	// without a proxy, since it is this machine
	transport := &http.Transport{DisableKeepAlives: true}
	client := http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		return s, fmt.Errorf("it answers %s", answer.Status)
	}
	return s, json.NewDecoder(io.LimitReader(answer.Body, maxSummary)).Decode(&s)
}
