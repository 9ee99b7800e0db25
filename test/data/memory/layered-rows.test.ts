import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LayeredRows, RowEntry, RowIndex } from '../../../src/stores/memory/layered-rows.js'
import {
  allRows,
  byColumn,
  layeredRows,
  findRows,
  withoutRow,
  withRow,
} from '../../../src/stores/memory/layered-rows.js'

const byLabel = byColumn('label')

const plainRows = (count: number): readonly { readonly id: number }[] =>
  Array.from({ length: count }, (_, position) => ({ id: position + 1 }))

const added = (rows: LayeredRows, row: object): LayeredRows =>
  withRow(rows, { position: rows.nextPosition, row: { ...row } })

const labels = ['4AD', 'Warp', null] as const

/** A change of rows; `at` selects an existing one. */
const anyStep = fc.record({
  kind: fc.constantFrom('add' as const, 'replace' as const, 'remove' as const),
  at: fc.nat(1000),
  label: fc.constantFrom(...labels),
})

type Step = typeof anyStep extends fc.Arbitrary<infer Made> ? Made : never

/** The rows and the plain list that they must equal, after one more step. */
function stepped(before: Version, { kind, at, label }: Step, number: number): Version {
  const { rows, list } = before
  const existing = list[at % Math.max(list.length, 1)]
  if (kind === 'add' || existing === undefined) {
    const next = { position: rows.nextPosition, row: { number, label } }
    return { rows: withRow(rows, next), list: [...list, next] }
  }
  if (kind === 'remove') return { rows: withoutRow(rows, existing), list: list.filter((each) => each !== existing) }
  const next = { position: existing.position, row: { number, label } }
  return { rows: withRow(rows, next), list: list.map((each) => (each === existing ? next : each)) }
}

interface Version {
  readonly rows: LayeredRows
  readonly list: readonly RowEntry[]
}

function expectAlike({ rows, list }: Version): void {
  expect(rows.size).toBe(list.length)
  expect(allRows(rows)).toEqual(list.map(({ row }) => row))
  for (const label of labels) {
    const wanted = label === null ? [] : list.filter(({ row }) => row['label'] === label)
    expect(findRows(rows, byLabel, String(label))).toEqual(wanted)
  }
}

describe('After any sequence of additions, replacements and removals', () => {
  it('rows are found as in a plain list, and so are the rows of every earlier version, later', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.array(anyStep, { maxLength: 60 }), fc.boolean(), (count, steps, looksMeanwhile) => {
        const rows = layeredRows(plainRows(count))
        const versions = [{ rows, list: plainRows(count).map((row, position) => ({ position, row })) } as Version]
        for (const [number, step] of steps.entries()) {
          const next = stepped(versions.at(-1) as Version, step, number)
          // An index of one version must not be used for the next.
          if (looksMeanwhile) expectAlike(next)
          versions.push(next)
        }
        for (const version of versions) expectAlike(version)
      }),
    )
  })
})

describe('A write', () => {
  it('does not copy the large part of a table', () => {
    const before = layeredRows(plainRows(10_000))
    const after = plainRows(1000).reduce(added, before)
    expect(after.layers[0]).toBe(before.layers[0])
    expect(after.layers.length).toBeLessThan(15)
    expect(after.size).toBe(11_000)
  })

  it('causes few rows to be read again for the next look-up', () => {
    let read = 0
    const counting: RowIndex = {
      name: 'counting',
      indexTextOf: ({ id }) => {
        read += 1
        return String(id)
      },
    }
    let rows = layeredRows(plainRows(10_000))
    findRows(rows, counting, '1')
    expect(read).toBe(10_000)
    for (const { id } of plainRows(1000)) {
      rows = added(rows, { id: 10_000 + id })
      expect(findRows(rows, counting, String(10_000 + id))).toHaveLength(1)
    }
    expect(read).toBeLessThan(10_000 + 1000 * 20)
  })

  it('of rows that are added and removed leaves nothing of them in memory', () => {
    let rows = layeredRows([])
    for (const row of plainRows(1000)) {
      const existing = { position: rows.nextPosition, row }
      rows = withoutRow(withRow(rows, existing), existing)
    }
    expect(rows.size).toBe(0)
    expect(rows.layers.reduce((count, { entries }) => count + entries.size, 0)).toBeLessThan(2)
  })
})
