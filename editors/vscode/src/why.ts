// What "memscribe why --json" says of lines, without the editor.

import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";

/** An edit that a tool recorded. */
export interface Episode {
	id: string;
	session_id: string;
	source: string;
	timestamp: string;
}

/** A line, and what stands behind it. */
export interface Line {
	line: number;
	text: string;
	status: "decision" | "edit" | "hand" | "none" | "ambiguous";
	episode?: Episode;
	decision?: { id: string; epitome: string; title: string };
	commit?: string;
	evidence?: string;
	candidates?: Episode[];
}

/** What is run, and for which database: "" is the one that watch keeps. */
export interface Settings {
	path: string;
	db: string;
}

/** The most that one answer may have, and the longest that it may take. */
const maxBytes = 64 << 20;
const maxMilliseconds = 20_000;

/** The exit code of an answer in which no line has an edit. */
const nothingFound = 1;

/** The error of a program that is not there. */
export class Missing extends Error {}

/**
 * The file that a name stands for. Only absolute folders of PATH are looked in: a program that lies in
 * the folder of the file that is asked for is never run. Throws Missing.
 */
export function locate(name: string, searched = process.env.PATH ?? "", windows = process.platform === "win32"): string {
	const runs = (file: string) => {
		try {
			accessSync(file, constants.X_OK);
			return statSync(file).isFile();
		} catch {
			return false;
		}
	};
	const names = windows && !/\.exe$/i.test(name) ? [name + ".exe"] : [name];
	const plain = !/[\\/]/.test(name);
	for (const dir of plain ? searched.split(delimiter).filter(isAbsolute) : [""]) {
		const found = names.map((n) => (plain ? join(dir, n) : n)).find((file) => isAbsolute(file) && runs(file));
		if (found !== undefined) {
			return found;
		}
	}
	throw new Missing(`${name} is not in your PATH; set memscribe.path to the full path of the program`);
}

/** The arguments that ask for a file, or for one line of it. */
export function args(settings: Settings, file: string, line?: number): string[] {
	const db = settings.db === "" ? [] : ["--db", settings.db];
	return ["why", "--json", ...db, "--", line === undefined ? file : `${file}:${line}`];
}

/** Reads an answer: one JSON object a line. Throws if it is something else. */
export function parse(answer: string): Line[] {
	return answer
		.split("\n")
		.filter((s) => s !== "")
		.map((s) => {
			const value: unknown = JSON.parse(s);
			if (typeof value !== "object" || value === null || typeof (value as Line).line !== "number" || typeof (value as Line).status !== "string") {
				throw new Error("memscribe answered with something else than lines");
			}
			return value as Line;
		});
}

/**
 * Asks for a file as it is on the disk, or for one line of it. No shell is in between. The program is
 * ended when the signal says so, and then the promise is rejected with an AbortError.
 */
export function ask(settings: Settings, file: string, signal: AbortSignal, line?: number): Promise<Line[]> {
	return new Promise((resolve, reject) => {
		const options = { cwd: dirname(file), signal, shell: false, windowsHide: true, maxBuffer: maxBytes, timeout: maxMilliseconds };
		execFile(locate(settings.path), args(settings, file, line), options, (error, stdout, stderr) => {
			if (error !== null && error.code !== nothingFound) {
				reject(error.name === "AbortError" ? error : new Error(stderr.trim() || error.message));
				return;
			}
			try {
				resolve(parse(stdout));
			} catch (e) {
				reject(e);
			}
		});
	});
}

/** The day of a time, as it was recorded. */
const day = (timestamp: string) => timestamp.slice(0, "2006-01-02".length);

const edit = (e: Episode) => `${e.source}, session ${e.session_id.slice(0, 13)}, ${day(e.timestamp)}`;

/** What a person reads about a line, as plain lines of text; none where nothing is known. */
export function describe(l: Line): string[] {
	const commit = l.commit === undefined ? [] : [`commit ${l.commit.slice(0, 12)}`];
	switch (l.status) {
		case "decision":
		case "edit": {
			const first = l.decision ? [l.decision.title || l.decision.epitome] : [];
			return [...first, ...(l.episode ? [edit(l.episode)] : []), ...commit];
		}
		case "ambiguous":
			return ["Several edits may have written this:", ...(l.candidates ?? []).map(edit), ...commit];
		default:
			return [];
	}
}
