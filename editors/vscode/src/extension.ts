// Shows in the gutter and on hover which decision a line comes from.

import * as vscode from "vscode";
import { ask, describe, Line, Missing, Settings } from "./why";

/** How long the cursor must rest before its line is asked for. */
const rest = 200;

export function activate(context: vscode.ExtensionContext): void {
	const shown = new Shown(context);
	context.subscriptions.push(
		shown,
		vscode.languages.registerHoverProvider({ scheme: "file" }, shown),
		vscode.window.onDidChangeActiveTextEditor((editor) => shown.mark(editor)),
		vscode.window.onDidChangeTextEditorSelection((e) => shown.point(e.textEditor)),
		vscode.workspace.onDidSaveTextDocument((document) => shown.saved(document)),
		vscode.workspace.onDidChangeTextDocument((e) => shown.changed(e.document)),
		vscode.workspace.onDidCloseTextDocument((document) => shown.forget(document)),
		vscode.workspace.onDidChangeConfiguration((e) => e.affectsConfiguration("memscribe") && shown.again()),
		vscode.commands.registerCommand("memscribe.toggleGutter", () => {
			const settings = vscode.workspace.getConfiguration("memscribe");
			return settings.update("gutter", !settings.get<boolean>("gutter"), vscode.ConfigurationTarget.Global);
		}),
	);
	shown.mark(vscode.window.activeTextEditor);
}

function settings(): Settings {
	const s = vscode.workspace.getConfiguration("memscribe");
	return { path: s.get("path", "memscribe"), db: s.get("db", "") };
}

/** Only what is on the disk can be asked for: lines of an unsaved text have other numbers. */
const askable = (d: vscode.TextDocument) => d.uri.scheme === "file" && !d.isDirty;

/** Shown is what the editor shows. Of each file as it was saved last it has one answer at most. */
class Shown implements vscode.HoverProvider, vscode.Disposable {
	private readonly answers = new Map<string, Line[]>();
	private readonly decision: vscode.TextEditorDecorationType;
	private readonly edit: vscode.TextEditorDecorationType;
	private readonly bar = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
	private marking = new AbortController();
	private pointing = new AbortController();
	private told = false;

	constructor(context: vscode.ExtensionContext) {
		const icon = (name: string) =>
			vscode.window.createTextEditorDecorationType({ gutterIconPath: context.asAbsolutePath(`icons/${name}.svg`), gutterIconSize: "contain" });
		this.decision = icon("decision");
		this.edit = icon("edit");
	}

	/** Marks the lines of the file that is being looked at. What was asked for another one is given up. */
	async mark(editor: vscode.TextEditor | undefined): Promise<void> {
		this.marking.abort();
		this.marking = new AbortController();
		this.bar.hide();
		const wanted = vscode.workspace.getConfiguration("memscribe").get<boolean>("gutter", true);
		if (editor === undefined || !askable(editor.document) || !wanted) {
			this.draw(editor, []);
			return;
		}
		const lines = await this.lines(editor.document, this.marking.signal);
		if (lines !== undefined && askable(editor.document)) {
			this.draw(editor, lines);
			this.say(lines[editor.selection.active.line]);
		}
	}

	/** Says in the status bar what is behind the line of the cursor. Moving on cancels the question. */
	point(editor: vscode.TextEditor): void {
		this.pointing.abort();
		this.pointing = new AbortController();
		this.bar.hide();
		const { signal } = this.pointing;
		const timer = setTimeout(() => void this.pointed(editor, signal), rest);
		signal.addEventListener("abort", () => clearTimeout(timer));
	}

	private async pointed(editor: vscode.TextEditor, signal: AbortSignal): Promise<void> {
		const line = await this.line(editor.document, editor.selection.active.line, signal);
		if (!signal.aborted) {
			this.say(line);
		}
	}

	async provideHover(document: vscode.TextDocument, position: vscode.Position, token: vscode.CancellationToken): Promise<vscode.Hover | undefined> {
		const asked = new AbortController();
		const listening = token.onCancellationRequested(() => asked.abort());
		try {
			const line = await this.line(document, position.line, asked.signal);
			const said = line === undefined ? [] : describe(line);
			if (said.length === 0) {
				return undefined;
			}
			// Text of transcripts is no markup, and its links lead nowhere.
			const text = new vscode.MarkdownString();
			said.forEach((s, i) => text.appendText(i === 0 ? s : `\n${s}`));
			return new vscode.Hover(text, document.lineAt(position.line).range);
		} finally {
			listening.dispose();
		}
	}

	saved(document: vscode.TextDocument): void {
		this.forget(document);
		const editor = vscode.window.activeTextEditor;
		if (editor?.document === document) {
			void this.mark(editor);
		}
	}

	changed(document: vscode.TextDocument): void {
		if (document.isDirty) {
			this.forget(document);
		}
	}

	forget(document: vscode.TextDocument): void {
		this.answers.delete(document.uri.fsPath);
	}

	/** Asks anew: the settings are other ones. */
	again(): void {
		this.answers.clear();
		this.told = false;
		void this.mark(vscode.window.activeTextEditor);
	}

	dispose(): void {
		this.marking.abort();
		this.pointing.abort();
		for (const d of [this.decision, this.edit, this.bar]) {
			d.dispose();
		}
	}

	private async line(document: vscode.TextDocument, at: number, signal: AbortSignal): Promise<Line | undefined> {
		if (!askable(document)) {
			return undefined;
		}
		const known = this.answers.get(document.uri.fsPath);
		return known ? known[at] : (await this.asked(document, signal, at + 1))?.[0];
	}

	private async lines(document: vscode.TextDocument, signal: AbortSignal): Promise<Line[] | undefined> {
		const path = document.uri.fsPath;
		const known = this.answers.get(path);
		if (known !== undefined) {
			return known;
		}
		const version = document.version;
		const lines = await this.asked(document, signal);
		if (lines !== undefined && document.version === version) {
			this.answers.set(path, lines);
		}
		return lines;
	}

	/** Asks the program. It reports once that it is not there; what else fails shows nothing. */
	private async asked(document: vscode.TextDocument, signal: AbortSignal, line?: number): Promise<Line[] | undefined> {
		try {
			return await ask(settings(), document.uri.fsPath, signal, line);
		} catch (e) {
			if (e instanceof Missing && !this.told) {
				this.told = true;
				void vscode.window.showWarningMessage(e.message);
			}
			return undefined;
		}
	}

	private draw(editor: vscode.TextEditor | undefined, lines: Line[]): void {
		const at = (status: Line["status"]) => lines.filter((l) => l.status === status).map((l) => new vscode.Range(l.line - 1, 0, l.line - 1, 0));
		editor?.setDecorations(this.decision, at("decision"));
		editor?.setDecorations(this.edit, at("edit"));
	}

	private say(line: Line | undefined): void {
		const [first] = line === undefined ? [] : describe(line);
		if (first === undefined) {
			this.bar.hide();
			return;
		}
		this.bar.text = first.replaceAll("$(", "$ ("); // no icons out of somebody's text
		this.bar.show();
	}
}
