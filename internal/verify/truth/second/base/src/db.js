// Database access for the orders service.
const mysql = require('mysql2/promise');

function createPool(config) {
  return mysql.createPool({
    host: config.host,
    port: config.port || 3306,
    user: config.user,
    database: config.database,
  });
}

module.exports = { createPool };
