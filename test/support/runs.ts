import { env } from 'node:process'
import { inject } from 'vitest'

/** Whether this is `npm run test:long`. */
export const isLong: boolean = env['ASHLAR_LONG'] === '1'

/** Returns one number for `npm test` and another one for `npm run test:long`. */
export function rounds(usual: number, long: number): number {
  return isLong ? long : usual
}

/** A try over a database takes several times as long as one over memory. */
const fewerOverDatabases = 5

/** `npm test` tries an eighth of the nominal count, `npm run test:long` ten times as many. */
const share = rounds(1 / 8, 10)

/** How often a property is tried on the store under test. */
export function runs(nominal: number): number {
  const onStore = inject('store') === 'memory' ? nominal : nominal / fewerOverDatabases
  return Math.ceil(onStore * share)
}
