// @ts-check
/** The recorded figures of the benchmark, `bench/results.json`. `node scripts/bench-docs.mjs` writes them to the pages. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { version } from 'node:process'
import { fileURLToPath } from 'node:url'

/** @typedef {import('./report.mjs').Figure} Figure */
/** @typedef {import('./music/tables.mjs').Engine} Engine */
/** The figures of an engine, with its name and version. @typedef {{ version: string, figures: readonly Figure[] }} MeasuredEngine */
/**
 * The speed of each target for each workload: the CPU time of the base divided by that of the target, so more is better. A run has one
 * figure, the ratio of the medians of its rounds; `[lowest, highest]` if an entry stands for several runs.
 * @typedef {Record<string, Record<string, readonly number[]>>} Ratios
 */
/**
 * One run of the benchmark. `commit` is the commit that was measured, `versions` those of Node and of the engines.
 * @typedef {{
 *   date: string, machine: string, versions: string, commit: string, rounds: string, note?: string,
 *   ratios: Partial<Record<Engine, Ratios>>,
 * }} RecordedRun
 */
/** @typedef {{ about: string, runs: readonly RecordedRun[] }} Recorded */

/** The variants of the catalogue that are compared with the plain one, and not with the server written by hand. */
const variants = new Set(['ruled', 'versioned', 'hashed', 'fetch', 'express', 'fastify', 'hono', 'nest'])

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Adds a run to the file.
 * @param {string} path @param {Partial<Record<Engine, MeasuredEngine>>} measured @param {number} rounds
 */
export function recordRun(path, measured, rounds) {
  const engines = Object.values(measured)
  const commit = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  /** @type {RecordedRun} */
  const run = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores`,
    versions: [`Node ${version.slice(1)}`, ...engines.map((engine) => engine.version)].join(', '),
    commit,
    rounds: String(rounds),
    ratios: Object.fromEntries(Object.entries(measured).map(([engine, { figures }]) => [engine, ratiosOf(figures)])),
  }
  writeFileSync(path, textOf(withRun(JSON.parse(readFileSync(path, 'utf8')), run)))
}

/** Returns the text of the file, as the formatter writes it. @param {Recorded} recorded */
export function textOf(recorded) {
  return `${JSON.stringify(recorded, null, 2).replaceAll(/\[\n\s+([\d.,\s]+?)\n\s+\]/g, (_, values) => `[${values.replaceAll(/\s+/g, ' ')}]`)}\n`
}

/**
 * Returns the ratios of the figures of one engine. The base of W6 is the first page of the same server. `ruled:database` is the CPU time of
 * the database.
 * @param {readonly Figure[]} figures @returns {Ratios}
 */
export function ratiosOf(figures) {
  /** @type {Record<string, Record<string, number[]>>} */
  const ratios = {}
  for (const { workload, target, cpu, database, pageOne } of figures) {
    const name = variants.has(target) ? 'ashlar' : 'l1'
    const base = figures.find((figure) => figure.workload === workload && figure.target === name)
    if (base === undefined || (target === name && pageOne === undefined)) continue
    const cells = (ratios[workload] ??= {})
    // The cost of a deep page, as the goal of W6 says it: less is better.
    cells[target] = [rounded(pageOne === undefined ? base.cpu / cpu : cpu / pageOne)]
    if (name === 'ashlar' && database !== undefined && base.database !== undefined) {
      cells[`${target}:database`] = [rounded(base.database / database)]
    }
  }
  return ratios
}

/**
 * Adds a run. What it measured is removed from runs of other commits; runs of one commit add up to ranges.
 * @param {Recorded} recorded @param {RecordedRun} run @returns {Recorded}
 */
export function withRun({ about, runs }, run) {
  const earlier = runs.map((one) =>
    one.commit === run.commit ? one : { ...one, ratios: withoutCells(one.ratios, run.ratios) },
  )
  return { about, runs: [...earlier, run].filter(isFilled) }
}

/** @param {RecordedRun} one */
function isFilled({ ratios }) {
  return Object.values(ratios).some((workloads) => Object.keys(workloads).length > 0)
}

/** @param {RecordedRun['ratios']} ratios @param {RecordedRun['ratios']} measured @returns {RecordedRun['ratios']} */
function withoutCells(ratios, measured) {
  return filled(ratios, (engine, workloads) =>
    filled(workloads, (workload, cells) =>
      filled(cells, (target, values) => (measured[engine]?.[workload]?.[target] === undefined ? values : {})),
    ),
  )
}

/**
 * Maps the members of an object, and removes the ones that become empty.
 * @template {string} Name @template {object} Value
 * @param {Partial<Record<Name, Value>>} members @param {(name: Name, value: Value) => object} map
 * @returns {any} the same form
 */
function filled(members, map) {
  const entries = /** @type {[Name, Value][]} */ (Object.entries(members))
  const mapped = entries.map(([name, value]) => /** @type {const} */ ([name, map(name, value)]))
  return Object.fromEntries(mapped.filter(([, value]) => Object.keys(value).length > 0))
}

/** @param {number} ratio */
function rounded(ratio) {
  return Math.round(ratio * 1000) / 1000
}
