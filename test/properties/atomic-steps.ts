import * as fc from 'fast-check'

/** The steps of a batch, before it is known which resources exist by then. */

/** Some resource of a type: one that the batch has added if there is one, or any. */
export interface Mention {
  readonly isLocal: boolean
  readonly at: number
  /** Whether one that has both an id and a local id goes by the latter. */
  readonly byLid: boolean
  readonly position: number
}

export interface Step {
  readonly kind: 'add' | 'run' | 'update' | 'remove' | 'relate'
  readonly type: number
  readonly target: Mention
  readonly by: number
  /** How many a run adds. */
  readonly count: number
  readonly hasLid: boolean
  readonly hasId: boolean
  readonly values: { readonly city?: string | null; readonly seconds?: number | null; readonly year?: number | null }
  readonly relations: readonly { readonly at: number; readonly members: readonly Mention[] }[]
  readonly mode: 'add' | 'update' | 'remove'
}

export const faultKinds = ['value', 'taken', 'repeated', 'forbidden', 'gone', 'stranger', 'type', 'place', 'name', 'shape'] as const // biome-ignore format: a list

export interface Fault {
  readonly kind: (typeof faultKinds)[number]
  /** Its index in the batch. */
  readonly at: number
  readonly isLocal: boolean
}

export interface Batch {
  readonly steps: readonly Step[]
  readonly fault: Fault | null
}

/** Without this, few batches would refer to resources that they have added. */
const often = fc.constantFrom(true, true, true, false)

const mention: fc.Arbitrary<Mention> = fc.record({
  isLocal: often,
  at: fc.nat({ max: 50 }),
  byLid: fc.boolean(),
  position: fc.integer({ min: 1, max: 9 }),
})

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('add', 'add', 'add', 'run', 'run', 'update', 'update', 'relate', 'relate', 'relate', 'remove'),
  type: fc.nat({ max: 50 }),
  target: mention,
  by: fc.nat({ max: 5 }),
  count: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 2, max: 6 }) }, fc.integer({ min: 7, max: 40 })),
  hasLid: often,
  hasId: fc.boolean(),
  values: fc.record(
    {
      city: fc.constantFrom('Bristol', null),
      seconds: fc.constantFrom(1, 240, null),
      year: fc.constantFrom(1997, 2000, null),
    },
    { requiredKeys: [] },
  ),
  relations: fc.array(
    fc.record({ at: fc.nat({ max: 11 }), members: fc.array(mention, { maxLength: 4, size: 'max' }) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  mode: fc.constantFrom('add', 'update', 'remove'),
})

const fault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom(...faultKinds),
  at: fc.nat({ max: 100 }),
  isLocal: fc.boolean(),
})

export const batch: fc.Arbitrary<Batch> = fc.record({
  steps: fc.oneof(
    { weight: 1, arbitrary: fc.array(step, { minLength: 1, maxLength: 3 }) },
    { weight: 3, arbitrary: fc.array(step, { minLength: 5, maxLength: 12, size: 'max' }) },
  ),
  fault: fc.oneof(fc.constant(null), fault),
})
