// @ts-check
/**
 * Proves, after a run of the whole test suite, that every code of the error catalogue was answered by a server in some
 * test, or is on the list of codes that await a feature. That list may only shrink.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

/** Where the tests note the codes they saw: one file for each process and thread, one code a line. */
export const provokedFolder = new URL('../node_modules/.cache/ashlar/provoked/', import.meta.url)

/** The codes that cannot occur yet, each with the feature that brings it. */
export const awaitingFile = new URL('../test/errors/awaiting-feature.json', import.meta.url)

/**
 * @param {{ codes: readonly string[], provoked: ReadonlySet<string>, awaiting: Readonly<Record<string, string>> }} ledger
 * @returns {string[]} one sentence for each code that is out of order
 */
export function provocationFaults({ codes, provoked, awaiting }) {
  const faults = []
  for (const code of codes) {
    const feature = Object.hasOwn(awaiting, code) ? awaiting[code] : undefined
    if (feature === undefined && !provoked.has(code)) {
      faults.push(`${code} is answered in no test; provoke it, or name the feature it awaits in awaiting-feature.json.`)
    }
    if (feature !== undefined && provoked.has(code)) {
      faults.push(`${code} is said to await '${feature}' but is answered in a test; take it off awaiting-feature.json.`)
    }
  }
  for (const code of Object.keys(awaiting)) {
    if (!codes.includes(code)) faults.push(`${code} is in awaiting-feature.json but not in the catalogue; take it off.`)
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
    console.error('No test has noted any error code; run the whole test suite first.')
    exit(1)
  }
  // Loaded here, because tests import this file for its functions, and need no bundler.
  const { importSource } = await import('./bundle.mjs')
  const { catalogue } = await importSource('src/errors/catalogue.ts')
  const awaiting = JSON.parse(readFileSync(awaitingFile, 'utf8'))
  const faults = provocationFaults({ codes: Object.keys(catalogue), provoked: readProvoked(), awaiting })
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) exit(1)
}
