import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowList } from '../../src/stores/row-query/list-rows.js'
import { listRows } from '../../src/stores/row-query/list-rows.js'
import { tokens } from '../support/cursor-content.js'
import type { RowObject } from '../../src/declare/resource/fields/field-spec.js'
import { dateTimeKind } from '../../src/declare/resource/fields/moment-kind.js'
import { decimalKind, stringKind } from '../../src/declare/resource/fields/value-kind.js'
import type { RowOrder } from '../../src/declare/resource/querying/row-order.js'
import type { RowPosition, RowWindow } from '../../src/declare/resource/querying/row-window.js'
import { albums, byColumn, candidates, lonelyWorld } from './music-rows.js'
import { anyValue } from './stored-values.js'
import { runs } from '../support/runs.js'

interface Listing {
  readonly rows: readonly RowObject[]
  readonly orders: readonly RowOrder[]
}

function read({ rows, orders }: Listing, window: RowWindow | null): RowList {
  const criteria = { types: [albums], conditions: [], orders, window, wantsCount: true }
  return listRows(candidates(rows), criteria, lonelyWorld)
}

const ids = ({ candidates: found }: Pick<RowList, 'candidates'>) => found.map(({ row }) => row['id'])
const whole = (listing: Listing) => ids(read(listing, null))
const cursor = (limit: number, after: RowPosition | null, before: RowPosition | null = null): RowWindow => ({
  kind: 'cursor',
  limit,
  after,
  before,
})

/** As a client sends it back. */
function sentBack({ orders }: Listing, cursorPosition: RowPosition): RowPosition {
  const names = orders.map((_, level) => String(level))
  return tokens.decode(tokens.encode(names, cursorPosition), names, 'page[after]')
}

const few: Listing = {
  rows: [{ id: 1, a: 'x' }, { id: 2, a: null }, { id: 3, a: 'x' }, { id: 4 }, { id: 5, a: 'w' }],
  orders: [byColumn('a'), byColumn('id')],
}

describe('A window', () => {
  it('by offset is a slice, and shows whether more follow', () => {
    expect(whole(few)).toEqual([5, 1, 3, 2, 4])
    const page = read(few, { kind: 'offset', offset: 1, limit: 2 })
    expect([ids(page), page.more, page.total, page.edges]).toEqual([[1, 3], true, 5, null])
    const last = read(few, { kind: 'offset', offset: 3, limit: 2 })
    expect([ids(last), last.more]).toEqual([[2, 4], false])
    const beyond = read(few, { kind: 'offset', offset: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER })
    expect([ids(beyond), beyond.more]).toEqual([[], false])
  })

  it('counts only if requested', () => {
    const criteria = { types: [albums], conditions: [], orders: few.orders, window: null, wantsCount: false }
    expect(listRows(candidates(few.rows), criteria, lonelyWorld).total).toBeNull()
  })

  it('by cursor starts after a position and has the positions of its first and last row', () => {
    const page = read(few, cursor(2, ['w', 5]))
    expect(ids(page)).toEqual([1, 3])
    expect(page).toMatchObject({ more: true, edges: { first: ['x', 1], last: ['x', 3] } })
    expect(read(few, cursor(9, [null, 2])).edges).toEqual({ first: [null, 4], last: [null, 4] })
  })

  it('that ends before a position takes the rows nearest to it, in the natural order', () => {
    const page = read(few, cursor(2, null, [null, 2]))
    expect([ids(page), page.more]).toEqual([[1, 3], true])
    const first = read(few, cursor(3, null, [null, 2]))
    expect([ids(first), first.more]).toEqual([[5, 1, 3], false])
  })

  it('between two positions starts at the first', () => {
    const page = read(few, cursor(1, ['w', 5], [null, 4]))
    expect([ids(page), page.more]).toEqual([[1], true])
    const all = read(few, cursor(3, ['w', 5], [null, 4]))
    expect([ids(all), all.more]).toEqual([[1, 3, 2], false])
  })

  it('without rows has no positions', () => {
    expect(read(few, cursor(5, [null, 4]))).toMatchObject({ candidates: [], more: false, edges: null })
    expect(read(few, cursor(5, null, ['w', 5]))).toMatchObject({ candidates: [], more: false, edges: null })
    expect(read(few, cursor(5, [null, 4], ['w', 5]))).toMatchObject({ candidates: [], more: false, edges: null })
  })

  it('begins at its position, whether or not its row still exists, with any values', () => {
    expect(ids(read(few, cursor(2, ['x', 2])))).toEqual([3, 2])
    expect(ids(read(few, cursor(9, [{ a: 1 }, 'x'])))).toEqual([2, 4])
    expect(ids(read(few, cursor(9, [17, null])))).toEqual([5, 1, 3, 2, 4])
    expect(ids(read(few, cursor(9, [])))).toEqual([])
  })
})

