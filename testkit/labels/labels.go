package labels

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/memscribe/memscribe/core/decide"
)

// Turn is a labelled turn.
type Turn struct {
	ID            string   `json:"id"`
	Tool          string   `json:"tool"`
	Repo          string   `json:"repo"`
	Lang          string   `json:"lang"`
	PrevAssistant string   `json:"prev_assistant_tail"`
	Text          string   `json:"text"`
	Label         string   `json:"label"`
	OtherReader   string   `json:"other_reader"`
	Ambiguous     bool     `json:"ambiguous"`
	Confidence    int      `json:"confidence"`
	Epitome       string   `json:"epitome"`
	EpitomeIn     string   `json:"epitome_in"`
	Options       []Option `json:"options"`
	IsBan         bool     `json:"is_ban"`
	Scope         string   `json:"scope"`
}

// Option is an alternative of a labelled turn.
type Option struct {
	Text   string `json:"text"`
	Chosen bool   `json:"chosen"`
}

// Kind is the label.
func (t *Turn) Kind() decide.Kind { return decide.Kind(t.Label) }

// IsDecision reports whether the readers took the turn for a decision.
func (t *Turn) IsDecision() bool { return t.Kind().IsDecision() }

// Input is what [decide.Turn] judges.
func (t *Turn) Input() decide.Input {
	return decide.Input{Text: t.Text, PrevAssistant: t.PrevAssistant}
}

// Load reads labelled turns, one JSON object a line.
func Load(r io.Reader) ([]Turn, error) {
	var turns []Turn
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 64<<10), 16<<20)
	for line := 1; sc.Scan(); line++ {
		if strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		var t Turn
		if err := json.Unmarshal(sc.Bytes(), &t); err != nil {
			return nil, fmt.Errorf("read labels: line %d: %w", line, err)
		}
		turns = append(turns, t)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("read labels: %w", err)
	}
	return turns, nil
}

// Certain reads labelled turns and leaves out those on which the readers did
// not agree.
func Certain(r io.Reader) ([]Turn, error) {
	all, err := Load(r)
	if err != nil {
		return nil, err
	}
	turns := all[:0]
	for _, t := range all {
		if !t.Ambiguous {
			turns = append(turns, t)
		}
	}
	return turns, nil
}
