// @ts-check
/**
 * Writes the figures of bench/results.json to the pages, between `<!-- bench:name -->` and `<!-- /bench -->`, and to the picture of the guide.
 * `node bench/run.mjs --record` writes that file.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

/** @typedef {import('../bench/record.mjs').Recorded} Recorded */
/** @typedef {import('../bench/music/tables.mjs').Engine} Engine */
/** The figures of all recorded runs, in ascending order. @typedef {(engine: Engine, workload: string, target?: string) => readonly number[]} Figures */

export const benchPages = ['README.md', 'docs/index.md', 'docs/guide/performance.md', 'docs/internals/benchmarks.md']
export const picturePath = 'docs/guide/images/benchmark.svg'

/** @type {readonly Engine[]} */
const engines = ['postgres', 'sqlite']
const lists = ['W2', 'W3', 'W4', 'W7']
const writes = { W5: 'a create', W8: 'an update', W9: 'a delete', W10: 'a new member', W11: 'a batch of 100 creates' }

/** Requests in the guide, with their shorter names in the picture. */
const requests = {
  W1: ['one resource', 'One resource'],
  W2: ['list of 50, sorted', 'List of 50, sorted'],
  W3: ['list of 50 with artists and tracks, 230 KB', 'List of 50 with includes, 230 KB'],
  W4: ['list of 20, with filters and sort', 'List of 20, filtered and sorted'],
  W7: ['list of 50 with genres, over join rows', 'List of 50, many-to-many'],
  W5: ['create', 'Create'],
  W8: ['update of one attribute', 'Update'],
  W9: ['delete', 'Delete'],
  W10: ['add a member to a many-to-many relation', 'Add a member'],
  W11: ['atomic batch of 100 creates', 'Batch of 100 creates'],
}

/** Workloads and goals on the page of benchmarks. */
const workloads = {
  W1: ['one track, of 1,000 different ones', '1.0'],
  W2: ['50 albums by date, with the linkage of their artists', '1.8'],
  W3: ['W2 with artists and tracks included, about 230 KB', '2.2'],
  W4: ['20 albums by status and a part of the title, sorted', '1.4'],
  W5: ['create a track', '0.9'],
  W6: ['the page of W2 at row 7,500, compared with page 1, alternately', 'at most 1.2'],
  W7: ['50 albums with their genres, over join rows', ''],
  W8: ['change the title of a track', '0.5'],
  W9: ['delete a track', '0.5'],
  W10: ['add a genre to an album', '0.4'],
  W11: ['create 100 tracks in one atomic batch', '0.5'],
}

/** The servers of bench/field, in the versions that its package has. */
const peers = {
  'fastify-drizzle': 'Fastify 5 and Drizzle 0.45, documents built by hand',
  fortune: 'Fortune 5',
  'json-api-nestjs': 'json-api-nestjs 7',
  zenstack: 'ZenStack 3.9',
}
const frameworks = ['fortune', 'json-api-nestjs', 'zenstack']
const peerWorkloads = ['W1', 'W2', 'W3', 'W4', 'W5']
const ruledWorkloads = ['W1', 'W2', 'W3', 'W4', 'W5', 'W8', 'W9', 'W10', 'W11']

/** Returns the generated parts by their names. @param {Recorded} recorded @returns {Readonly<Record<string, string>>} */
export function benchParts(recorded) {
  const figures = figuresOf(recorded)
  return {
    speed: `Speed by CPU time, compared with a server written by hand with \`node:http\` and prepared statements (1 is equal, 2 is half the CPU time, below 1 is slower). On PostgreSQL: ${speedOn(figures, 'postgres')}. On SQLite: ${speedOn(figures, 'sqlite')}.`,
    peers: `The same comparison for other servers on PostgreSQL, up to five kinds of requests, only the order of magnitude counts: ${Object.entries(
      peers,
    )
      .map(([peer, title]) => `${title}: ${range(peerWorkloads.flatMap((name) => figures('postgres', name, peer)))}`)
      .join('; ')}. Ashlar for these requests: ${range(peerWorkloads.flatMap((name) => figures('postgres', name)))}.`,
    'lists-postgres': `${range(lists.flatMap((name) => figures('postgres', name)))} times as fast`,
    'times-peers': timesOfPeers(figures),
    'cost-of-rules': costOfRules(figures),
    requests: `\n${requestTable(figures)}\n`,
    runs: `\n${runTable(recorded)}\n`,
    results: `\n${resultTable(figures)}\n`,
    'table-of-rules': `\n${ruleTable(figures)}\n`,
    'table-of-peers': `\n${peerTable(figures)}\n`,
  }
}

