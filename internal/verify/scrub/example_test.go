package scrub_test

import (
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/scrub"
)

func ExampleTranscript() {
	prompt := strings.Repeat("You are a coding agent. ", 50)
	clean, err := scrub.Transcript(core.Codex, []byte(`{"type":"session_meta","payload":{"id":"s1","base_instructions":{"text":"`+prompt+`"}}}`))
	fmt.Println(string(clean), err)
	// Output:
	// {"type":"session_meta","payload":{"id":"s1","base_instructions":{"text":"[left out: 1200 bytes]"}}} <nil>
}
