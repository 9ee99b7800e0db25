// @ts-check
/** The tables and the picture of the comparison with other servers, from `bench/field/results.json`. `node scripts/bench-docs.mjs` writes them. */

/** @typedef {import('../bench/field.mjs').FieldResults} FieldResults */
/** @typedef {import('../bench/field.mjs').FieldFigure} FieldFigure */

/** The servers in the order of the tables, in the versions that the package of bench/field has. */
export const fieldServers = {
  ashlar: 'Ashlar',
  'fastify-drizzle': 'Fastify 5 and Drizzle 0.45 by hand',
  'express-prisma': 'Express 5 and Prisma 7 by hand',
  postgraphile: 'PostGraphile 5 (GraphQL)',
  fortune: 'Fortune 5',
  'json-api-nestjs': 'json-api-nestjs 7',
  zenstack: 'ZenStack 3.9',
  l1: '`node:http` and `pg` by hand',
}

/** The servers that are frameworks with documents of JSON:API. */
const frameworks = ['fortune', 'json-api-nestjs', 'zenstack']
const others = ['fastify-drizzle', 'express-prisma', 'postgraphile', ...frameworks]

const requests = {
  W1: 'one resource',
  W2: 'list of 50',
  W3: '50 with two includes',
  W4: 'filter and sort',
  W5: 'create',
  W8: 'update',
}
const names = /** @type {(keyof typeof requests)[]} */ (Object.keys(requests))

/** Returns the generated parts by their names. @param {FieldResults} results @returns {Record<string, string>} */
export function fieldParts(results) {
  const ratios = (/** @type {string} */ server) => present(names.map((name) => ratioOf(results, name, server, 'l1')))
  const titles = /** @type {Record<string, string>} */ (fieldServers)
  return {
    peers: `The same comparison for other servers on PostgreSQL, six kinds of requests in one run: ${others.map((server) => `${titles[server]} ${range(ratios(server))}`).join('; ')}. Ashlar in this run: ${range(ratios('ashlar'))}.`,
    'times-peers': `${range(
      present(frameworks.flatMap((server) => names.map((name) => ratioOf(results, name, 'ashlar', server)))),
      0,
    )} times as fast`,
    'field-run': `Measured on ${results.date} at ${results.commit}: ${results.machine}; ${results.versions}; the median of ${results.rounds} rounds of ${results.seconds} seconds, after one to warm up.`,
    'field-cpu': `\n${tableOf(results, ({ cpu, database }) => `${spaced(cpu)} + ${spaced(database)}`)}\n`,
    'field-times': `\n${tableOf(results, ({ p50, p99 }) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`, results.rates)}\n`,
    'field-memory': Object.entries(titles)
      .flatMap(([server, title]) => {
        const resident = results.servers[server]?.resident
        return resident === undefined ? [] : [`${title} ${(resident / 2 ** 20).toFixed(0)} MB`]
      })
      .join(', '),
  }
}

/**
 * How many times the CPU time of the server's own process another one needs.
 * @param {FieldResults} results @param {string} workload @param {string} server @param {string} base
 */
function ratioOf({ servers }, workload, server, base) {
  const [one, other] = [servers[server]?.workloads[workload], servers[base]?.workloads[workload]]
  return one === undefined || other === undefined ? null : other.cpu / one.cpu
}

/** @param {readonly (number | null)[]} values @returns {number[]} */
function present(values) {
  return values.flatMap((value) => value ?? [])
}

/** @param {readonly number[]} values */
function range(values, digits = 2) {
  const ends = [...new Set([Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits)))]
  return values.length === 0 ? '' : ends.join(' to ')
}

/** @param {number} value */
function spaced(value) {
  return value.toLocaleString('en')
}

/** @param {FieldResults} results @param {(figure: FieldFigure) => string} cellOf @param {Record<string, number>} [rates] */
function tableOf({ servers }, cellOf, rates) {
  const heads = names.map((name) => (rates === undefined ? requests[name] : `${requests[name]}, ${rates[name]}/s`))
  const rows = Object.entries(fieldServers).map(([server, title]) => [
    title,
    ...names.map((name) => {
      const figure = servers[server]?.workloads[name]
      return figure === undefined ? '–' : cellOf(figure)
    }),
  ])
  const lines = [['Server', ...heads], ['', ...names].map(() => '---'), ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  )
  return lines.join('\n').replaceAll('| --- ', '|---').replace('--- |', '---|')
}

/** Draws the CPU time of server and database for each kind of requests. @param {FieldResults} results @returns {string} */
export function fieldPicture(results) {
  const servers = Object.entries(fieldServers).filter(([server]) => results.servers[server] !== undefined)
  const height = servers.length * 16 + 38
  const blocks = names.map((name, index) => {
    const [left, top] = [(index % 2) * 400, 40 + Math.floor(index / 2) * height]
    const figures = servers.map(([server]) => results.servers[server]?.workloads[name] ?? null)
    const longest = Math.max(...figures.map((figure) => (figure === null ? 0 : figure.cpu + figure.database)))
    const bars = servers.flatMap(([, title], row) => {
      const figure = figures[row]
      const y = top + 18 + row * 16
      const label = `    <text x="${left + 150}" y="${y + 9}" text-anchor="end">${short(title)}</text>`
      if (figure === null || figure === undefined) return [label, `    <text x="${left + 156}" y="${y + 9}">–</text>`]
      const [own, database] = [figure.cpu, figure.database].map((cpu) => Math.round((cpu / longest) * 190))
      const total = spaced(figure.cpu + figure.database)
      return [
        label,
        `    <rect x="${left + 156}" y="${y}" width="${own}" height="11" fill="#2b6cb0" /><rect x="${left + 156 + (own ?? 0)}" y="${y}" width="${database}" height="11" fill="#b45309" />`,
        `    <text x="${left + 160 + (own ?? 0) + (database ?? 0)}" y="${y + 9}">${total}</text>`,
      ]
    })
    return [`    <text x="${left + 156}" y="${top + 10}" font-weight="600">${requests[name]}</text>`, ...bars].join(
      '\n',
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 ${44 + Math.ceil(names.length / 2) * height}" font-family="system-ui, sans-serif" font-size="11" role="img">
  <title>Microseconds of CPU time per request, of servers and their database, for ${names.length} kinds of requests</title>
  <rect x="20" y="10" width="12" height="12" fill="#2b6cb0" /><rect x="130" y="10" width="12" height="12" fill="#b45309" />
  <g fill="#808080">
    <text x="38" y="20">server, µs</text><text x="148" y="20">PostgreSQL, µs</text>
${blocks.join('\n')}
  </g>
</svg>
`
}

/** @param {string} title */
function short(title) {
  return title.replaceAll('`', '').replace(' by hand', '').replace(' (GraphQL)', '').replace(' and ', ' + ')
}