/** Returns a page with other figures. @param {string} page @param {Readonly<Record<string, string>>} parts */
export function withFigures(page, parts) {
  return page.replaceAll(/(<!-- bench:([\w-]+) -->)(.*?)(<!-- \/bench -->)/gs, (_, start, name, _old, end) => {
    const text = parts[name]
    if (text === undefined) throw new Error(`The benchmark has no part '${name}'.`)
    return `${start}${text}${end}`
  })
}

/** @param {Recorded} recorded @returns {Figures} */
function figuresOf({ runs }) {
  return (engine, workload, target = 'ashlar') =>
    runs.flatMap(({ ratios }) => ratios[engine]?.[workload]?.[target] ?? []).toSorted((one, other) => one - other)
}

/** @param {readonly number[]} values @returns {string} empty without a value */
function range(values, digits = 2) {
  const ends = [...new Set([Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits)))]
  return values.length === 0 ? '' : ends.join(' to ').replaceAll('-', '−')
}

/** @param {Figures} figures @param {Engine} engine */
function speedOn(figures, engine) {
  return [
    `lists ${range(lists.flatMap((name) => figures(engine, name)))}`,
    `one resource ${range(figures(engine, 'W1'))}`,
    ...Object.entries(writes).map(([name, title]) => `${title} ${range(figures(engine, name))}`),
  ].join(', ')
}

/** How many times as fast as the other frameworks Ashlar is: both are compared with the same server, but not in the same run. @param {Figures} figures */
function timesOfPeers(figures) {
  const times = peerWorkloads.flatMap((workload) =>
    frameworks.flatMap((peer) => {
      const theirs = figures('postgres', workload, peer)
      return theirs.flatMap((their) => figures('postgres', workload).map((ours) => ours / their))
    }),
  )
  return `${Math.floor(Math.min(...times))} to ${Math.floor(Math.max(...times))} times as fast`
}

/** @param {number} ratio @returns {number} the additional time in percent */
function extraPercent(ratio) {
  return Math.round((1 / ratio - 1) * 100)
}

/** @param {Figures} figures */
function costOfRules(figures) {
  const all = engines.flatMap((engine) => ruledWorkloads.flatMap((name) => figures(engine, name, 'ruled')))
  const percents = all.map(extraPercent)
  const [low, high] = [Math.min(...percents), Math.max(...percents)]
  return low < 0 ? `from ${-low} % less to ${high} % more` : `${low} to ${high} % more`
}

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return lines.join('\n').replaceAll('| --- ', '|---').replace('--- |', '---|').replaceAll(/ {2,}/g, ' ')
}

/** @param {Figures} figures */
function requestTable(figures) {
  const rows = Object.entries(requests).map(([name, [title = '']]) => [
    title,
    ...engines.map((engine) => range(figures(engine, name))),
  ])
  return table(['Request', 'PostgreSQL', 'SQLite'], rows)
}

/** @param {Figures} figures */
function resultTable(figures) {
  const rows = Object.entries(workloads).map(([name, [title = '', goal = '']]) => [
    `${name} ${title}`,
    goal,
    ...engines.flatMap((engine) => [range(figures(engine, name)), range(figures(engine, name, 'l3')) || '–']),
  ])
  return table(['Workload', 'Goal', 'PostgreSQL: Ashlar', 'l3', 'SQLite: Ashlar', 'l3'], rows)
}

