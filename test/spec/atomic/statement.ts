import { test } from 'vitest'
import type { AtomicStatementId } from './ledger.js'

/** A test of what the text of the extension states, by the ids of the ledger; the sentence says what the server does. */
export function statement(
  ids: AtomicStatementId | readonly AtomicStatementId[],
  sentence: string,
  run: () => Promise<void>,
): void {
  test(`${[ids].flat().join(', ')}: ${sentence}`, run)
}
