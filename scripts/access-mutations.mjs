// @ts-check
/**
 * Proves that every access check in the sources is tested: removes one check at a time, in a copy of the sources, and runs the
 * access tests. They must fail each time. Takes about half an hour.
 *
 *   node scripts/access-mutations.mjs                     all checks
 *   node scripts/access-mutations.mjs statement restore   the checks whose name or file contains one of these texts
 *   node scripts/access-mutations.mjs --walk              the checks that attackers have missed, with the leak walk only
 *
 * Writes the table of docs/internals/access-checks.md, but not with `--walk`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import typescript from 'typescript'
import { places } from './access-places.mjs'
import { attacks } from './access-places/attacks.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = join(root, 'docs/internals/access-checks.md')
const walkOnly = argv.includes('--walk')
const walkTests = ['test/spec/access/leak-walk']
const accessTests = [
  'test/atomic/upserts',
  'test/spec/access/',
  'test/spec/action-abilities',
  'test/spec/aggregates/access',
  'test/spec/cursor-secrets',
  'test/spec/estimated-totals',
  'test/spec/exports',
  'test/spec/filter-trees',
  'test/spec/policies',
  'test/spec/policy-rules',
  'test/spec/private-caches',
  'test/spec/relation-security',
  'test/spec/request-aware-lists',
  'test/spec/rules.test.ts',
  'test/spec/use-conditions',
  'test/spec/visible-fields',
  'test/resource/memoize-in-request',
  'test/data/sql/plans/shared-columns',
  'test/data/sql/query/estimates-of-hidden-rows',
  'test/data/sql/write/checked-rows',
  'test/data/sql/write/hidden-fields-of-batches',
]
const tests = walkOnly ? walkTests : accessTests
/** The number of random walks of reads and of writes. Checks of writes need more walks of writes. */
const tries = { all: { reads: 30, writes: 30 }, reads: { reads: 150, writes: 20 }, writes: { reads: 2, writes: 250 } }

const stores = /** @type {const} */ (['sqlite', 'memory', 'postgres'])

/** @returns {string} the folder of a copy of all files that the tests need */
function copied() {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-places-'))
  for (const part of [
    'src',
    'test',
    'scripts',
    'examples',
    'vitest.config.ts',
    'package.json',
    'tsconfig.json',
    'tsconfig.base.json',
  ]) {
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (from) => !from.includes('node_modules') })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/**
 * @param {string} folder
 * @param {'memory' | 'sqlite' | 'postgres'} store
 * @param {{ reads: number, writes: number }} number the number of random walks
 * @returns {boolean} whether the tests pass
 */
function passes(folder, store, { reads, writes }) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const options = ['run', '--project', store, '--bail', '1', '--testTimeout', '1800000', '--reporter', 'dot']
  const { status } = spawnSync(execPath, [vitest, ...options, ...tests], {
    cwd: folder,
    env: { ...env, WALK_READS: String(reads), WALK_WRITES: String(writes) },
    stdio: 'ignore',
  })
  return status === 0
}

/**
 * @param {string} folder
 * @param {import('./access-places/place.mjs').Place} place
 * @returns {'sqlite' | 'memory' | 'postgres' | null} the store on which a test fails; `null` if none does
 */
function foundOn(folder, place) {
  const { file, text, by } = place
  const path = join(folder, file)
  const source = readFileSync(path, 'utf8')
  const changed = source.replace(text, () => by)
  // A source with a syntax error would make every test fail.
  const { diagnostics = [] } = typescript.transpileModule(changed, { reportDiagnostics: true })
  if (diagnostics.length > 0) throw new Error(`${file} has a syntax error without: ${text}`)
  writeFileSync(path, changed)
  try {
    const isOfWrites = file.startsWith('src/serve/write/') || attacks.writes.includes(keyOf(place))
    const number = isOfWrites ? tries.writes : tries.reads
    return stores.find((store) => !passes(folder, store, number)) ?? null
  } finally {
    writeFileSync(path, source)
  }
}

/** @returns {string} */
const keyOf = (/** @type {{ file: string, name: string }} */ { file, name }) => `${file}: ${name}`

/** The mark of a check without which a test fails on SQLite is empty: nearly all checks are such. */
const marks = {
  sqlite: '',
  memory: ' (memory)',
  postgres: ' (postgres)',
  none: ' (**no test fails**)',
  untried: ' (not tried)',
}

/**
 * @param {string} text the page
 * @returns {Map<string, string>} the marks in its table, by check
 */
function marksIn(text) {
  const rows = [...text.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)]
  const checks = rows.flatMap(([, file, cell = '']) =>
    cell.split('; ').map((check) => ({ file: `src/${file}`, check })),
  )
  return new Map(
    checks.map(({ file, check }) => {
      const mark = Object.values(marks).find((each) => each !== '' && check.endsWith(each)) ?? ''
      return [keyOf({ file, name: check.slice(0, check.length - mark.length) }), mark]
    }),
  )
}

/**
 * @param {Map<string, string>} known the marks of checks
 * @returns {string} one row for each file
 */
function tableOf(known) {
  const files = new Set(places.map(({ file }) => file))
  const rows = [...files].map((file) => {
    const checks = places.filter((each) => each.file === file)
    const cell = checks.map((each) => `${each.name}${known.get(keyOf(each)) ?? marks.untried}`).join('; ')
    return `| \`${file.slice('src/'.length)}\` | ${cell} |`
  })
  return ['| File | Checks |', '|---|---|', ...rows].join('\n')
}

function writeTable() {
  // The results of places that were not tried now are from an earlier run.
  const text = readFileSync(page, 'utf8')
  const [before, after] = text.split(/<!-- places -->[^]*<!-- \/places -->/)
  writeFileSync(page, `${before}<!-- places -->\n\n${tableOf(known)}\n\n<!-- /places -->${after}`)
}

/** @returns {readonly import('./access-places/place.mjs').Place[]} */
function placesOf(/** @type {readonly string[]} */ keys) {
  return keys.map((key) => {
    const found = places.find((each) => keyOf(each) === key)
    if (found === undefined) throw new Error(`scripts/access-places.mjs has no check '${key}'.`)
    return found
  })
}

const missing = places.filter(({ file, text }) => readFileSync(join(root, file), 'utf8').split(text).length !== 2)
if (missing.length > 0) {
  console.error('These texts of scripts/access-places.mjs do not occur exactly once in their file:')
  for (const { file, text } of missing) console.error(`  ${file}: ${text}`)
  exit(1)
}

const wanted = argv.slice(2).filter((part) => part !== '--walk')
const offered = walkOnly ? placesOf([...attacks.reads, ...attacks.writes]) : places
const chosen = offered.filter((each) => wanted.length === 0 || wanted.some((part) => keyOf(each).includes(part)))
const folder = copied()
const known = marksIn(readFileSync(page, 'utf8'))
let survived = 0
try {
  // Else every change would be found if a walk of many requests fails anyway.
  const unchanged = walkOnly ? { reads: tries.reads.reads, writes: tries.writes.writes } : tries.all
  const failing = stores.find((store) => !passes(folder, store, unchanged))
  if (failing !== undefined) throw new Error(`The access tests fail on ${failing} without a change.`)
  for (const place of chosen) {
    const store = foundOn(folder, place)
    if (store === null) survived += 1
    known.set(keyOf(place), marks[store ?? 'none'])
    console.log(`${keyOf(place)}: ${store === null ? 'no test fails' : `a test fails on ${store}`}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${chosen.length - survived} of ${chosen.length} are found.`)
if (!walkOnly) writeTable()
exit(survived === 0 ? 0 : 1)