const astral = fc.string({ unit: fc.constantFrom('a', '\uE000', '\uFFFD', '😀', '𝒳'), maxLength: 2 })
const tiedRow = fc.record({
  text: fc.option(astral),
  number: fc.option(fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constantFrom('1', '0.5', 1n))),
  moment: fc.option(fc.constantFrom(new Date(0), new Date(1), '1970-01-01T00:00:00Z', '1970-01-01T02:00:00+02:00')),
  anything: anyValue,
})

const tiedListing: fc.Arbitrary<Listing> = fc
  .record({
    rows: fc.array(tiedRow, { maxLength: 25 }),
    levels: fc.subarray(['text', 'number', 'moment', 'anything'] as const, { minLength: 0 }),
    directions: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  })
  .map(({ rows, levels, directions }) => {
    const kindOf = { text: stringKind, number: decimalKind, moment: dateTimeKind, anything: null }
    const orders = levels.map((name, level) =>
      byColumn(name, { kind: kindOf[name], descending: directions[level] === true }),
    )
    return {
      rows: rows.map((row, index) => ({ id: (index * 7) % 26, ...row })),
      orders: [...orders, byColumn('id', { descending: directions[4] === true })],
    }
  })

const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 })

describe('For all rows, orders and page sizes', () => {
  it('a walk forward by cursors visits every row once, in order', () => {
    fc.assert(
      fc.property(tiedListing, sizes, (listing, limits) => {
        const walked: unknown[] = []
        let after: RowPosition | null = null
        for (let page = 0; ; page++) {
          const found: RowList = read(listing, cursor(limits[page % limits.length] ?? 1, after))
          walked.push(...ids(found))
          if (!found.more || found.edges === null) break
          after = sentBack(listing, found.edges.last)
        }
        expect(walked).toEqual(whole(listing))
      }),
      { numRuns: runs(300) },
    )
  })

  it('a walk backward by cursors visits every row once, in order', () => {
    fc.assert(
      fc.property(tiedListing, sizes, (listing, limits) => {
        const all = whole(listing)
        const walked = all.slice(-1)
        let before = positionOf(listing, all.length - 1)
        for (let page = 0; before !== null; page++) {
          const found: RowList = read(listing, cursor(limits[page % limits.length] ?? 1, null, before))
          walked.unshift(...ids(found))
          before = found.more && found.edges !== null ? sentBack(listing, found.edges.first) : null
        }
        expect(walked).toEqual(whole(listing))
      }),
      { numRuns: runs(300) },
    )
  })

  it('between two cursors lies the slice between their rows', () => {
    fc.assert(
      fc.property(tiedListing, fc.nat(25), fc.nat(25), fc.integer({ min: 1, max: 30 }), (listing, a, b, limit) => {
        const all = whole(listing)
        const [after, before] = [positionOf(listing, a), positionOf(listing, b)]
        fc.pre(after !== null && before !== null)
        const between = all.slice(a + 1, Math.max(a + 1, b))
        const page = read(listing, cursor(limit, after, before))
        expect([ids(page), page.more]).toEqual([between.slice(0, limit), between.length > limit])
      }),
      { numRuns: runs(300) },
    )
  })

  it('windows by offset are the slices', () => {
    fc.assert(
      fc.property(tiedListing, fc.nat(30), fc.nat(30), (listing, offset, limit) => {
        const all = whole(listing)
        const page = read(listing, { kind: 'offset', offset, limit })
        expect(ids(page)).toEqual(all.slice(offset, offset + limit))
        expect([page.more, page.total]).toEqual([all.length > offset + limit, all.length])
      }),
      { numRuns: runs(300) },
    )
  })
})

/** The position of a row as a client has it from a page of one. */
function positionOf(listing: Listing, position: number): RowPosition | null {
  const all = read(listing, cursor(100, null))
  const { row } = all.candidates[position] ?? {}
  if (row === undefined) return null
  const single = read({ ...listing, rows: [row] }, cursor(1, null))
  return single.edges === null ? null : sentBack(listing, single.edges.first)
}
