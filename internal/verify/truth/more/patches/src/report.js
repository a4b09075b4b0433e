class Report {
  constructor(rows) {
    this.rows = rows;
  }

  total() {
    let sum = 0;
    for (const row of this.rows) {
      if (row.cents) {
        sum += row.cents;
      }
    }
    return sum;
  }

  print() {
    for (const row of this.rows) {
      if (row.id) {
        console.log(row.id);
        console.log(row.cents);
      }
    }
    return this;
  }
}

module.exports = { Report };
