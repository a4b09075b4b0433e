package bancheck

import (
	"encoding/json"
	"io"
)

// The part of SARIF 2.1.0 that is written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID   string    `json:"id"`
		Text sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
)

// WriteSARIF prints an answer as a SARIF 2.1.0 log, for the code scanning of forges.
// A ban is a rule, by the decision's id.
//
// A broken ban has the level error, one that asks for a yes the level note. Paths are
// relative to the repository.
func (a *Answer) WriteSARIF(w io.Writer) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "memscribe check", Rules: []sarifRule{}}}, Results: []sarifResult{}}
	seen := map[string]bool{}
	for i := range a.Breaches {
		b := &a.Breaches[i]
		if !seen[b.Ban.ID] {
			seen[b.Ban.ID] = true
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{b.Ban.ID, sarifText{b.Ban.Said()}})
		}
		result := sarifResult{
			RuleID: b.Ban.ID, Level: "error", Message: sarifText{"This breaks: " + b.Ban.Said()},
			Locations: []sarifLocation{{sarifPhysical{Artifact: sarifArtifact{b.File}}}},
		}
		if b.Status != "broken" {
			result.Level, result.Message.Text = "note", "This needs a yes: "+b.Ban.Said()
		}
		if b.Line > 0 {
			result.Locations[0].Physical.Region = &sarifRegion{b.Line}
		}
		run.Results = append(run.Results, result)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// WriteJSON prints one object a line.
func (a *Answer) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range a.Breaches {
		if err := e.Encode(&a.Breaches[i]); err != nil {
			return err
		}
	}
	return nil
}
