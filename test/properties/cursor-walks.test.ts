import { cursorPage } from 'ashlar'
import type { TestClient, TestResponse } from 'ashlar/testing'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { follow, idsOf, linkTo, pagesFrom, sentIn } from '../support/paged-albums.js'
import { runs } from '../support/runs.js'
import {
  collection,
  type Level,
  levelsOf,
  linkage,
  orderOf,
  related,
  sortParameter,
  track,
  type Track,
  tracksUpTo,
  type WalkedList,
  type World,
  walkServer,
} from './walk-world.js'

/** A row that is added, or an existing one that is deleted. */
type Change = { readonly kind: 'insert'; readonly row: Track } | { readonly kind: 'delete'; readonly at: number }

const change: fc.Arbitrary<Change> = fc.oneof(
  track.map((row): Change => ({ kind: 'insert', row })),
  fc.nat().map((at): Change => ({ kind: 'delete', at })),
)

const walk = fc.constantFrom(collection, related, linkage).chain((list) =>
  fc.record({
    list: fc.constant(list),
    levels: levelsOf(list),
    rows: tracksUpTo(12),
    size: fc.integer({ min: 1, max: 4 }),
    /** The changes between one page and the next. */
    changes: fc.array(fc.array(change, { maxLength: 4 }), { minLength: 3, maxLength: 8 }),
  }),
)

interface Walk {
  readonly list: WalkedList
  readonly levels: readonly Level[]
  readonly rows: readonly Track[]
  readonly size: number
}

/** The rows behind a server, which change under the walker. */
interface Shelf {
  readonly api: TestClient
  readonly compare: (a: Track, b: Track) => number
  /** Rows that have been there from the beginning. */
  readonly lasting: ReadonlySet<string>
  /** The current rows of the collection. */
  sorted(): readonly Track[]
  change(changes: readonly Change[]): Promise<void>
}

const noWorld: World = { tracks: [], positions: new Map() }

/** Shelves one after the other, on one server: it is the rows that differ. */
function shelves(): (walk: Walk) => Promise<Shelf> {
  const api = walkServer(noWorld, cursorPage())
  const insert = async ({ id, ...attributes }: Track): Promise<void> => {
    const { status } = await api.post('/entries', { body: { data: { type: 'entries', id, attributes } } })
    expect(status).toBe(201)
  }
  const remove = async (key: string): Promise<void> => {
    expect((await api.delete(`/entries/${key}`)).status).toBe(204)
  }
  return async ({ list, levels, rows }) => {
    for (const key of idsOf(await api.get('/entries?page[size]=100'))) await remove(key)
    for (const row of rows) await insert(row)
    const there = new Map(rows.map((row) => [row.id, row]))
    // A row that comes back would be another one of the same name.
    const known = new Set(there.keys())
    const lasting = new Set(rows.filter((row) => list.holds(row, noWorld)).map((row) => row.id))
    const compare = orderOf(levels, noWorld)
    return {
      api,
      compare,
      lasting,
      sorted: () => [...there.values()].filter((row) => list.holds(row, noWorld)).toSorted(compare),
      async change(changes) {
        for (const each of changes) {
          const deleted = each.kind === 'delete' ? [...there.keys()][each.at % there.size] : undefined
          if (deleted !== undefined) {
            there.delete(deleted)
            lasting.delete(deleted)
            await remove(deleted)
          }
          if (each.kind === 'insert' && !known.has(each.row.id)) {
            known.add(each.row.id)
            there.set(each.row.id, each.row)
            await insert(each.row)
          }
        }
      },
    }
  }
}

const pathOf = ({ list, levels, size }: Walk): string => `${list.path}?sort=${sortParameter(levels)}&page[size]=${size}`
const ids = (rows: readonly Track[]): readonly string[] => rows.map((row) => row.id)

/** The rows of a page as they were when it was read, so that they can be ordered after they are deleted. */
function rowsOf(response: TestResponse, there: readonly Track[]): readonly Track[] {
  return idsOf(response).map((key) => {
    const row = there.find((each) => each.id === key)
    if (row === undefined) throw new Error(`'${key}' is shown, and not there.`)
    return row
  })
}

function expectOnce(seen: readonly Track[], { lasting, compare }: Shelf): void {
  const keys = ids(seen)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.filter((key) => lasting.has(key)).toSorted()).toEqual([...lasting].toSorted())
  expect(seen.toSorted(compare)).toEqual(seen)
}

