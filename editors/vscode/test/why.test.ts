// The program is a stand-in that prints what "memscribe why --json" said of a recorded project.

import assert from "node:assert/strict";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { args, ask, describe, locate, Missing, parse } from "../src/why";

const recorded = join(__dirname, "..", "..", "test", "orders.ndjson");
const needsShebang = process.platform === "win32" ? "a script is no program there" : false;
let dir: string;

before(() => {
	dir = mkdtempSync(join(tmpdir(), "memscribe-vscode-"));
	copyFileSync(recorded, join(dir, "orders.ndjson"));
	writeFileSync(join(dir, "orders.js"), "");
});
after(() => rmSync(dir, { recursive: true }));

/** A program of these lines of JavaScript. */
function program(name: string, body: string): string {
	const file = join(dir, name);
	writeFileSync(file, `#!${process.execPath}\n${body}\n`);
	chmodSync(file, 0o755);
	return file;
}

test("an answer is read line by line", () => {
	const lines = parse(readFileSync(recorded, "utf8"));
	assert.equal(lines.length, 17);
	assert.deepEqual(
		lines.map((l) => l.line),
		lines.map((_, i) => i + 1),
	);
	assert.deepEqual(describe(lines[12]!), [
		"Topic one: pagination. Let's use cursor pagination rather than offset for listOrders.",
		"claude_code, session 00dbe616-df7a, 2026-11-21",
		"commit 7cd8ad839eec",
	]);
	assert.deepEqual(describe(lines[1]!), ["codex, session 01a1fbcb-23a2, 2026-11-21", "commit 7cd8ad839eec"]);
	assert.deepEqual(describe(lines[0]!), []);
});

test("edits that may both have written a line are named", () => {
	const episode = parse(readFileSync(recorded, "utf8"))[1]!.episode!;
	const said = describe({ line: 1, text: "", status: "ambiguous", candidates: [episode, episode] });
	assert.deepEqual(said, ["Several edits may have written this:", "codex, session 01a1fbcb-23a2, 2026-11-21", "codex, session 01a1fbcb-23a2, 2026-11-21"]);
});

test("what is no answer is refused", () => {
	for (const answer of ["{", "[]", "1", "null", '{"line":"1","status":"none"}']) {
		assert.throws(() => parse(answer), answer);
	}
	assert.deepEqual(parse(""), []);
});

test("names and settings are arguments, never options or a shell's words", () => {
	assert.deepEqual(args({ path: "", db: "" }, "/w/-x; rm", 7), ["why", "--json", "--", "/w/-x; rm:7"]);
	assert.deepEqual(args({ path: "", db: "/n b.db" }, "/w/a.js"), ["why", "--json", "--db", "/n b.db", "--", "/w/a.js"]);
});

test("the program is asked, in the file's folder", { skip: needsShebang }, async () => {
	const says = "process.stdout.write(require('node:fs').readFileSync('orders.ndjson'))";
	const path = program("says", says);
	const lines = await ask({ path, db: "" }, join(dir, "orders.js"), new AbortController().signal);
	assert.equal(lines[12]?.status, "decision");
});

test("no recorded edit is an answer, a failure is none", { skip: needsShebang }, async () => {
	const file = join(dir, "orders.js");
	const { signal } = new AbortController();
	const hand = program("hand", `console.log('{"line":1,"text":"a","status":"hand"}'); process.exitCode = 1`);
	assert.equal((await ask({ path: hand, db: "" }, file, signal, 1))[0]?.status, "hand");
	const fails = program("fails", "console.error('memscribe: the file is damaged'); process.exitCode = 2");
	await assert.rejects(ask({ path: fails, db: "" }, file, signal), /^Error: memscribe: the file is damaged$/);
});

test("a question that is given up ends the program", { skip: needsShebang }, async () => {
	const path = program("waits", "setInterval(() => {}, 1000)");
	const given = new AbortController();
	const asked = ask({ path, db: "" }, join(dir, "orders.js"), given.signal);
	given.abort();
	await assert.rejects(asked, { name: "AbortError" });
});

test("a program is looked for in folders of PATH alone", { skip: needsShebang }, async () => {
	const path = program("memscribe", "");
	assert.equal(locate("memscribe", `.:${dir}`), path);
	assert.equal(locate(path, ""), path);
	for (const name of ["memscribe", "./memscribe", "nothing"]) {
		assert.throws(() => locate(name, ".:"), Missing);
	}
	await assert.rejects(ask({ path: "./memscribe", db: "" }, join(dir, "orders.js"), new AbortController().signal), Missing);
});
