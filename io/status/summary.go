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
	"slices"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/local"
)

// Summary is how a capture stands, source by source, without the name of a transcript
// or anything that is in one:
//
//	{"idle":true,"transcripts":12,"errors":0,"sources":[{"tool":"codex","records":812,"unknown":0,"malformed":0,"lag_ms":15}]}
type Summary struct {
	Idle        bool     `json:"idle"`    // all that there is has been taken in
	Waiting     bool     `json:"waiting"` // the sink cannot be written to
	Transcripts int      `json:"transcripts"`
	Errors      int64    `json:"errors"`
	Sources     []Source `json:"sources"`
}

// Source is how the transcripts of a tool stand.
type Source struct {
	Tool core.Tool `json:"tool"`

	// What was taken in since the start, and of that what has drifted from the form that
	// is known of the tool: records that no one has described, and those that are no JSON.
	Records   int64 `json:"records"`
	Unknown   int64 `json:"unknown"`
	Malformed int64 `json:"malformed"`

	// LagMS is how long after the last write to a transcript it was durable, in
	// milliseconds: the longest of those that are in memory. 0 if none was written to
	// since the start.
	LagMS int64 `json:"lag_ms"`
}

// Summary sums up what was heard.
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
	slices.SortStableFunc(s.Sources, func(a, b Source) int { return cmp.Compare(a.Tool, b.Tool) })
	return s
}

const (
	// patience is how long an answer may take: a person waits.
	patience = 500 * time.Millisecond
	// maxSummary bounds an answer.
	maxSummary = 1 << 20
)

// Ask asks the capture that serves its status on an address of this machine.
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

// ask asks at a URL. It follows no redirect and uses no proxy.
func ask(ctx context.Context, url string) (s Summary, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return s, err
	}
	transport := &http.Transport{DisableKeepAlives: true} // no proxy: it is this machine
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
