#!/usr/bin/env node
// Runs the program of this system, which npm has brought along as an optional dependency.
"use strict";
const { spawnSync } = require("node:child_process");

const name = `@memscribe/${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "memscribe.exe" : "memscribe";
let at;
try {
  at = require.resolve(`${name}/${program}`);
} catch {
  console.error(`memscribe: ${name} is not installed: there is none for this system, or npm was told --omit=optional`);
  process.exit(1);
}
const ended = spawnSync(at, process.argv.slice(2), { stdio: "inherit" });
if (ended.error) {
  console.error(`memscribe: run ${at}: ${ended.error.message}`);
  process.exit(1);
}
if (ended.signal) process.kill(process.pid, ended.signal);
else process.exit(ended.status);
