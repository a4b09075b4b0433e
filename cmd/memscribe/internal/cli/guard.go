package cli

import (
	"sync"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/setup"
)

// guard redacts what goes to stderr. Error messages name files and repeat parts of the input,
// so they are redacted like everything else. A message that cannot be redacted is withheld. It
// is safe for concurrent use.
type guard struct {
	rules *setup.Rules

	mu     sync.Mutex
	engine *redact.Engine
	own    int // how many rules of the user's the engine has
}

// message redacts a message, or replaces it by a note that it was withheld.
func (g *guard) message(m []byte) []byte {
	clean, err := g.Clean(m)
	if err != nil {
		return []byte("memscribe: a message was withheld: it could not be redacted\n")
	}
	return clean
}

// Clean redacts a message for a person. The first messages may come before the settings are
// read, so the engine is built again when there are more rules than before. If it cannot be
// built, the error is returned and the message must not be shown.
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
