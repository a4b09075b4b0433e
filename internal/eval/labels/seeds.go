package labels

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core/packed"
)

//go:embed seeds.tsv
var seeds string

// bans are sentences that forbid, and such as only look like it.
//
//go:embed bans.tsv
var bans string

// banRepo stands for the project of these. Only whether a sentence forbids is learnt from them: as examples of turns
// that decide, so many that are alike make the judge less precise.
const banRepo = "bans"

// isSeed reports whether a turn is one of the project's own examples.
func (t *Turn) isSeed() bool { return t.Repo == seedRepo || t.Repo == banRepo }

// seedRepo stands for the project of the seeds.
const seedRepo = "seeds"

// Marks around the words of an example that decide, where it has others.
const deciding, decided = "⟦", "⟧"

// Seeds returns the project's own examples, one for each way to say something
// that the rules should know, as labelled turns.
func Seeds() ([]Turn, error) {
	turns, err := examples(seeds, seedRepo)
	if err != nil {
		return nil, err
	}
	more, err := examples(bans, banRepo)
	return append(turns, more...), err
}

// examples reads a table of examples as turns of a project.
func examples(table, repo string) ([]Turn, error) {
	text, err := packed.Text(table)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", repo, err)
	}
	var turns []Turn
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Split(line, "\t")
		if len(f) < 2 || len(f) > 3 {
			return nil, fmt.Errorf("read %s: line %d: %d fields", repo, i+1, len(f))
		}
		text := strings.ReplaceAll(f[1], `\n`, "\n")
		epitome := text
		if _, from, marked := strings.Cut(text, deciding); marked {
			epitome, _, _ = strings.Cut(from, decided)
			text = strings.NewReplacer(deciding, "", decided, "").Replace(text)
		}
		t := Turn{ID: fmt.Sprintf("%s-%03d", strings.TrimSuffix(repo, "s"), i+1), Repo: repo, Text: text, Label: f[0], Confidence: 3, Epitome: epitome, EpitomeIn: "user"}
		if len(f) == 3 {
			t.PrevAssistant = strings.ReplaceAll(f[2], `\n`, "\n")
		}
		turns = append(turns, t)
	}
	return turns, nil
}
