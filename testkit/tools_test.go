package testkit_test

import "github.com/memscribe/memscribe/core"

// tools lists those whose sessions the tests here cover.
func tools() []core.Tool { return []core.Tool{core.ClaudeCode, core.Codex} }
