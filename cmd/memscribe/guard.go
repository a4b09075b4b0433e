package main

import (
	"io"
	"sync"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

// guard is the only way to stderr: messages name files and repeat what was wrong
// with an input, so they are redacted as everything else is. What cannot be is
// withheld.
type guard struct {
	out   io.Writer
	rules *rules

	mu     sync.Mutex
	engine *redact.Engine
	own    int // how many rules of the user's the engine has
}

// Write writes one message.
func (g *guard) Write(message []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	clean, err := g.clean(message)
	if err != nil {
		clean = []byte("memscribe: a message was withheld: it could not be redacted\n")
	}
	if _, err := g.out.Write(clean); err != nil {
		return 0, err
	}
	return len(message), nil
}

func (g *guard) clean(message []byte) ([]byte, error) {
	o := g.rules.redaction
	if n := len(o.Rules) + len(o.Allow); g.engine == nil || n != g.own {
		engine, err := redact.New(o)
		if err != nil {
			return nil, err
		}
		g.engine, g.own = engine, n
	}
	clean, _, err := g.engine.Scrub(core.TextField, message)
	return clean, err
}
