package labels

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core/packed"
)

//go:embed seeds.tsv
var seeds string

// seedRepo stands for the project of the seeds.
const seedRepo = "seeds"

// Seeds returns the project's own examples, one for each way to say something
// that the rules should know, as labelled turns.
func Seeds() ([]Turn, error) {
	text, err := packed.Text(seeds)
	if err != nil {
		return nil, fmt.Errorf("read seeds: %w", err)
	}
	var turns []Turn
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Split(line, "\t")
		if len(f) < 2 || len(f) > 3 {
			return nil, fmt.Errorf("read seeds: line %d: %d fields", i+1, len(f))
		}
		text := strings.ReplaceAll(f[1], `\n`, "\n")
		t := Turn{ID: fmt.Sprintf("seed-%03d", i+1), Repo: seedRepo, Text: text, Label: f[0], Confidence: 3, Epitome: text, EpitomeIn: "user"}
		if len(f) == 3 {
			t.PrevAssistant = strings.ReplaceAll(f[2], `\n`, "\n")
		}
		turns = append(turns, t)
	}
	return turns, nil
}
