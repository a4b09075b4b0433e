package pgstore_test

import (
	"testing"

	"github.com/memscribe/memscribe/testkit/patroni"
	"github.com/memscribe/memscribe/testkit/size"
)

// TestPatroni kills the leader of a cluster of three under a hundred writers. Patroni has
// another server lead, the servers of MemDB find it by themselves, and nothing that was
// acknowledged is lost, nothing is there twice, and the chains are whole.
func TestPatroni(t *testing.T) {
	size.NeedsFull(t, "TestFailover has a standby take the place of a server that is killed")
	cluster := patroni.Start(t)
	crowded(t, cluster.URL("postgres"), map[int]func(){500: cluster.KillLeader})
}
