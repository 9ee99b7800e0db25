import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/stores/memory/memory-store.js'
import { memoryQueryContext } from '../../src/stores/memory/memory-query-context.js'
import { listRows } from '../../src/stores/row-query/list-rows.js'
import type { Candidate, QueryContext } from '../../src/stores/row-query/query-context.js'
import { rowOrdering } from '../../src/stores/row-query/row-ordering.js'
import type { RowObject } from '../../src/declare/resource/fields/field-spec.js'
import type { OrderStep, RowOrder } from '../../src/declare/resource/querying/row-order.js'
import {
  albums,
  artists,
  byColumn,
  candidates,
  column,
  context,
  links,
  lonelyWorld,
  playlists,
  seeds,
  whereEqual,
} from './music-rows.js'

const whole = { conditions: [], window: null, wantsCount: false, types: [albums] }
const world: QueryContext = memoryQueryContext(memoryStore(seeds), { transaction: null, context })

function sorted(rows: readonly RowObject[], orders: readonly RowOrder[]): readonly RowObject[] {
  return listRows(candidates(rows), { ...whole, orders }, lonelyWorld).candidates.map(({ row }) => row)
}

function throughPath(path: readonly OrderStep[], name: string, descending = false): readonly unknown[] {
  const orders: readonly RowOrder[] = [
    { kind: 'column', path, column: column(name), descending },
    { kind: 'key', descending: false },
  ]
  const rows = seeds['albums'] as readonly RowObject[]
  return listRows(candidates(rows), { ...whole, orders }, world).candidates.map(({ row }) => row['id'])
}

const step = (relation: OrderStep['relation'], condition: OrderStep['condition'] = null): OrderStep => ({
  relation,
  condition,
})

describe('An order', () => {
  it('has null last ascending and first descending', () => {
    const rows = [{ a: null }, { a: 2 }, {}, { a: 1 }]
    expect(sorted(rows, [byColumn('a')])).toEqual([{ a: 1 }, { a: 2 }, { a: null }, {}])
    expect(sorted(rows, [byColumn('a', { descending: true })])).toEqual([{ a: null }, {}, { a: 2 }, { a: 1 }])
  })

  it('has several levels, each with its own direction', () => {
    const rows = [
      { a: 1, b: 'x' },
      { a: 2, b: 'x' },
      { a: 1, b: 'y' },
    ]
    expect(
      sorted(rows, [byColumn('b', { descending: true }), byColumn('a')]).map(({ a, b }) => [a, b].join('')),
    ).toEqual(['1y', '1x', '2x'])
  })

  it('leaves rows that are equal in all orders in their order', () => {
    const rows = [{ n: 3 }, { n: 1 }, { n: 2 }]
    expect(sorted(rows, [])).toEqual(rows)
    expect(sorted(rows, [byColumn('missing')])).toEqual(rows)
  })

  it('may follow a to-one relation; a missing row counts as null', () => {
    expect(throughPath([step(links.artist)], 'name')).toEqual([2, 1, 3, 4, 5])
    expect(throughPath([step(links.artist)], 'name', true)).toEqual([4, 5, 1, 3, 2])
  })

  it('does not see rows outside the scope of their type', () => {
    expect(throughPath([step(links.artist, whereEqual('name', 'Radiohead'))], 'name')).toEqual([1, 3, 2, 4, 5])
  })

  it('takes the first by key if several rows match a to-one relation', () => {
    expect(throughPath([step(links.artist), step(links.portrait)], 'file')).toEqual([2, 1, 3, 4, 5])
    const ordering = rowOrdering(
      [{ kind: 'column', path: [step(links.portrait)], column: column('file'), descending: false }],
      [artists],
      world,
    )
    expect(ordering.positionOf({ row: { id: 1 }, pivot: null, type: 0 })).toEqual(['y.png'])
  })

  it('may be by type and by the key of each type', () => {
    const mixed: readonly Candidate[] = [
      { row: { code: 'b' }, pivot: null, type: 1 },
      { row: { id: 2 }, pivot: null, type: 0 },
      { row: { code: 'a' }, pivot: null, type: 1 },
      { row: { id: 1 }, pivot: null, type: 0 },
    ]
    const orders: readonly RowOrder[] = [
      { kind: 'type', descending: false },
      { kind: 'key', descending: true },
    ]
    const { candidates: rows } = listRows(mixed, { ...whole, types: [albums, playlists], orders }, lonelyWorld)
    expect(rows.map(({ row }) => row)).toEqual([{ id: 2 }, { id: 1 }, { code: 'b' }, { code: 'a' }])
  })

  it('may look at the join row', () => {
    const joined: readonly Candidate[] = [
      { row: { id: 1 }, pivot: { position: 2 }, type: 0 },
      { row: { id: 2 }, pivot: { position: 1 }, type: 0 },
    ]
    const orders: readonly RowOrder[] = [
      { kind: 'column', path: [], column: column('position', null, 'pivot'), descending: false },
    ]
    const { candidates: rows } = listRows(joined, { ...whole, orders }, lonelyWorld)
    expect(rows.map(({ row }) => row['id'])).toEqual([2, 1])
  })

  it('may be user-defined, in both directions', () => {
    const custom = {
      compare: (a: RowObject, b: RowObject) => String(a['t']).length - String(b['t']).length,
    }
    const rows = [{ t: 'ccc' }, { t: 'a' }, { t: 'bb' }]
    expect(sorted(rows, [{ kind: 'custom', custom, descending: false }]).map(({ t }) => t)).toEqual(['a', 'bb', 'ccc'])
    expect(sorted(rows, [{ kind: 'custom', custom, descending: true }]).map(({ t }) => t)).toEqual(['ccc', 'bb', 'a'])
    const mute = { compare: () => Number.NaN }
    expect(sorted(rows, [{ kind: 'custom', custom: mute, descending: false }, byColumn('t')])).toEqual(
      sorted(rows, [byColumn('t')]),
    )
  })

  it('that is user-defined but cannot compare rows is refused with a sentence', () => {
    expect(() => sorted([], [{ kind: 'custom', custom: { apply: 'sql' }, descending: false }])).toThrow(
      'A custom sort has no compare(): rows in memory cannot be sorted by it.',
    )
  })

  it('that is user-defined has no positions', () => {
    const ordering = rowOrdering(
      [{ kind: 'custom', custom: { compare: () => 0 }, descending: false }],
      [albums],
      lonelyWorld,
    )
    expect(() => ordering.positionOf({ row: {}, pivot: null, type: 0 })).toThrow('custom sort')
    expect(() => ordering.ranksOfPosition([1], [])).toThrow('custom sort')
  })
})
