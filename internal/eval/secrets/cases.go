package secrets

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
)

// Case is one labelled text.
type Case struct {
	Text    string `json:"text"`
	Secrets []Span `json:"secret_spans"`
	Tier    string `json:"tier"` // "core" or "wide"
	Kind    string `json:"kind"` // "positive", "negative" or "placeholder"
	Cat     string `json:"cat"`
	Source  string `json:"source"`
}

// Span is where a secret stands, in bytes.
type Span struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Type  string `json:"type"`
}

// The kinds of case.
const (
	Positive    = "positive"
	Negative    = "negative"
	Placeholder = "placeholder"
)

// Read reads cases, one JSON object a line, gzipped or plain.
func Read(r io.Reader) ([]Case, error) {
	br := bufio.NewReader(r)
	if head, err := br.Peek(2); err == nil && bytes.Equal(head, []byte{0x1f, 0x8b}) {
		zr, err := gzip.NewReader(br)
		if err != nil {
			return nil, fmt.Errorf("read cases: %w", err)
		}
		defer zr.Close()
		br = bufio.NewReader(zr)
	}
	var all []Case
	dec := json.NewDecoder(br)
	for {
		var c Case
		err := dec.Decode(&c)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read case %d: %w", len(all)+1, err)
		}
		for _, s := range c.Secrets {
			if s.Start < 0 || s.End > len(c.Text) || s.Start >= s.End {
				return nil, fmt.Errorf("read case %d: span %d-%d outside the text", len(all)+1, s.Start, s.End)
			}
		}
		all = append(all, c)
	}
}
