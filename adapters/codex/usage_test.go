package codex_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
)

// counted is what the tool tells of the tokens of a thread and of its last
// response.
func counted(total, last obj) obj {
	info := obj{"total_token_usage": total}
	if last != nil {
		info["last_token_usage"] = last
	}
	return obj{"type": "token_count", "info": info, "rate_limits": obj{"primary": nil}}
}

func TestUsage(t *testing.T) {
	first := obj{"input_tokens": 10, "cached_input_tokens": 4, "output_tokens": 2}
	both := obj{"input_tokens": 30, "cached_input_tokens": 9, "cache_write_input_tokens": 1, "output_tokens": 5}
	second := obj{"input_tokens": 20, "cached_input_tokens": 5, "cache_write_input_tokens": 1, "output_tokens": 3}
	tookFirst := core.Usage{Input: 10, Output: 2, CacheRead: 4}
	tookSecond := core.Usage{Input: 20, Output: 3, CacheRead: 5, CacheCreation: 1}
	talk := func() *rollout { return started(oldThread).user("x").says("a") }
	tests := []struct {
		name string
		r    *rollout
		want []core.Usage
	}{
		{"limits alone", talk().event(obj{"type": "token_count", "info": nil}), nil},
		{"limits alone after a response", talk().event(counted(first, first)).event(obj{"type": "token_count", "info": nil}).event(counted(both, second)), []core.Usage{tookFirst, tookSecond}},
		{"two responses", talk().event(counted(first, first)).event(counted(both, second)), []core.Usage{tookFirst, tookSecond}},
		{"told again with other limits", talk().event(counted(first, first)).event(counted(first, first)), []core.Usage{tookFirst}},
		{"totals alone", talk().event(counted(first, nil)).event(counted(both, nil)), []core.Usage{tookFirst, tookSecond}},
		{
			"a fork's counts are its own", fork(newThread, talk().event(counted(first, first))).pause(60_000).event(counted(both, second)), []core.Usage{tookSecond},
		},
		{
			"while a person's words wait to be told", started(oldThread).message("user", "y").event(counted(first, first)).event(obj{"type": "user_message", "message": "y"}),
			[]core.Usage{tookFirst},
		},
		{"nothing was taken", talk().event(counted(obj{}, obj{})), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []core.Usage
			persons := 0
			one(t, "x.jsonl", test.r.String(), func(ev *core.Event) {
				if turn, ok := ev.Body.(*core.AssistantTurn); ok && turn.Usage != nil {
					got = append(got, *turn.Usage)
				}
				if _, ok := ev.Body.(*core.UserTurn); ok {
					persons++
				}
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if said := strings.Count(test.r.String(), `"user_message"`); persons != said {
				t.Errorf("%d turns of a person, who spoke %d times", persons, said)
			}
		})
	}
}
