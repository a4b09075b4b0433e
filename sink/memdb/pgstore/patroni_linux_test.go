package pgstore_test

import (
	"testing"

	"github.com/memscribe/memscribe/testkit/patroni"
)

// TestPatroni kills the leader of a cluster of three under a hundred writers. Patroni has
// another server lead, the servers of MemDB find it by themselves, and nothing that was
// acknowledged is lost, nothing is there twice, and the chains are whole.
func TestPatroni(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a cluster")
	}
	cluster := patroni.Start(t)
	crowded(t, cluster.URL("postgres"), map[int]func(){500: cluster.KillLeader})
}
