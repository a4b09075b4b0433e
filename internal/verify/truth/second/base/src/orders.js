const { createPool } = require('./db');
const config = require('./config');

async function listOrders(customer_id) {
  const pool = createPool(config.db);
  const [rows] = await pool.query('SELECT * FROM orders WHERE customer_id = ?', [customer_id]);
  console.log('listed orders for ' + customer_id);
  return rows;
}

function padOrderNumber(n) {
  return leftPad(String(n), 8, '0');
}

module.exports = { listOrders, padOrderNumber };
