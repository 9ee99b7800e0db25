import { clearProvoked } from './provoked.js'

/** Runs once before all test files: the codes that this run provokes must not mix with those of the last one. */
export function setup(): void {
  clearProvoked()
}
