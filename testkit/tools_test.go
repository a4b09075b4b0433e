package testkit_test

import "github.com/memscribe/memscribe/core"

// tools lists those whose sessions the tests here cover.
func tools() []core.Tool {
	return []core.Tool{core.ClaudeCode, core.Codex, core.Gemini, core.Qwen, core.Copilot, core.Pi, core.Cline, core.Continue, core.OpenCode, core.Kilo, core.Hermes, core.VSCode, core.Kimi, core.Grok, core.OpenHands, core.Vibe}
}
