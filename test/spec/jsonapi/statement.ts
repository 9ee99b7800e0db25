import { test } from 'vitest'
import type { StatementId } from './chapters.js'

/** A test of what the format states, by the ids of its statements; the sentence says it in words of our own. */
export function statement(ids: StatementId | readonly StatementId[], sentence: string, run: () => Promise<void>): void {
  test(`${[ids].flat().join(', ')}: ${sentence}`, run)
}
