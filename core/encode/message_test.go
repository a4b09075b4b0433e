package encode_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
)

// blot is a scrubber that knows one secret, and fails on another.
type blot struct{ fails []byte }

func (b blot) Scrub(_ core.Field, s []byte) ([]byte, []core.Cut, error) {
	if len(b.fails) > 0 && bytes.Contains(s, b.fails) {
		return nil, nil, errors.New("cannot")
	}
	return bytes.ReplaceAll(s, []byte("hunter2"), []byte("[gone]")), nil, nil
}

// TestEncodeMessage writes a message with every member, and without those that may
// be missing; what is secret is in neither.
func TestEncodeMessage(t *testing.T) {
	e := encode.Encoder{Scrubber: blot{}}
	m := core.Message{
		ID: "message:00", Source: core.ClaudeCode, Session: "s", Thread: "t", Seq: 4, Time: core.ParseTime("2026-06-22T10:00:00Z"),
		Project: &core.Project{Cwd: "/w"}, Copied: true, File: "/f", Kind: core.Said, Text: "It is hunter2.", Model: "m",
		Usage: &core.Usage{Input: 1, Output: 2, CacheRead: 3, CacheCreation: 4}, Response: "r",
	}
	const head = `{"schema":"memscribe.message/v1","kind":"assistant","id":"message:00","source":"claude_code","session_id":"s",`
	for _, tc := range []struct {
		m    core.Message
		want string
	}{
		{m, head + `"thread_id":"t","seq":4,"timestamp":"2026-06-22T10:00:00Z","project":{"cwd":"/w"},"copied":true,"file":"/f",` +
			`"text":"It is [gone].","model":"m","response_id":"r",` +
			`"usage":{"input_tokens":1,"output_tokens":2,"cache_read_tokens":3,"cache_creation_tokens":4}}`},
		{core.Message{ID: "message:00", Source: core.ClaudeCode, Session: "s", Kind: core.Said}, head + `"seq":0,"project":{},"file":"","text":""}`},
	} {
		got, err := e.Message([]byte("x"), &tc.m)
		if err != nil || string(got) != "x"+tc.want {
			t.Errorf("got  %s, %v\nwant x%s", got, err, tc.want)
		}
	}
	e.Scrubber = blot{fails: []byte("hunter2")}
	if _, err := e.Message(nil, &m); err == nil {
		t.Error("what cannot be redacted is written")
	}
}
