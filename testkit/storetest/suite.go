// Package storetest is the test suite that every MemDB store must pass.
package storetest

import (
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/sink/memdb/calls"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/testkit/size"
)

// Store is what the suite needs of a store.
type Store interface {
	calls.Store
	Close() error
}

// Options are those of a store that is opened.
type Options struct {
	Now      func() time.Time
	Random   io.Reader
	StateDir string
	Scrubber core.Scrubber
	Audit    *slog.Logger
	Embedder *embed.Embedder
}

// Suite holds stores to what each must do.
type Suite struct {
	// Open opens the database that belongs to a folder: the same one for the same
	// folder, and an empty one for a new folder.
	Open func(t testing.TB, dir string, o Options) Store
	// Holds reports whether a text stands anywhere in that database, or in the folder.
	Holds func(t testing.TB, dir, text string) bool
	// Every has the ordinary size run every so many-th test of the suite; 0 is all.
	Every int
}

// Run runs the suite.
func (s Suite) Run(t *testing.T) {
	tests := []struct {
		name string
		test func(t *testing.T, s Suite)
	}{
		{"Write", testWrite},
		{"IDs", testIDs},
		{"BatchIsAtomic", testBatchIsAtomic},
		{"Trust", testTrust},
		{"Scrubs", testScrubs},
		{"ScrubsByContext", testScrubsByContext},
		{"PreparesBeforeItWrites", testPreparesBeforeItWrites},
		{"Forget", testForget},
		{"Namespaces", testNamespaces},
		{"Search", testSearch},
		{"Pages", testPages},
		{"Times", testTimes},
		{"CacheIsInvalidated", testCacheIsInvalidated},
		{"Beginnings", testBeginnings},
		{"Superseded", testSuperseded},
		{"SupersededAsKnown", testSupersededAsKnown},
		{"SupersededByWhatIsGone", testSupersededByWhatIsGone},
		{"SupersededEarlier", testSupersededEarlier},
		{"SupersededElsewhere", testSupersededElsewhere},
		{"SupersededRefused", testSupersededRefused},
		{"Changes", testChanges},
		{"ChangesWithNodes", testChangesWithNodes},
		{"NamespaceList", testNamespaceList},
		{"Provenance", testProvenance},
		{"Audit", testAudit},
		{"Together", testTogether},
		{"ClockGoesBack", testClockGoesBack},
		{"ClockWasAhead", testClockWasAhead},
		{"ValidByWrongClock", testValidByWrongClock},
		{"Embeddings", testEmbeddings},
		{"NoEmbeddings", testNoEmbeddings},
		{"EmbeddingsRequired", testEmbeddingsRequired},
		{"EmbeddingsLater", testEmbeddingsLater},
		{"EmbeddingsGone", testEmbeddingsGone},
		{"EmbeddingsOnce", testEmbeddingsOnce},
		{"EmbeddingsRedacted", testEmbeddingsRedacted},
		{"EmbeddingsOfAnotherLength", testEmbeddingsOfAnotherLength},
		{"CacheIsNeverStale", testCacheIsNeverStale},
		{"CacheOfPages", testCacheOfPages},
		{"CacheSeesOwnWrites", testCacheSeesOwnWrites},
	}
	for _, c := range size.Some(tests, max(1, s.Every)) {
		t.Run(c.name, func(t *testing.T) { c.test(t, s) })
	}
}
