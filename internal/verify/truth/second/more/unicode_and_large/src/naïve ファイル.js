module.exports = 'ünï';
const x = 1;
