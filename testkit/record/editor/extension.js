// Runs commands of the editor that it is told over loopback: those that people
// reach by menus only.
const http = require('node:http');
const vscode = require('vscode');

const firstPort = 8181;

/** Texts that name a file become one: {"file": "/a/b"}. */
function revived(value) {
  if (Array.isArray(value)) return value.map(revived);
  if (value && typeof value === 'object') {
    if (typeof value.file === 'string' && Object.keys(value).length === 1) return vscode.Uri.file(value.file);
    if (typeof value.uri === 'string' && Object.keys(value).length === 1) return vscode.Uri.parse(value.uri);
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, revived(v)]));
  }
  return value;
}

async function answer(request, response) {
  let body = '';
  for await (const chunk of request) body += chunk;
  let told;
  try {
    const { command, args = [] } = JSON.parse(body);
    const value = command === 'commands' ? await vscode.commands.getCommands(true) : await vscode.commands.executeCommand(command, ...revived(args));
    try { told = JSON.stringify({ value }); } catch { told = '{}'; }
  } catch (error) {
    told = JSON.stringify({ error: String(error) });
  }
  response.end(told);
}

exports.activate = context => {
  const server = http.createServer(answer);
  let port = firstPort;
  server.on('error', () => server.listen(++port, '127.0.0.1')); // another window has it
  server.listen(port, '127.0.0.1');
  context.subscriptions.push({ dispose: () => server.close() });
};
