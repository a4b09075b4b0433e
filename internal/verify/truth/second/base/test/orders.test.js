const assert = require('assert');
const config = require('../src/config');
assert.ok(config.cache.ttlSeconds > 0);
console.log('1 passing');
