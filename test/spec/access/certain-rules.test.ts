import * as fc from 'fast-check'
import { createServer, defineResource, id, model } from 'ashlar'
import type { CompiledType, DataSource, Provider, QueryColumn, RowCondition } from 'ashlar/store'
import { expect, test } from 'vitest'
import type { ServedType } from '../../../src/declare/resource/capabilities/served-type.js'
import { certainlyMeets, staysMet } from '../../../src/stores/row-query/condition-analysis.js'
import { runs } from '../../support/runs.js'
import { tablesOf } from '../../support/sql-world.js'
import { storedData } from '../../support/stored-data.js'

/** If a write is decided by the sent values, without a read: the store would decide the same. */

interface Thing {
  readonly id: number
  readonly count: number | null
  readonly amount: number | null
  readonly flag: boolean | null
  readonly text: string | null
  readonly at: Date | null
}

type Column = Exclude<keyof Thing, 'id'>

const values: Readonly<Record<Column, readonly unknown[]>> = {
  count: [0, 1, 2, -1, 2 ** 53 - 1, null],
  amount: [0, 1, 0.1, 1.5, -3, null],
  flag: [true, false, null],
  text: ['', 'a', 'A', 'a ', 'é', 'e\u0301', '1', '01', 'true', null],
  at: [new Date(0), new Date(1), new Date(Date.UTC(2026, 0, 1)), null],
}

/** Rules may have values that are not of the type of the column, if the application has no types for them. */
const looseValues = [0, 1, '', '0', '1', 'true', 'a', true, false, 1.5]

const columns = Object.keys(values) as readonly Column[]

/** One row for each value of each column, and others at random. */
const rows: readonly Thing[] = fc
  .sample(
    fc.record(
      Object.fromEntries(columns.map((column) => [column, fc.constantFrom(...values[column])])),
    ) as fc.Arbitrary<unknown> as fc.Arbitrary<Thing>,
    { numRuns: 60, seed: 1 },
  )
  .map((row, index) => ({ ...row, id: index + 1 }))

const types: CompiledType[] = []
const data = storedData({ things: rows })
const noted: DataSource = {
  ...data,
  provider(type) {
    types.push(type)
    return data.provider(type)
  },
}
const things = defineResource('things', {
  model: model<Thing>('things'),
  id: id(),
  attributes: (a) => ({
    count: a.integer().nullable(),
    amount: a.decimal().nullable(),
    flag: a.boolean().nullable(),
    text: a.string().nullable(),
    at: a.dateTime().nullable(),
  }),
})
createServer({ resources: [things], data: noted })

const [type] = types as [CompiledType]

function columnNamed(name: Column, isTyped: boolean): QueryColumn {
  const kind = isTyped ? (type.attributeNamed.get(name)?.spec.kind ?? null) : null
  return { of: 'row', name, kind, isKey: false }
}

const leaf: fc.Arbitrary<RowCondition> = fc
  .tuple(fc.constantFrom(...columns), fc.boolean(), fc.integer({ min: 0, max: 5 }))
  .chain(([name, isTyped, chance]) => {
    const column = fc.constant(columnNamed(name, isTyped))
    const own = values[name].filter((each) => each !== null)
    const value = fc.constantFrom(...(chance === 0 ? looseValues : own))
    const operator = fc.constantFrom(
      '=' as const,
      '=' as const,
      '>' as const,
      '>=' as const,
      '<' as const,
      '<=' as const,
    )
    const negated = fc.boolean()
    return fc.oneof(
      fc.record({ kind: fc.constant('compare' as const), column, operator, value }),
      fc.record({ kind: fc.constant('range' as const), column, min: fc.option(value), max: fc.option(value) }),
      fc.record({ kind: fc.constant('in' as const), column, values: fc.array(value, { maxLength: 3 }), negated }),
      fc.record({ kind: fc.constant('null' as const), column, negated }),
    )
  })

const condition: fc.Arbitrary<RowCondition> = fc.oneof(
  leaf,
  fc.record({ kind: fc.constantFrom('all' as const, 'any' as const), conditions: fc.array(leaf, { maxLength: 3 }) }),
)

/** The ids of the rows that meet a condition, as the store returns them. No row meets a condition that it refuses. */
async function foundIds(tested: RowCondition): Promise<ReadonlySet<number>> {
  const provider = data.provider(type) as Required<Provider>
  const criteria = {
    columns: ['id'],
    conditions: [tested],
    orders: [{ kind: 'key' as const, descending: false }],
    window: null,
    wantsCount: false,
    transaction: null,
    context: { server: 'default', type: 'things', operation: 'FetchResource' as const, caller: null, request: null },
  }
  try {
    const found = (await provider.fetchCollection(type, criteria)) as {
      readonly rows: { readonly rows: readonly (readonly unknown[])[] }
    }
    return new Set(found.rows.rows.map(([key]) => Number(key)))
  } catch {
    return new Set()
  }
}

test('a row that certainly meets a rule meets it in the store', async () => {
  let certain = 0
  const property = fc.asyncProperty(condition, async (tested) => {
    const found = await foundIds(tested)
    for (const row of rows) {
      if (!certainlyMeets(tested, { ...row })) continue
      certain += 1
      expect(found.has(row.id), JSON.stringify({ tested, row })).toBe(true)
    }
  })
  await fc.assert(property, { numRuns: runs(600) })
  expect(certain).toBeGreaterThan(runs(600))
  expect(tablesOf(data) === null || (await foundIds({ kind: 'all', conditions: [] })).size === rows.length).toBe(true)
})

/** The type of the rows: only conditions about related rows would need it. */
const noRelations = {} as ServedType

test('a row that met a rule, and certainly meets it after a change, meets it in the store', async () => {
  const change = fc.tuple(fc.integer({ min: 1, max: rows.length }), fc.subarray([...columns], { maxLength: 3 }))
  const property = fc.asyncProperty(
    condition,
    fc.array(change, { minLength: 20, maxLength: 20 }),
    async (tested, changes) => {
      const found = await foundIds(tested)
      const [first] = rows
      for (const [key, changed] of changes) {
        const row = rows[key - 1] ?? first
        if (row === undefined || !found.has(row.id)) continue
        // Each row of the list is another one after a change of all columns in which they differ.
        for (const other of rows.filter((each) =>
          columns.every((name) => changed.includes(name) || each[name] === row[name]),
        )) {
          const set = Object.fromEntries(changed.map((name) => [name, other[name]]))
          const isCertain = staysMet(tested, set, noRelations)
          if (isCertain) expect(found.has(other.id), JSON.stringify({ tested, row, other })).toBe(true)
        }
      }
    },
  )
  await fc.assert(property, { numRuns: runs(200) })
})
