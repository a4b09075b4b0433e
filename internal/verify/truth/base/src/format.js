function formatCents(cents) {
  return '$' + (cents / 100).toFixed(2);
}

function padLeft(value, width) {
  let s = String(value);
  while (s.length < width) s = ' ' + s;
  return s;
}

module.exports = { formatCents, padLeft };