describe('while rows are added and removed', () => {
  test('a walk forward visits every remaining row once, and those of the others that follow', async () => {
    const shelfOf = shelves()
    await fc.assert(
      fc.asyncProperty(walk, async ({ changes, ...walked }) => {
        const shelf = await shelfOf(walked)
        const seen: Track[] = []
        let page = await shelf.api.get(pathOf(walked))
        for (let step = 0; ; step++) {
          const there = shelf.sorted()
          const last = seen.at(-1)
          const ahead = last === undefined ? there : there.filter((row) => shelf.compare(row, last) > 0)
          expect(idsOf(page)).toEqual(ids(ahead.slice(0, walked.size)))
          expect(linkTo(page, 'next') === null).toBe(ahead.length <= walked.size)
          seen.push(...rowsOf(page, there))
          if (linkTo(page, 'next') === null) break
          await shelf.change(changes[step] ?? [])
          page = await follow(shelf.api, page, 'next')
        }
        expectOnce(seen, shelf)
      }),
      { numRuns: runs(80) },
    )
  })

  test('a walk back from the last page does too', async () => {
    const shelfOf = shelves()
    await fc.assert(
      fc.asyncProperty(walk, async ({ changes, ...walked }) => {
        const shelf = await shelfOf(walked)
        const start = await shelf.api.get(pathOf(walked))
        let page = (await pagesFrom(shelf.api, start)).at(-1) ?? start
        const seen: Track[] = [...rowsOf(page, shelf.sorted())]
        for (let step = 0; linkTo(page, 'prev') !== null; step++) {
          await shelf.change(changes[step] ?? [])
          page = await follow(shelf.api, page, 'prev')
          const there = shelf.sorted()
          const first = seen[0]
          const behind = there.filter((row) => first !== undefined && shelf.compare(row, first) < 0)
          expect(idsOf(page)).toEqual(ids(behind.slice(-walked.size)))
          seen.unshift(...rowsOf(page, there))
        }
        expectOnce(seen, shelf)
      }),
      { numRuns: runs(80) },
    )
  })

  test('a walk over a range stays in it, and each page shows whether it was truncated', async () => {
    const range = fc.tuple(fc.nat(), fc.nat())
    const shelfOf = shelves()
    await fc.assert(
      fc.asyncProperty(walk, range, async ({ changes, ...walked }, [from, to]) => {
        const shelf = await shelfOf(walked)
        const places = await placesIn(shelf, walked)
        const [after, before] = [places[from % places.length], places[to % places.length]]
        if (after === undefined || before === undefined) return
        const isBetween = (row: Track, start: Track): boolean =>
          shelf.compare(row, start) > 0 && shelf.compare(row, before.row) < 0
        let start = after.row
        let target: string | null = `${pathOf(walked)}&page[after]=${after.token}&page[before]=${before.token}`
        for (let step = 0; target !== null; step++) {
          const page: TestResponse = await shelf.api.get(target)
          const between = shelf.sorted().filter((row) => isBetween(row, start))
          expect(idsOf(page)).toEqual(ids(between.slice(0, walked.size)))
          const isTruncated = between.length > walked.size
          expect(linkTo(page, 'next') !== null).toBe(isTruncated)
          if (walked.list.hasMeta) {
            const shown = idsOf(page)
            expect(page.document?.meta?.['page']).toEqual({
              perPage: walked.size,
              hasMore: isTruncated,
              ...(isTruncated ? { rangeTruncated: true } : {}),
              ...(shown.length === 0 ? {} : { from: shown[0], to: shown.at(-1) }),
            })
          }
          start = rowsOf(page, between).at(-1) ?? start
          target = linkTo(page, 'next')
          await shelf.change(changes[step] ?? [])
        }
      }),
      { numRuns: runs(80) },
    )
  })
})

interface Place {
  readonly row: Track
  readonly token: string
}

/** The cursors of all rows but the first, which pages of one row have. */
async function placesIn(shelf: Shelf, walked: Walk): Promise<readonly Place[]> {
  const pages = await pagesFrom(shelf.api, await shelf.api.get(pathOf({ ...walked, size: 1 })))
  return pages
    .slice(1)
    .flatMap((page) => rowsOf(page, shelf.sorted()).map((row) => ({ row, token: sentIn(page, 'prev', 'before') })))
}
