package modelserver

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/testkit/script"
)

// TestTasksOfFormsAreSaid: where a tool has an input for each subagent, the task is
// said in the words of the first.
func TestTasksOfFormsAreSaid(t *testing.T) {
	schema := json.RawMessage(`{"anyOf":[
		{"type":"object","properties":{"agent_name":{"type":"string","const":"codebase_investigator"},"objective":{"type":"string"}}},
		{"type":"object","properties":{"agent_name":{"type":"string","const":"cli_help"},"question":{"type":"string"}}}]}`)
	v := vocabulary{tools: map[string]tool{"delegate_to_agent": {properties: properties(schema)}}}
	calls := v.calls(&script.Op{Kind: script.Task, Title: "Survey", Prompt: "Survey src."})
	if len(calls) != 1 {
		t.Fatalf("%d calls", len(calls))
	}
	want := object{"agent_name": "codebase_investigator", "objective": "Survey src."}
	if diff := cmp.Diff(any(want), calls[0].input); diff != "" {
		t.Error(diff)
	}
}
