package testkit_test

import (
	"slices"
	"testing"

	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/verify/invariant"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

func TestInvariantsOfFixtures(t *testing.T) { each(t, fixtures, checkInvariants) }
func TestInvariantsOfRecorded(t *testing.T) { each(t, recorded(), checkInvariants) }

// checkInvariants also reads the session again, with a copy of it in another
// folder: the events are the same, and the copy adds no node.
func checkInvariants(t *testing.T, s *session) {
	report(t, invariant.Result(s.result))
	if s.isSpared(t) {
		return
	}
	twice := fromTwoPlaces(t, s.inputs)
	report(t, invariant.Same(&trial.Result{Streams: s.result.Streams}, &trial.Result{Streams: twice.Streams}))
	report(t, invariant.SameFacts(s.result, twice))
}

// fromTwoPlaces reads every transcript, and then a copy of it in another folder.
func fromTwoPlaces(t *testing.T, inputs []trial.Input) *trial.Result {
	t.Helper()
	twice := slices.Clone(inputs)
	for _, in := range inputs {
		in.Path, in.Name = "copy/"+in.Path, "copy/"+in.Name
		twice = append(twice, in)
	}
	return whole(t, twice)
}

// TestSecrets holds what is written to the promise that nothing leaves before
// redaction, with the secrets that the script of the scenario typed and printed.
func TestSecrets(t *testing.T) {
	found := 0
	for _, root := range []string{fixtures, recorded()} {
		each(t, root, func(t *testing.T, s *session) {
			if s.Base() != "secrets" {
				return
			}
			found++
			if len(invariant.NoSecrets(s.result, secrets(s))) == 0 {
				t.Error("the transcript holds no secrets: the test shows nothing")
			}
			engine, err := redact.New(redact.Options{})
			if err != nil {
				t.Fatal(err)
			}
			clean, err := trial.Whole(s.inputs, engine)
			if err != nil {
				t.Fatal(err)
			}
			report(t, invariant.NoSecrets(clean, secrets(s)))
			report(t, invariant.Structure(clean))
		})
	}
	if found == 0 {
		t.Error("no session with secrets")
	}
}

// secrets are dummies that the script of the scenario "secrets" made up. The
// keys that Amazon's documentation made known to everybody are not among them,
// nor what says of itself that it is none ("hunter2-not-real", "FAKEfakeFAKE…").
func secrets(s *session) []string {
	if s.Truth.Second() {
		return []string{"ghp_" + "FAKE0123456789abcdefFAKE0123456789ab", "MIIEpAIBAAKCAQEAfake", "s3cr3t-pw"}
	}
	return []string{
		"ghp_" + "0123456789abcdefghijABCDEFGHIJ012345",
		"MIIBOgIBAAJBAKfakefakefakefakefakefakefake",
		"FAKEfakeFAKEfakeFAKEfake",
		"s3cr3t-Passw0rd",
		"sk_test_" + "fake4eC39HqLyjWDarjtT1zdp7dc",
	}
}

func whole(t testing.TB, inputs []trial.Input) *trial.Result {
	t.Helper()
	r, err := trial.Whole(inputs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func report(t testing.TB, problems []string) {
	t.Helper()
	for _, p := range problems {
		t.Error(p)
	}
}
