package cli

import (
	"sync"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/setup"
)

// guard redacts what goes to stderr: messages name files and repeat what was wrong
// with an input, so they are redacted as everything else is. What cannot be is
// withheld. Any goroutine may use it.
type guard struct {
	rules *setup.Rules

	mu     sync.Mutex
	engine *redact.Engine
	own    int // how many rules of the user's the engine has
}

// message redacts a message.
func (g *guard) message(m []byte) []byte {
	clean, err := g.Clean(m)
	if err != nil {
		return []byte("memscribe: a message was withheld: it could not be redacted\n")
	}
	return clean
}

// Clean redacts a message for a person. The engine is built again when rules were
// added since the last message: settings are read after the first messages may be
// due. If it cannot be built, the message is not shown.
func (g *guard) Clean(message []byte) ([]byte, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	o := g.rules.Redaction
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
