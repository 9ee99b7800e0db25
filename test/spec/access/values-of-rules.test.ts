import { createServer, defineResource, id, model } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idsIn, sender } from './access-client.js'

interface Row {
  readonly id: number
  readonly flag: boolean | null
  readonly count: number | null
  readonly text: string | null
}

const rows: readonly Row[] = [
  { id: 1, flag: true, count: 1, text: '1' },
  { id: 2, flag: false, count: 0, text: '' },
  { id: 3, flag: null, count: null, text: null },
  { id: 4, flag: false, count: 10, text: 'true' },
]

/** The rows that a rule with this value finds, of which the compiler may know nothing: values come from claims and headers. */
const expected: readonly (readonly [keyof Row, unknown, readonly string[]])[] = [
  ['flag', true, ['1']],
  ['flag', 1, ['1']],
  ['flag', false, ['2', '4']],
  ['flag', 0, ['2', '4']],
  ['flag', '', []],
  ['flag', 'false', []],
  ['flag', '1', []],
  ['flag', 2, []],
  ['count', 1, ['1']],
  ['count', 1n, ['1']],
  ['count', '1', ['1']],
  ['count', '', []],
  ['count', 'true', []],
  ['count', true, []],
  ['count', Number.NaN, []],
  ['count', {}, []],
  ['text', '', ['2']],
  ['text', 'true', ['4']],
  ['text', 'TRUE', []],
  ['text', '1,true', []],
]

describe.each(['eq', 'in'] as const)('the values of %s() are compared exactly, alike on all stores', (kind) => {
  test.each(expected)('%s with %o', async (column, value, ids) => {
    const things = defineResource('things', {
      model: model<Row>('things'),
      id: id(),
      attributes: (a) => ({
        flag: a.boolean().nullable(),
        count: a.integer().nullable(),
        text: a.string().nullable(),
      }),
      policy: (p) => ({
        viewAny: true,
        view: () => (kind === 'eq' ? p.eq(column, value as never) : p.in(column, [value as never])),
      }),
    })
    const data = storedData({ things: rows })
    const send = sender(createServer({ resources: [things], data, middleware: [byNumber] }))
    expect(idsIn(await send('GET', '/things', { as: 1 }))).toEqual(ids)
  })
})
