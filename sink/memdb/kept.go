package memdb

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/client"
	"github.com/memscribe/memscribe/sink/memdb/spool"
)

// askTime is how long a server may take to return the head of its chain.
const askTime = 5 * time.Second

// kept watches whether a server keeps what it has taken. After each batch the spool
// notes where the server's chain ends; a chain that has no such entry any more is that
// of an older copy:
//
//	noted                     the server's chain     verdict
//	entry 14 is c0ffee        20 entries, 14 is c0ffee   kept
//	entry 14 is c0ffee        9 entries                  lost
//	entry 14 is c0ffee        20 entries, 14 is badbad   lost: it was restored, and has grown
type kept struct {
	client *client.Client
	spool  *spool.Spool
	log    *slog.Logger
	lock   sync.Mutex // of a look
	lost   atomic.Bool
}

// look compares the server's chain with the noted entry, and then notes the new head. If
// memories were lost the spool gets another id, so that whoever delivers to it starts again
// from the beginning, even after a crash.
//
// It is safe for concurrent use. A chain that only grew is noted at its new end.
func (k *kept) look(ctx context.Context) error {
	k.lock.Lock()
	defer k.lock.Unlock()
	if k.lost.Load() {
		return nil // until the sink is opened again
	}
	noted, err := k.spool.Held(ctx)
	if err != nil {
		return err
	}
	h, err := k.client.HealthAt(ctx, max(noted.Length, 1))
	if err != nil {
		return err
	}
	if noted.Length > 0 && (h.Length < noted.Length || h.At != "" && h.At != noted.Hash) {
		k.log.Error("the server has lost what it had taken: it holds an older copy",
			slog.Int64("entries", h.Length), slog.Int64("noted", noted.Length))
		if err := k.spool.Renew(ctx); err != nil {
			return err
		}
		k.lost.Store(true)
		return nil
	}
	return k.spool.Keep(ctx, spool.Held{Length: h.Length, Hash: h.Head})
}
