import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { pid } from 'node:process'
import { threadId } from 'node:worker_threads'
import { provokedFolder } from '../../scripts/check-provoked.mjs'

/** Processes and threads write at the same time, so each has its own file. */
const file = new URL(`${pid}-${threadId}.txt`, provokedFolder)
const noted = new Set<string>()

/**
 * Records codes of error responses, for the check that every code of the catalogue occurs in some test. Written immediately: a test
 * process may end without warning.
 */
export function recordProvoked(codes: readonly string[]): void {
  const fresh = codes.filter((code) => !noted.has(code))
  if (fresh.length === 0) return
  for (const code of fresh) noted.add(code)
  mkdirSync(provokedFolder, { recursive: true })
  appendFileSync(file, `${fresh.join('\n')}\n`)
}

/** Forgets earlier runs; for the global set-up of a test run. */
export function clearProvoked(): void {
  rmSync(provokedFolder, { recursive: true, force: true })
}
