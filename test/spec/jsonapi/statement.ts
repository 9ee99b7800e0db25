import { test } from 'vitest'
import type { StatementId } from './chapters.js'

/** Adds a test of statements of the format, by their ids. The sentence describes what the server does. */
export function statement(ids: StatementId | readonly StatementId[], sentence: string, run: () => Promise<void>): void {
  test(`${[ids].flat().join(', ')}: ${sentence}`, run)
}
