// @ts-check
/**
 * Shows that every place that asks for an access rule is needed: takes one away at a time, in a copy of the sources, and runs the
 * access tests. They have to fail each time. Takes about half an hour.
 *
 *   node scripts/access-mutations.mjs                 all places; writes the table of docs/security.md
 *   node scripts/access-mutations.mjs statement       the places whose name or file has this in it
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { places } from './access-places.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = join(root, 'docs/security.md')
const tests = ['test/spec/access', 'test/spec/policies.test.ts']
/** The number of tries of each walk. */
const tries = { memory: '120', sqlite: '120' }

/** @returns {string} a copy of all that the tests need */
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
 * @param {'memory' | 'sqlite'} store
 * @returns {boolean} whether the tests pass
 */
function passes(folder, store) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const options = ['run', '--project', store, '--bail', '1', '--testTimeout', '1800000', '--reporter', 'dot']
  const { status } = spawnSync(execPath, [vitest, ...options, ...tests], {
    cwd: folder,
    env: { ...env, WALK_TRIES: tries[store] },
    stdio: 'ignore',
  })
  return status === 0
}

/**
 * @param {string} folder
 * @param {import('./access-places.mjs').Place} place
 * @returns {string | null} the store on which a test fails; `null` if none does
 */
function foundOn(folder, { file, text, by }) {
  const path = join(folder, file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    source.replace(text, () => by),
  )
  try {
    return passes(folder, 'sqlite') ? (passes(folder, 'memory') ? null : 'memory') : 'sqlite'
  } finally {
    writeFileSync(path, source)
  }
}

const missing = places.filter(({ file, text }) => readFileSync(join(root, file), 'utf8').split(text).length !== 2)
if (missing.length > 0) {
  console.error('These texts of scripts/access-places.mjs do not occur exactly once in their file:')
  for (const { file, text } of missing) console.error(`  ${file}: ${text}`)
  exit(1)
}

const wanted = argv[2] ?? ''
const chosen = places.filter(({ name, file }) => `${file} ${name}`.includes(wanted))
const folder = copied()
const rows = []
let survived = 0
try {
  if (!passes(folder, 'sqlite') || !passes(folder, 'memory')) throw new Error('The access tests fail as it is.')
  for (const place of chosen) {
    const store = foundOn(folder, place)
    if (store === null) survived += 1
    rows.push(
      `| \`${place.file.slice('src/'.length)}\` | ${place.name} | ${store === null ? '**no**' : `yes, on ${store}`} |`,
    )
    console.log(rows.at(-1))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${chosen.length - survived} of ${chosen.length} are found.`)
if (wanted === '') {
  const [before, after] = readFileSync(page, 'utf8').split(/<!-- places -->[^]*<!-- \/places -->/)
  const table = ['| File | Asks for | Its loss is found |', '|---|---|---|', ...rows].join('\n')
  writeFileSync(page, `${before}<!-- places -->\n\n${table}\n\n<!-- /places -->${after}`)
}
exit(survived === 0 ? 0 : 1)
