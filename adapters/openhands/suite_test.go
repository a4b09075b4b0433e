package openhands_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/openhands"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// rows are those of a conversation that has what no recording shows: a person who
// rejects, a call that could not be read, a summary, and an event that is not known.
const rows = `{"table":"state","key":"base_state","data":{"id":"8c","agent":{"llm":{"model":"m"}},"workspace":{"working_dir":"/w"}}}
{"table":"event","key":"event-00001","data":{"id":"e1","timestamp":"2026-11-23T13:53:59.839263","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"Go."},{"type":"image","image_urls":[]}]},"kind":"MessageEvent"}}
{"table":"event","key":"event-00002","data":{"id":"e2","timestamp":"2026-11-23T13:54:00.1","source":"agent","thought":[{"type":"text","text":"I do."}],"action":{"command":"ls","kind":"TerminalAction"},"tool_name":"terminal","tool_call_id":"c1","kind":"ActionEvent"}}
{"table":"event","key":"event-00003","data":{"id":"e3","timestamp":"2026-11-23T13:54:01.1","source":"environment","tool_name":"terminal","tool_call_id":"c1","rejection_reason":"not here","action_id":"e2","kind":"UserRejectObservation"}}
{"table":"event","key":"event-00004","data":{"id":"e4","timestamp":"2026-11-23T13:54:02.1","source":"agent","thought":[],"action":null,"tool_call":{"arguments":"{"},"tool_name":"terminal","tool_call_id":"c2","kind":"ActionEvent"}}
{"table":"event","key":"event-00005","data":{"id":"e5","timestamp":"2026-11-23T13:54:03.1","source":"agent","tool_name":"terminal","tool_call_id":"c2","error":"no JSON","kind":"AgentErrorEvent"}}
{"table":"event","key":"event-00006","data":{"id":"e6","timestamp":"2026-11-23T13:54:04.1","source":"environment","summary":"They went.","forgotten_event_ids":["e1"],"kind":"Condensation"}}
{"table":"event","key":"event-00007","data":{"id":"e7","timestamp":"2026-11-23T13:54:05.1","source":"agent","thought":[],"action":{"message":"Done.","kind":"FinishAction"},"tool_name":"finish","tool_call_id":"c3","kind":"ActionEvent"}}
{"table":"event","key":"event-00008","data":{"id":"e8","kind":"NoveltyEvent"}}
`

func samples() []adaptertest.Sample {
	return []adaptertest.Sample{{Path: "/home/dev/.openhands/conversations/8c/base_state.json", Data: rows}}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, openhands.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, openhands.Adapter{}, samples()...) }

// BenchmarkParse reads the recordings and the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, openhands.Adapter{}, samples()...) }
