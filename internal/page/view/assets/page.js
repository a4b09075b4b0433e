// What the page does beyond being read: keys, filters as one types, and news as they come.
'use strict';

const list = () => document.getElementById('list');
const say = (text) => { document.getElementById('status').textContent = text; };

// swap puts what the server has at an address in the place of the list.
async function swap(address, marksNew) {
  const answer = await fetch(address, { headers: { Accept: 'text/html' } });
  if (!answer.ok) return 0;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const next = page.getElementById('list');
  if (!next || !list()) return 0;
  const known = new Set([...list().querySelectorAll('[data-id]')].map((e) => e.dataset.id));
  let fresh = 0;
  for (const e of next.querySelectorAll('[data-id]')) {
    if (marksNew && !known.has(e.dataset.id)) { e.classList.add('new'); fresh++; }
  }
  const focused = document.activeElement && list().contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  list().replaceWith(next);
  if (focused) [...next.querySelectorAll('a')].find((a) => a.getAttribute('href') === focused)?.focus({ preventScroll: true });
  return fresh;
}

// Filters work as one types; without this script they work by their button.
let latest = 0;
let waiting = 0;
for (const form of document.querySelectorAll('form[data-filter]')) {
  const update = () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const asked = ++latest;
      const fields = [...new FormData(form)].filter(([, value]) => value !== '');
      const address = form.getAttribute('action') + '?' + new URLSearchParams(fields);
      await swap(address, false);
      if (asked !== latest) { update(); return; }
      history.replaceState(null, '', address);
      say(document.querySelectorAll('#list article').length + ' shown');
    }, 150);
  };
  form.addEventListener('input', update);
}

// News come in where a list stands at its beginning, or a session at its end.
if (document.querySelector('[data-live]') && !new URLSearchParams(location.search).has('after')) {
  const news = new EventSource('/events');
  let busy = false;
  let again = false;
  const take = async () => {
    if (busy) { again = true; return; }
    busy = true;
    const fresh = await swap(location.href, true).catch(() => 0);
    if (fresh) say(fresh + ' new');
    busy = false;
    if (again) { again = false; take(); }
  };
  news.addEventListener('changed', take);
  news.addEventListener('open', () => { document.body.dataset.connected = 'yes'; });
  window.addEventListener('pagehide', () => news.close());
}

// Keys. Who speaks to the browser, or touches keys unawares, turns them off.
const keysOff = 'memscribe-keys-off';
const keys = document.createElement('dialog');
keys.setAttribute('aria-label', 'Keys');
keys.innerHTML = '<h2>Keys</h2><dl><dt><kbd>/</kbd></dt><dd>search</dd><dt><kbd>j</kbd></dt><dd>next</dd><dt><kbd>k</kbd></dt><dd>the one before</dd>' +
  '<dt><kbd>Enter</kbd></dt><dd>open</dd><dt><kbd>Esc</kbd></dt><dd>leave a field</dd><dt><kbd>?</kbd></dt><dd>this list</dd></dl>' +
  '<p><label><input type="checkbox"> Single keys work</label></p><form method="dialog"><button>Close</button></form>';
document.body.append(keys);
const on = keys.querySelector('input');
on.checked = !localStorage.getItem(keysOff);
on.addEventListener('change', () => { if (on.checked) localStorage.removeItem(keysOff); else localStorage.setItem(keysOff, 'yes'); });
const help = document.createElement('button');
help.type = 'button';
help.textContent = 'Keys';
help.addEventListener('click', () => keys.showModal());
document.querySelector('footer').append(help);

const items = () => [...document.querySelectorAll('[data-item]')];
function step(by) {
  const all = items();
  const at = all.findIndex((e) => e.contains(document.activeElement));
  const to = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)];
  if (!to) return;
  const link = to.querySelector('a');
  if (link) { link.focus(); } else { to.tabIndex = -1; to.focus(); }
}
document.addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || keys.open) return;
  if (e.target.closest('input, select, textarea')) {
    if (e.key === 'Escape') e.target.blur();
    return;
  }
  if (!on.checked) return;
  const action = { '/': () => document.querySelector('input[type=search]')?.focus(), j: () => step(1), k: () => step(-1), '?': () => keys.showModal() }[e.key];
  if (action) { e.preventDefault(); action(); }
});
