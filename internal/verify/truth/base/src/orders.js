const { query } = require('./db');

async function getOrder(id) {
  const rows = await query('SELECT * FROM orders WHERE id = ?', [id]);
  return rows[0] || null;
}

async function listOrders(customerId) {
  return query('SELECT * FROM orders WHERE customer_id = ?', [customerId]);
}

module.exports = { getOrder, listOrders };
