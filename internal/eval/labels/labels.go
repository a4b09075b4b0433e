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
//
// Label is one of the kinds of package decide. OtherReader is the second reader's,
// where it differs; Ambiguous says that the readers did not agree whether it is a
// decision. Confidence goes from 1 to 3.
type Turn struct {
	ID            string   `json:"id"`
	Tool          string   `json:"tool"`
	Repo          string   `json:"repo"`
	Lang          string   `json:"lang"`
	PrevAssistant string   `json:"prev_assistant_tail"`
	Text          string   `json:"text"`
	Reply         string   `json:"next_assistant_head"`
	Edited        bool     `json:"session_has_edit_after"`
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

// Kind returns the label.
func (t *Turn) Kind() decide.Kind { return decide.Kind(t.Label) }

// IsDecision reports whether the readers took the turn for a decision.
func (t *Turn) IsDecision() bool { return t.Kind().IsDecision() }

// Input returns what is judged: the exchange.
func (t *Turn) Input() decide.Input {
	return decide.Input{Text: t.Text, PrevAssistant: t.PrevAssistant, Reply: t.Reply, Edited: t.Edited}
}

// LineError says what is wrong with a line of labelled turns.
type LineError struct {
	Line int
	Err  error
}

// Error names the line.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns what is wrong with the line.
func (e *LineError) Unwrap() error { return e.Err }

// Load reads labelled turns, one JSON object a line. A line that is none is an
// error; a label that is unknown is one as well.
func Load(r io.Reader) ([]Turn, error) {
	turns, bad, err := LoadAll(r)
	if err == nil && len(bad) > 0 {
		err = fmt.Errorf("read labels: %w", bad[0])
	}
	return turns, err
}

// LoadAll reads labelled turns as [Load] does, but continues behind a bad line.
//
// Lines may have up to 16 MiB; a longer one ends the reading with an error.
func LoadAll(r io.Reader) ([]Turn, []*LineError, error) {
	var turns []Turn
	var bad []*LineError
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 64<<10), 16<<20)
	for line := 1; sc.Scan(); line++ {
		if strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		t, err := parse(sc.Bytes())
		if err != nil {
			bad = append(bad, &LineError{line, err})
			continue
		}
		turns = append(turns, t)
	}
	if err := sc.Err(); err != nil {
		return nil, nil, fmt.Errorf("read labels: %w", err)
	}
	return turns, bad, nil
}

// parse reads a labelled turn and checks its label.
func parse(line []byte) (Turn, error) {
	var t Turn
	if err := json.Unmarshal(line, &t); err != nil {
		return t, fmt.Errorf("read turn: %w", err)
	}
	switch t.Kind() {
	case decide.Choice, decide.Ban, decide.Rule, decide.Spec, decide.Confirm, decide.Revoke,
		decide.Request, decide.Question, decide.Feedback, decide.Other:
		return t, nil
	}
	return t, fmt.Errorf("read turn: no label %q", t.Label)
}

// Certain reads labelled turns and leaves out those on which the readers did
// not agree.
func Certain(r io.Reader) ([]Turn, error) {
	all, err := Load(r)
	if err != nil {
		return nil, err
	}
	return Agreed(all), nil
}

// Agreed returns the turns on which the readers agree.
func Agreed(all []Turn) []Turn {
	var turns []Turn
	for i := range all {
		if !all[i].Ambiguous {
			turns = append(turns, all[i])
		}
	}
	return turns
}
