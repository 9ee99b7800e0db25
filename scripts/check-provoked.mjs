// @ts-check
/**
 * Checks, after a run of the whole test suite, that a server has responded with every code of the error catalogue in some
 * test, or that the code is on the list of codes for features that do not exist yet. Do not add to this list.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

/** The folder in which the tests record error codes: one file for each process and thread, one code per line. */
export const provokedFolder = new URL('../node_modules/.cache/ashlar/provoked/', import.meta.url)

/** The codes that cannot occur yet, each with its feature. */
export const awaitingFile = new URL('../test/errors/awaiting-feature.json', import.meta.url)

/**
 * @param {{ codes: readonly string[], provoked: ReadonlySet<string>, awaiting: Readonly<Record<string, string>> }} ledger
 * @returns {string[]} one sentence for each fault
 */
export function provocationFaults({ codes, provoked, awaiting }) {
  const faults = []
  for (const code of codes) {
    const feature = Object.hasOwn(awaiting, code) ? awaiting[code] : undefined
    if (feature === undefined && !provoked.has(code)) {
      faults.push(`${code} occurs in no test: add a test, or add the code with its feature to awaiting-feature.json.`)
    }
    if (feature !== undefined && provoked.has(code)) {
      faults.push(`${code} waits for '${feature}', but occurs in a test: remove it from awaiting-feature.json.`)
    }
  }
  for (const code of Object.keys(awaiting)) {
    if (!codes.includes(code)) faults.push(`${code} is in awaiting-feature.json, but not in the catalogue: remove it.`)
  }
  return faults
}

/** @returns {Set<string>} the codes of every process and thread of the last run */
function readProvoked() {
  const lines = readdirSync(provokedFolder).flatMap((file) =>
    readFileSync(new URL(file, provokedFolder), 'utf8').split('\n'),
  )
  return new Set(lines.filter((line) => line !== ''))
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  if (!existsSync(provokedFolder)) {
    console.error('No test has recorded an error code: run the whole test suite first.')
    exit(1)
  }
  // Loaded here, because tests import this file for its functions, and need no bundler.
  const { importSource } = await import('./bundle.mjs')
  const { catalogue } = await importSource('src/core/errors/catalogue.ts')
  const awaiting = JSON.parse(readFileSync(awaitingFile, 'utf8'))
  const faults = provocationFaults({ codes: Object.keys(catalogue), provoked: readProvoked(), awaiting })
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) exit(1)
}
