import { test } from 'vitest'
import type { AtomicStatementId } from './ledger.js'

/** Adds a test of statements of the extension, by their ids in the ledger. The sentence describes what the server does. */
export function statement(
  ids: AtomicStatementId | readonly AtomicStatementId[],
  sentence: string,
  run: () => Promise<void>,
): void {
  test(`${[ids].flat().join(', ')}: ${sentence}`, run)
}
