package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
)

// file is a log in a file, for its owner alone.
type file struct{ to *os.File }

// openFile opens a file for appending, readable by its owner only.
func openFile(name string) (delivery, error) {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return file{f}, nil
}

// deliver appends entries as lines of JSON.
func (f file) deliver(_ context.Context, entries []Entry) error {
	text, err := lines(entries)
	if err == nil {
		_, err = f.to.Write(text)
	}
	return err
}

// close closes the file.
func (f file) close() error { return f.to.Close() }

// post is a log that is sent to an address.
type post struct {
	url, kind string
	encode    func([]Entry) ([]byte, error)
	client    *http.Client
}

// newPost returns a delivery to a URL. Redirects are not followed.
func newPost(url, kind string, encode func([]Entry) ([]byte, error)) post {
	// What is meant for one address goes to no other.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return post{url, kind, encode, &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment}, CheckRedirect: stay}}
}

// deliver sends entries in one request. Any answer other than success is an error.
func (p post) deliver(ctx context.Context, entries []Entry) error {
	text, err := p.encode(entries)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", p.kind)
	res, err := p.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err = io.CopyN(io.Discard, res.Body, 64<<10); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("the endpoint answers %s", res.Status)
	}
	return nil
}

// close closes idle connections.
func (p post) close() error {
	p.client.CloseIdleConnections()
	return nil
}

// lines are entries as JSON, one a line.
func lines(entries []Entry) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for i := range entries {
		if err := e.Encode(&entries[i]); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// What follows is as much of OTLP as logs need: its JSON form, with camel case names
// and 64-bit numbers as strings.
type (
	value struct {
		StringValue string `json:"stringValue"`
	}
	attribute struct {
		Key   string `json:"key"`
		Value value  `json:"value"`
	}
	record struct {
		TimeUnixNano string      `json:"timeUnixNano"`
		SeverityText string      `json:"severityText"`
		Severity     int         `json:"severityNumber"`
		Body         value       `json:"body"`
		Attributes   []attribute `json:"attributes"`
	}
	scope struct {
		Scope   map[string]string `json:"scope"`
		Records []record          `json:"logRecords"`
	}
	resource struct {
		Resource map[string][]attribute `json:"resource"`
		Scopes   []scope                `json:"scopeLogs"`
	}
)

// logs are entries as logs of OpenTelemetry: the call is the body, everything else
// stands in attributes. What failed is a warning.
func logs(entries []Entry) ([]byte, error) {
	s := scope{Scope: map[string]string{"name": "memscribe.memdb.audit"}}
	for i := range entries {
		e := &entries[i]
		r := record{TimeUnixNano: strconv.FormatInt(e.Time.UnixNano(), 10), SeverityText: "INFO", Severity: 9, Body: value{e.Call}}
		if e.Status != "ok" {
			r.SeverityText, r.Severity = "WARN", 13
		}
		for _, a := range []struct{ key, value string }{
			{"token", e.Token}, {"namespace", e.Namespace}, {"session_id", e.Session}, {"agent_id", e.Agent}, {"params_sha256", e.Params}, {"status", e.Status},
		} {
			if a.value != "" {
				r.Attributes = append(r.Attributes, attribute{"memdb." + a.key, value{a.value}})
			}
		}
		s.Records = append(s.Records, r)
	}
	return json.Marshal(map[string][]resource{"resourceLogs": {{
		Resource: map[string][]attribute{"attributes": {{"service.name", value{"memscribe-memdb"}}}}, Scopes: []scope{s},
	}}})
}
