// Drives Visual Studio Code, as code-server serves it, as a person does: it reads
// acts from standard input, a line of JSON each, and says on standard output when
// each is done, or why it is not.
import { createRequire } from 'node:module';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import fs from 'node:fs';

const job = JSON.parse(process.argv[2]); // client, work, out, run, deny
const { chromium } = createRequire(job.client + '/')('playwright-core');
const home = process.env.HOME, base = 'http://127.0.0.1:8080', firstPort = 8181;
const input = '.interactive-session .interactive-input-part .monaco-editor';

const sleep = ms => new Promise(done => setTimeout(done, ms));
const say = told => console.log(JSON.stringify({ at: Date.now(), ...told }));

async function until(what, holds, limit = 90_000) {
  for (const end = Date.now() + limit; Date.now() < end; await sleep(300)) {
    if (await holds()) return;
  }
  throw new Error('nothing came: ' + what);
}

let server, browser, page, ended = false, shots = 0;
const pages = []; // of the windows, in the order in which they were opened

async function serve() {
  const log = fs.openSync(home + '/server.log', 'a');
  server = spawn(process.execPath, [job.client + '/node_modules/code-server/out/node/entry.js', '--auth', 'none', '--bind-addr', '127.0.0.1:8080',
    '--disable-telemetry', '--disable-update-check', '--disable-workspace-trust', '--disable-getting-started-override'], { stdio: ['ignore', log, log], detached: true });
  await until('server', async () => { try { return (await fetch(base + '/healthz')).ok; } catch { return false; } });
}

// code-server ships the chat's extension switched off until somebody is asked.
const switchOn = () => new Promise((done, failed) => {
  const open = indexedDB.open('vscode-web-state-db-global', 1);
  open.onupgradeneeded = () => open.result.createObjectStore('ItemTable');
  open.onerror = failed;
  open.onsuccess = () => {
    const change = open.result.transaction('ItemTable', 'readwrite'), table = change.objectStore('ItemTable');
    table.put('true', 'builtinChatExtensionEnablementMigration');
    table.delete('extensionsIdentifiers/disabled');
    change.oncomplete = () => { open.result.close(); done(); };
  };
});

async function start() {
  await serve();
  browser = await chromium.launchPersistentContext(home + '/.chrome', {
    executablePath: job.browser, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'], viewport: { width: 1500, height: 1400 },
  });
  page = browser.pages()[0] || await browser.newPage();
  await page.goto(base + '/_static/none');
  await page.evaluate(switchOn);
  answerQuestions();
}

async function openWindow(folder) {
  if (pages.length) page = await browser.newPage();
  pages.push(page);
  page.setDefaultTimeout(60_000);
  page.on('dialog', d => d.accept().catch(() => {}));
  let ready = false;
  page.on('console', m => {
    const text = m.text();
    ready ||= /event=select-default|hasModels|event=.*select/.test(text);
    if (/ERR|select/.test(text)) say({ heard: text.slice(0, 300) });
  });
  await page.goto(folder ? base + '/?folder=' + folder : base + '/?ew=true');
  await page.waitForSelector('.monaco-workbench .part.editor');
  await until('extension', async () => (await run('commands').catch(() => ({}))).value);
  if (!await page.$(input)) await run('workbench.action.chat.open');
  await page.waitForSelector(input);
  await until('model', () => ready, 60_000).catch(e => say({ heard: e.message }));
  await sleep(2000);
}

// run has the editor run a command; some are over only when a person goes on.
async function run(command, args = []) {
  const port = firstPort + pages.indexOf(page);
  const told = await (await fetch('http://127.0.0.1:' + port, { method: 'POST', body: JSON.stringify({ command, args }) })).json();
  if (told.error) throw new Error(command + ': ' + told.error);
  return told;
}

const shot = async () => { try { await page.screenshot({ path: job.out + '/shot' + job.run + '-' + (shots++) + '.png' }); } catch { /* it is gone */ } };

// answerQuestions presses what a person would who allows everything, or nothing.
async function answerQuestions() {
  const wanted = job.deny ? /^(Skip|Cancel|Deny)/ : /^(Allow|Continue$|Run|Enable|Keep|OK|Yes|Restore)/;
  const places = ['.chat-confirmation-widget-buttons', '.chat-confirmation-widget2', '.chat-tool-confirmation-carousel', '.monaco-dialog-box'];
  for (; !ended; await sleep(400)) {
    for (const window of pages) {
      try {
        for (const b of await window.$$(places.map(p => p + ' .monaco-button').join(', '))) {
          const text = ((await b.textContent()) || '').trim();
          if (wanted.test(text) && await b.isVisible()) { say({ pressed: text }); await b.click({ timeout: 2000 }); break; }
        }
      } catch { /* it went away */ }
    }
  }
}

