// @ts-check
/** The printed results: one table for each engine. */

/**
 * `pageOne` is the cost of the first page of the same server, if a deep page was measured.
 * @typedef {object} Figure
 * @property {string} workload
 * @property {string} title
 * @property {string} target
 * @property {number} cpu microseconds of CPU time of the server per request
 * @property {number} rate requests per second
 * @property {number} p50 milliseconds
 * @property {number} p99 milliseconds
 * @property {number} [pageOne]
 * @property {number} [ofBefore] the CPU time divided by that of an earlier version, the median of rounds
 * @property {number} [database] microseconds of CPU time of the database per request, if it is another process
 */

const columns = ['', '', 'CPU/request', 'ratio', 'req/s', 'ratio', 'p50', 'ratio', 'p99', 'ratio', 'database', '']

/** @param {readonly Figure[]} figures @returns {string} */
export function tableOf(figures) {
  const lines = [columns]
  let last = ''
  for (const figure of figures) {
    const base = figures.find(({ workload, target }) => workload === figure.workload && target === 'l1')
    if (last !== figure.workload && last !== '') lines.push([])
    lines.push([
      last === figure.workload ? '' : `${figure.workload} ${figure.title}`,
      figure.target,
      `${figure.cpu.toFixed(0)} µs`,
      ratio(base?.cpu, figure.cpu),
      figure.rate.toFixed(0),
      ratio(figure.rate, base?.rate),
      `${figure.p50.toFixed(2)} ms`,
      ratio(base?.p50, figure.p50),
      `${figure.p99.toFixed(2)} ms`,
      ratio(base?.p99, figure.p99),
      figure.database === undefined ? '' : `${figure.database.toFixed(0)} µs`,
      [
        figure.pageOne === undefined ? '' : `${(figure.cpu / figure.pageOne).toFixed(2)} of its page 1`,
        figure.ofBefore === undefined ? '' : `${figure.ofBefore.toFixed(3)} of before`,
      ].join(''),
    ])
    last = figure.workload
  }
  return aligned(lines)
}

/** Aligns names left and numbers right. @param {readonly string[][]} lines */
function aligned(lines) {
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const left = new Set([0, 1, columns.length - 1])
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          left.has(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** @param {number | undefined} one @param {number | undefined} other */
function ratio(one, other) {
  return one === undefined || other === undefined ? '-' : (one / other).toFixed(2)
}
