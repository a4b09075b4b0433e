package decide_test

import (
	"testing"

	"github.com/memscribe/memscribe/core/gate"
)

func standard(t testing.TB) *gate.Rules {
	t.Helper()
	rules, err := gate.New(gate.Standard())
	if err != nil {
		t.Fatal(err)
	}
	return rules
}