async function paste(file) {
  const data = fs.readFileSync(file).toString('base64');
  await page.evaluate(data => {
    const bytes = Uint8Array.from(atob(data), c => c.charCodeAt(0)), all = new DataTransfer();
    all.items.add(new File([bytes], 'mockup.png', { type: 'image/png' }));
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: all, bubbles: true, cancelable: true }));
  }, data);
  await sleep(3000);
}

async function send({ text, image }) {
  await run('workbench.action.chat.focusInput');
  await sleep(300);
  if (image) await paste(image);
  await page.keyboard.insertText(text);
  await sleep(1200);
  if (text.startsWith('/')) { await page.keyboard.press('Escape'); await sleep(300); }
  await page.keyboard.press('Enter');
  await sleep(1500);
}

const isBusy = () => page.evaluate(() => !!document.querySelector('.interactive-session .chat-response-loading'));

async function idle({ limit = 120_000 }) {
  let quiet = 0;
  await until('end of the response', async () => (quiet = await isBusy() ? 0 : quiet + 1) > 6, limit);
}

const requests = '.interactive-session .interactive-request';

// reopen waits for the session that the editor shows again, or picks the latest.
async function reopen() {
  if (!await page.locator(requests).count()) {
    const row = page.locator('.agent-sessions-viewer .monaco-list-row, .agent-sessions-control-container .monaco-list-row').first();
    await row.click({ timeout: 10_000 });
  }
  await until('requests of the session', () => page.locator(requests).count());
  await sleep(1500);
}

// restore goes back to the checkpoint before the last request, and empties the input
// of what is put there again.
async function restore() {
  await page.locator(requests).last().hover();
  await page.locator('.interactive-session .chat-restore-checkpoint-item .action-label:visible').last().click({ timeout: 10_000 });
  await sleep(2000);
  await run('workbench.action.chat.focusInput');
  await acts.press({ text: 'Control+a Delete' });
}

// fork goes on in a copy of the session.
async function fork() {
  await send({ text: '/fork' });
  await sleep(2000);
  await run('workbench.action.chat.focusInput');
  await acts.press({ text: 'Control+a Delete' }); // the command is in its input again
}

// kill ends the editor with all of its processes. The browser has nobody then to whom
// it could give what it would save; it is closed, so that the next one can use its folder.
async function kill() {
  ended = true;
  process.kill(-server.pid, 'SIGKILL');
  await browser.close().catch(() => {});
}

// written is how much there is of the sessions in which something was asked.
function written() {
  const users = home + '/.local/share/code-server/User/';
  const all = fs.readdirSync(users, { recursive: true }).filter(name => /hatSessions.*[.]json/.test(name)).map(name => fs.readFileSync(users + name, 'utf8'));
  return all.filter(text => text.includes('requestId')).reduce((sum, text) => sum + text.length, 0);
}

// leave gives the editor time to save its sessions: in a browser it has none when it is
// closed, as one in a window of its own has.
async function leave() {
  const before = written();
  for (page of pages) { try { await run('workbench.action.chat.newChat'); } catch (error) { say({ heard: String(error) }); } }
  await until('saved sessions', () => written() !== before, 10_000).catch(() => {});
  await sleep(1500);
  for (const window of pages) { try { await window.goto('about:blank'); } catch { /* it is gone */ } }
  await sleep(3000);
  ended = true;
  await browser?.close();
  server?.kill('SIGTERM');
  await Promise.race([new Promise(done => server?.on('exit', done)), sleep(8000)]);
}

const acts = {
  start, leave, idle,
  window: ({ folder }) => openWindow(folder),
  switch: ({ nth = 0 }) => { page = pages[nth]; return page.bringToFront(); },
  reopen, restore, fork, kill,
  prompt: send,
  command: async ({ text, args }) => { const told = await Promise.race([run(text, args), sleep(10_000)]); await sleep(1000); return told; },
  press: async ({ text }) => { for (const key of text.split(' ')) { await page.keyboard.press(key); await sleep(300); } },
  type: ({ text }) => page.keyboard.insertText(text),
  hover: ({ text }) => page.locator(text).last().hover(),
  click: async ({ text }) => { await page.locator(text).last().click({ timeout: 10_000 }); await sleep(1000); },
  see: ({ text }) => page.waitForSelector(text),
  rest: ({ ms = 1000 }) => sleep(ms),
  count: async ({ text }) => ({ value: await page.locator(text).count() }),
  html: async ({ text }) => ({ value: await page.locator(text).last().evaluate(e => e.outerHTML) }),
  shot,
};

for await (const line of createInterface({ input: process.stdin })) {
  const act = JSON.parse(line);
  try {
    const told = await acts[act.do](act);
    say({ done: act.do, value: told?.value });
  } catch (error) {
    await shot();
    say({ failed: act.do, why: error.stack });
  }
  if (act.do === 'leave') break;
}
process.exit();
