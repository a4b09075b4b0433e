package webchat_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/memscribe/memscribe/adapters/webchat"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

const (
	ofClaude = `[{"uuid":"c1","name":"n","created_at":"2026-08-01T00:00:00Z","updated_at":"2026-08-01T00:00:00Z","account":{"uuid":"a"},"chat_messages":[
{"uuid":"m1","text":"Let's use Postgres.","content":[{"type":"text","text":"Let's use Postgres."}],"sender":"human","created_at":"2026-08-01T00:00:01Z","attachments":[],"files":[{"file_name":"x.png"}]},
{"uuid":"m2","text":"Fine.","sender":"assistant","created_at":"2026-08-01T00:00:02Z","attachments":[],"files":[]}]},
{"uuid":"c2","name":"","created_at":"2026-08-02T00:00:00Z","chat_messages":[]}]`
	ofChatGPT = `[{"title":"t","create_time":1785542400.5,"conversation_id":"g1","default_model_slug":"m","current_node":"n4","mapping":{
"n0":{"id":"n0","message":null,"parent":null,"children":["n1"]},
"n1":{"id":"n1","message":{"id":"n1","author":{"role":"system"},"create_time":null,"content":{"content_type":"text","parts":[""]},"metadata":{}},"parent":"n0","children":["n2","n3"]},
"n2":{"id":"n2","message":{"id":"n2","author":{"role":"user"},"create_time":1785542401,"content":{"content_type":"text","parts":["Use MySQL."]},"metadata":{}},"parent":"n1","children":[]},
"n3":{"id":"n3","message":{"id":"n3","author":{"role":"user"},"create_time":1785542402,"content":{"content_type":"text","parts":["Let's use Postgres."]},"metadata":{}},"parent":"n1","children":["n4"]},
"n4":{"id":"n4","message":{"id":"n4","author":{"role":"assistant"},"create_time":1785542403,"content":{"content_type":"text","parts":["Fine."]},"metadata":{"model_slug":"m2"}},"parent":"n3","children":[]}}}]`
)

func claude() webchat.Adapter  { return webchat.Adapter{Name: core.ClaudeAI} }
func chatGPT() webchat.Adapter { return webchat.Adapter{Name: core.ChatGPT} }

// TestSuite holds both adapters to what every adapter passes.
func TestSuite(t *testing.T) {
	t.Run("claude_ai", func(t *testing.T) {
		adaptertest.Suite(t, claude(), adaptertest.Sample{Path: "conversations.json", Data: ofClaude})
	})
	t.Run("chatgpt", func(t *testing.T) {
		adaptertest.Suite(t, chatGPT(), adaptertest.Sample{Path: "conversations.json", Data: ofChatGPT})
	})
}

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) {
	adaptertest.Fuzz(f, chatGPT(), adaptertest.Sample{Path: "c.json", Data: ofChatGPT}, adaptertest.Sample{Path: "c.json", Data: ofClaude})
}

// TestTurns: of a tree the branch counts that the conversation ended on.
func TestTurns(t *testing.T) {
	for _, tt := range []struct {
		a    webchat.Adapter
		data string
		want []string
	}{
		{claude(), ofClaude, []string{"session_start c1", "user_turn c1 Let's use Postgres.", "assistant_turn c1 Fine.", "session_start c2"}},
		{chatGPT(), ofChatGPT, []string{"session_start g1", "unknown g1", "user_turn g1 Let's use Postgres.", "assistant_turn g1 Fine."}},
	} {
		var got []string
		adaptertest.Parse(tt.a, "conversations.json", []byte(tt.data), func(ev *core.Event) {
			said := ev.Name() + " " + ev.Session
			switch b := ev.Body.(type) {
			case *core.UserTurn:
				said += fmt.Sprint(" ", b.Text)
			case *core.AssistantTurn:
				said += fmt.Sprint(" ", b.Text)
			}
			got = append(got, said)
		})
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.a.Tool(), got, tt.want)
		}
		for _, a := range []webchat.Adapter{claude(), chatGPT()} {
			want := core.NoFit
			if a == tt.a {
				want = core.NativeFit
			}
			if fit := a.Detect(core.Sample{Path: "conversations.json", Head: []byte(tt.data)}); fit != want {
				t.Errorf("%s: fit %d of what %s writes", a.Tool(), fit, tt.a.Tool())
			}
		}
	}
}
