package redact_test

import (
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

var _ core.Scrubber = (*redact.Engine)(nil)

func engine(t testing.TB, o redact.Options) *redact.Engine {
	t.Helper()
	e, err := redact.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
