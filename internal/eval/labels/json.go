package labels

import (
	"encoding/json"
	"fmt"
	"io"
)

// ReportSchema names the form of what [Report.WriteJSON] writes.
const ReportSchema = "memscribe.eval.decisions/v1"

type (
	jsonShare struct {
		Of    int     `json:"of"`
		All   int     `json:"all"`
		Value float64 `json:"value"`
		Low   float64 `json:"low"` // of the interval of 95 %
		High  float64 `json:"high"`
	}
	jsonScore struct {
		Precision jsonShare `json:"precision"`
		Recall    jsonShare `json:"recall"`
		F1        jsonF1    `json:"f1"`
	}
	jsonF1 struct {
		Value float64 `json:"value"`
		Low   float64 `json:"low"`
		High  float64 `json:"high"`
	}
	jsonContents struct {
		Epitome     jsonShare `json:"epitome_contains_labelled"`
		EpitomeSame jsonShare `json:"epitome_is_labelled"`
		Options     jsonShare `json:"labelled_options_named"`
		Complete    jsonShare `json:"all_labelled_options_named"`
		Named       jsonShare `json:"named_options_labelled"`
		Ban         jsonShare `json:"ban_flag_precision"`
		BanAll      jsonShare `json:"ban_flag_recall"`
		Standing    jsonShare `json:"scope_as_labelled"`
		Kind        jsonShare `json:"kind_as_labelled"`
	}
	jsonTerm struct {
		Feature string `json:"feature"`
		Weight  int64  `json:"weight"`
	}
	jsonError struct {
		Error    string     `json:"error"` // wrong, missed, misplaced or misflagged
		ID       string     `json:"id"`
		Lang     string     `json:"lang,omitempty"`
		Label    string     `json:"label"`
		Verdict  string     `json:"verdict"`
		Score    int        `json:"score"`
		Text     string     `json:"text"`
		Labelled string     `json:"labelled_epitome,omitempty"`
		Epitomes []string   `json:"epitomes,omitempty"`
		Sentence string     `json:"strongest_sentence"`
		Terms    []jsonTerm `json:"terms"`
	}
	jsonReport struct {
		Schema     string               `json:"schema"`
		Turns      int                  `json:"turns"`
		Overall    jsonScore            `json:"overall"`
		Found      map[string]jsonShare `json:"found"` // decisions, by label
		Taken      map[string]jsonShare `json:"taken"` // other turns, by label
		Kinds      map[string]jsonScore `json:"kinds"`
		Languages  map[string]jsonScore `json:"languages"`
		Categories map[string]jsonScore `json:"categories"`
		Rules      map[string]jsonScore `json:"rules"`
		Contents   jsonContents         `json:"contents"`
		Errors     []jsonError          `json:"errors"`
	}
)

// WriteJSON writes the report as one JSON object: every figure, and every error
// with its text.
func (r *Report) WriteJSON(w io.Writer) error {
	out := jsonReport{
		Schema: ReportSchema, Turns: r.Turns, Overall: r.Overall.json(), Found: shares(r.Found), Taken: shares(r.Taken),
		Kinds: scores(r.Kinds), Languages: scores(r.Languages), Categories: scores(r.Categories), Rules: scores(r.Rules),
		Contents: jsonContents{
			Epitome: r.Epitome.json(), EpitomeSame: r.EpitomeSame.json(), Options: r.Options.json(), Complete: r.Complete.json(), Named: r.Named.json(),
			Ban: r.Ban.json(), BanAll: r.BanAll.json(), Standing: r.Standing.json(), Kind: r.Kind.json(),
		},
		Errors: []jsonError{},
	}
	for _, list := range []struct {
		name     string
		outcomes []Outcome
	}{{"wrong", r.Wrong}, {"missed", r.Missed}, {"misplaced", r.Misplaced}, {"misflagged", r.Misflagged}} {
		for i := range list.outcomes {
			out.Errors = append(out.Errors, list.outcomes[i].json(list.name))
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// json returns a share with its interval.
func (s Share) json() jsonShare { return jsonShare{s.Of, s.All, s.Value(), s.Low, s.High} }

// json returns precision, recall and F1.
func (s *Score) json() jsonScore {
	return jsonScore{s.Precision.json(), s.Recall.json(), jsonF1{s.F1, s.Low, s.High}}
}

// shares returns rows by name.
func shares(rows []Row) map[string]jsonShare {
	out := map[string]jsonShare{}
	for _, x := range rows {
		out[x.Name] = x.Share.json()
	}
	return out
}

// scores returns scores by name.
func scores(rows []ScoreRow) map[string]jsonScore {
	out := map[string]jsonScore{}
	for i := range rows {
		out[rows[i].Name] = rows[i].json()
	}
	return out
}

// json returns an error with its evidence.
func (o *Outcome) json(kind string) jsonError {
	e := jsonError{
		Error: kind, ID: o.ID, Lang: o.Lang, Label: o.Label, Verdict: string(o.Verdict.Kind), Score: o.Verdict.Score,
		Text: o.Text, Labelled: o.Epitome, Epitomes: o.epitomes(), Sentence: o.Why.Sentence, Terms: []jsonTerm{},
	}
	for _, t := range o.terms() {
		e.Terms = append(e.Terms, jsonTerm(t))
	}
	return e
}