/** @param {Figures} figures */
function ruleTable(figures) {
  /** @param {string} title @param {Engine} engine @param {string} target */
  const row = (title, engine, target) => [
    title,
    ...ruledWorkloads.map((name) => range(figures(engine, name, target).map(extraPercent), 0)),
  ]
  return table(
    ['Percent', ...ruledWorkloads],
    [
      row('Ashlar on PostgreSQL', 'postgres', 'ruled'),
      row('Ashlar on SQLite', 'sqlite', 'ruled'),
      row('PostgreSQL itself', 'postgres', 'ruled:database'),
    ],
  )
}

/** @param {Figures} figures */
function peerTable(figures) {
  const rows = Object.entries(peers).map(([peer, title]) => [
    title,
    ...peerWorkloads.map((name) => range(figures('postgres', name, peer))),
  ])
  return table(['Server', ...peerWorkloads], rows)
}

/** @param {Recorded} recorded */
function runTable({ runs }) {
  const rows = runs.map(({ date, machine, versions, commit, rounds, note, ratios }) => {
    const measured = Object.values(ratios).flatMap((byWorkload) => Object.entries(byWorkload))
    const targets = new Set(measured.flatMap(([, cells]) => Object.keys(cells)))
    const names = [...new Set(measured.map(([name]) => name))]
    const servers = [...targets].filter((target) => !target.includes(':')).join(', ')
    const remark = note === undefined ? '' : `. ${note}`
    return [date, commit, rounds, `${names[0]} to ${names.at(-1)}: ${servers}${remark}`, machine, versions]
  })
  return table(['Date', 'Commit', 'Rounds', 'Measured', 'Machine', 'Versions'], rows)
}

/** Draws a bar of the middle of each range. @param {Recorded} recorded @returns {string} */
export function benchPicture(recorded) {
  const figures = figuresOf(recorded)
  const names = Object.keys(requests)
  const highest = Math.max(...engines.flatMap((engine) => names.flatMap((name) => figures(engine, name))))
  const unit = Math.min(270, Math.floor(500 / highest))
  const bottom = 48 + names.length * 34
  const labels = Object.values(requests).map(
    ([, title], row) => `    <text x="230" y="${59 + row * 34}">${title}</text>`,
  )
  const bars = engines.map((engine, index) =>
    names.map((name, row) => {
      const values = figures(engine, name)
      const y = 40 + index * 14 + row * 34
      const width = Math.round((((values[0] ?? 0) + (values.at(-1) ?? 0)) / 2) * unit)
      const text = range(values).replace(' to ', ' – ')
      return `    <rect x="240" y="${y}" width="${width}" height="12" /><text class="n" x="248" y="${y + 10.5}">${text}</text>`
    }),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${bottom + 14}" font-family="system-ui, sans-serif" font-size="13" role="img">
  <title>Speed of Ashlar by CPU time, compared with a server written by hand, for ${names.length} kinds of requests</title>
  <style>.n { fill: #fff; font-size: 10.5px; font-weight: 600 }</style>
  <g fill="#2b6cb0"><rect x="20" y="12" width="12" height="12" /><text x="38" y="23" fill="#808080">PostgreSQL</text></g>
  <g fill="#b45309"><rect x="130" y="12" width="12" height="12" /><text x="148" y="23" fill="#808080">SQLite</text></g>
  <text x="${240 + unit}" y="23" fill="#808080" text-anchor="middle">1 = hand-written server</text>
  <g fill="#808080" text-anchor="end">
${labels.join('\n')}
  </g>
  <g fill="#2b6cb0">
${bars[0]?.join('\n')}
  </g>
  <g fill="#b45309">
${bars[1]?.join('\n')}
  </g>
  <path d="M${240 + unit} 30V${bottom}" stroke="#808080" stroke-width="1.5" stroke-dasharray="4 3" />
</svg>
`
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const root = new URL('..', import.meta.url)
  /** @type {Recorded} */
  const recorded = JSON.parse(readFileSync(new URL('bench/results.json', root), 'utf8'))
  const parts = benchParts(recorded)
  for (const path of benchPages) {
    const file = new URL(path, root)
    writeFileSync(file, withFigures(readFileSync(file, 'utf8'), parts))
  }
  writeFileSync(new URL(picturePath, root), benchPicture(recorded))
}
