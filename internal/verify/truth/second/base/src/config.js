module.exports = {
  db: { driver: 'mysql', host: 'localhost', port: 3306, user: 'orders', database: 'orders' },
  cache: { ttlSeconds: 60 },
};
