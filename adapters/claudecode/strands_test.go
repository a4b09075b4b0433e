package claudecode_test

import (
	"slices"
	"strings"
	"testing"
)

// TestStrands has two processes go on with one session at once: the first prompt
// of the second hangs on what the first hung on, as after a rewind. That it was
// none, the first one tells by going on.
func TestStrands(t *testing.T) {
	begun := func() *session { return new(session).add(user("One.")).add(says("1")).add(user("Two.")) }
	write := calls("toolu_a", "Write", `{"file_path":"/w/a.go","content":"x\n"}`)
	written := answers("toolu_a", `"File created successfully"`, "")
	at := []string{"turn One.", "said 1", "turn Two.", "said", "call Write toolu_a", "result toolu_a", "edit Write /w/a.go create +1 -0"}
	after := func(more ...string) []string { return slices.Concat(at, more) }

	t.Run("while the model is at work in the first", func(t *testing.T) {
		begun().add(write).add(written).on(`"r2"`, user("Three.")).on(`"r5"`, says("2")).on(`"r6"`, says("3")).
			on(`"r7"`, user("Four.")).on(`"r8"`, user("Five.")).check(t, after("rewind to r2, 2", "turn Three.",
			"strand 1: said 2 (voids rewind:r6)", "said 3", "strand 1: turn Four.", "turn Five.")...)
	})
	t.Run("while a call of the first is under way", func(t *testing.T) {
		call := strings.Replace(write, `"role"`, `"model":"claude","role"`, 1)
		begun().add(call).on(`"r2"`, user("Three.")).on(`"r4"`, written).on(`"r5"`, says("3")).on(`"r6"`, says("2")).
			check(t, slices.Concat(at[:5], []string{
				"rewind to r2, 2", "turn Three.", "strand 1: result toolu_a (voids rewind:r5)",
				"strand 1: edit Write /w/a.go create +1 -0", "said 3", "strand 1: said 2",
			})...)
	})
	t.Run("after the first was done, which goes on later", func(t *testing.T) {
		begun().add(says("2")).on(`"r2"`, user("Three.")).add(says("3")).on(`"r4"`, user("Four.")).add(says("4")).
			on(`"r6"`, user("Five.")).check(t,
			"turn One.", "said 1", "turn Two.", "said 2", "rewind to r2, 2", "turn Three.", "said 3",
			"strand 1: turn Four. (voids rewind:r5)", "strand 1: said 4", "turn Five.")
	})
	t.Run("both prompts before an answer", func(t *testing.T) {
		begun().on(`"r2"`, user("Three.")).on(`"r3"`, says("2")).on(`"r4"`, says("3")).check(t,
			"turn One.", "said 1", "turn Two.", "rewind to r2, 2", "turn Three.",
			"strand 1: said 2 (voids rewind:r4)", "said 3")
	})
	t.Run("and the second has read the turn of the first that is under way", func(t *testing.T) {
		begun().add(write).on(`"r3"`, user("Three.")).on(`"r4"`, written).on(`"r5"`, says("3")).on(`"r6"`, says("2")).
			on(`"r7"`, user("Four.")).on(`"r8"`, user("Five.")).check(t, slices.Concat(at[:5], []string{
			"turn Three.", "result toolu_a", "edit Write /w/a.go create +1 -0", "said 3",
			"strand 1: said 2", "turn Four.", "strand 1: turn Five.",
		})...)
	})
	t.Run("and the second is taken back later", func(t *testing.T) {
		begun().add(write).add(written).on(`"r2"`, user("Three.")).on(`"r5"`, says("2")).on(`"r6"`, says("3")).
			add(user("Four.")).add(says("4")).on(`"r8"`, user("Five.")).check(t, after(
			"rewind to r2, 2", "turn Three.", "strand 1: said 2 (voids rewind:r6)", "said 3", "turn Four.", "said 4",
			"rewind to r8, 11", "turn Five.")...)
	})
	t.Run("and one of them is taken back to before they parted, which one cannot be told", func(t *testing.T) {
		begun().add(write).add(written).on(`"r2"`, user("Three.")).on(`"r5"`, says("2")).on(`"r6"`, says("3")).
			on(`"r2"`, user("Four.")).check(t, after(
			"rewind to r2, 2", "turn Three.", "strand 1: said 2 (voids rewind:r6)", "said 3", "strand 2: turn Four.")...)
	})
	t.Run("or the first was killed, and says nothing more", func(t *testing.T) {
		begun().add(write).add(written).on(`"r2"`, user("Three.")).add(says("3")).add(user("Four.")).check(t, after(
			"rewind to r2, 2", "turn Three.", "said 3", "turn Four.")...)
	})
	t.Run("or the first was interrupted, and the conversation taken back", func(t *testing.T) {
		begun().add(write).add(written).add(user("[Request interrupted by user]")).on(`"r2"`, user("Three.")).check(t, after(
			"put [Request interrupted by user]", "rewind to r2, 2", "turn Three.")...)
	})
	t.Run("and one of them compacts the conversation", func(t *testing.T) {
		begun().add(write).add(written).on(`"r2"`, user("Three.")).on(`"r5"`, says("2")).on(`"r6"`, says("3")).
			on("null", `"type":"system","subtype":"compact_boundary","logicalParentUuid":"r7"`).add(user("Sum.")+`,"isCompactSummary":true`).
			on(`"r8"`, says("4")).check(t, after(
			"rewind to r2, 2", "turn Three.", "strand 1: said 2 (voids rewind:r6)", "said 3",
			"strand 1: known system/compact_boundary", "strand 1: compaction of 0 to 10: Sum.", "said 4")...)
	})
}
