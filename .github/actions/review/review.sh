#!/usr/bin/env bash
# Reviews the changes from BASE to HEAD by the decisions in DATABASE, and writes the
# summary and the outputs of the action. It fails if something cannot be asked; that a ban
# is broken it says as an output.
set -euo pipefail

: "${DATABASE:?the input database is empty}" "${BASE:?there is no base: not a pull request?}" "${HEAD:?there is no head}"
[ -f "$DATABASE" ] || {
	echo "::error::there is no database $DATABASE: a step before has to fetch it" >&2
	exit 1
}
git cat-file -e "$BASE^{commit}" && git cat-file -e "$HEAD^{commit}" || {
	echo "::error::a commit is missing: actions/checkout needs fetch-depth: 0" >&2
	exit 1
}

into=${RUNNER_TEMP:?}
flags=(--db "$DATABASE")
[ -z "${PROJECT:-}" ] || flags+=(--project "$PROJECT")

# ask runs a command that may end with one code beside 0, and prints how it ended.
ask() {
	local may=$1 out=$2 code=0
	shift 2
	memscribe "$@" "${flags[@]}" >"$out" || code=$?
	[ "$code" = 0 ] || [ "$code" = "$may" ] || {
		echo "::error::memscribe $1 ended with $code" >&2
		exit "$code"
	}
	echo "$code"
}

broken=false
code=$(ask 3 "$into/memscribe.sarif" check "$BASE..$HEAD" --sarif)
[ "$code" = 0 ] || broken=true
ask 3 "$into/memscribe-check.txt" check "$BASE..$HEAD" >/dev/null
ask 1 "$into/memscribe-pr.md" pr "$BASE..$HEAD" >/dev/null # 1: no line is known to be an agent's

{
	printf '## What was forbidden\n\n'
	sed 's/^/    /' "$into/memscribe-check.txt" # indented, so that nothing in it is Markdown
	printf '\n## What was decided\n\n'
	if [ -s "$into/memscribe-pr.md" ]; then cat "$into/memscribe-pr.md"; else echo "No line is known to be an agent's."; fi
} >"$into/memscribe.md"
cat "$into/memscribe.md" >>"$GITHUB_STEP_SUMMARY"
printf 'broken=%s\nsarif=%s\nreport=%s\n' "$broken" "$into/memscribe.sarif" "$into/memscribe.md" >>"$GITHUB_OUTPUT"
