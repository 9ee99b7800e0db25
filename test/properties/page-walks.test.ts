import { cursorPage, fixedPage, numberPage, offsetPage } from 'ashlar'
import type { TestResponse } from 'ashlar/testing'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exemptFromDescription } from '../support/described-exchange.js'
import { follow, idsOf, linkTo, pagesFrom } from '../support/paged-albums.js'
import { runs } from '../support/runs.js'
import {
  collection,
  joinedLists,
  levelsOf,
  linkage,
  orderOf,
  related,
  sortParameter,
  walkServer,
  worldUpTo,
} from './walk-world.js'

const strategies = { page: numberPage, offset: offsetPage, fixed: fixedPage, cursor: cursorPage }
type Strategy = keyof typeof strategies

const walk = fc.constantFrom(collection, related, linkage, ...joinedLists).chain((list) =>
  fc.record({
    list: fc.constant(list),
    levels: levelsOf(list),
    world: worldUpTo(12),
    size: fc.integer({ min: 1, max: 5 }),
    /** Whether the size is the client's, or the default of the paginator. */
    isCountRequested: fc.boolean(),
    counted: fc.boolean(),
  }),
)

interface PageFacts {
  readonly strategy: Strategy
  readonly size: number
  readonly total: number
  readonly counted: boolean
}

/** The expected `meta.page` of a page that starts after `before` rows, from its rows and its links. */
function metaOf(page: TestResponse, before: number, { strategy, size, total, counted }: PageFacts): object {
  const ids = idsOf(page)
  const extent = ids.length === 0 ? { from: null, to: null } : { from: before + 1, to: before + ids.length }
  const totals = counted ? { total } : {}
  const lastPage = counted ? { lastPage: Math.max(1, Math.ceil(total / size)) } : {}
  switch (strategy) {
    case 'page':
      return { currentPage: before / size + 1, perPage: size, ...extent, ...totals, ...lastPage }
    case 'fixed':
      return { currentPage: before / size + 1, ...totals, ...lastPage }
    case 'offset':
      return { offset: before, limit: size, ...extent, ...totals }
    case 'cursor': {
      const edges = ids.length === 0 ? {} : { from: ids[0], to: ids.at(-1) }
      return { perPage: size, hasMore: linkTo(page, 'next') !== null, ...edges }
    }
  }
}

describe.each(Object.keys(strategies) as Strategy[])('a walk by %s', (strategy) => {
  test('visits every row once, in order, forward and back, and its links agree with its meta', async () => {
    exemptFromDescription('queries', 'A page with an unknown key asks for the first page of linkage, too.')
    await fc.assert(
      fc.asyncProperty(walk, async ({ list, levels, world, size, isCountRequested, counted }) => {
        const isRequested = isCountRequested && strategy !== 'fixed'
        const plain = strategies[strategy]({ size: isRequested ? 7 : size })
        const api = walkServer(world, counted ? plain.withCount() : plain)
        const rows = world.tracks.filter((row) => list.holds(row, world))
        const expected = rows.toSorted(orderOf(levels, world)).map((row) => row.id)
        const facts: PageFacts = { strategy, size, total: rows.length, counted: counted && strategy !== 'cursor' }

        const query = [
          `sort=${sortParameter(levels)}`,
          isRequested ? `page[${strategy === 'offset' ? 'limit' : 'size'}]=${size}` : 'page[x]=1',
        ].join('&')
        const start = await api.get(`${list.path}?${query}`)
        const forward = await pagesFrom(api, start)
        expect(forward.flatMap(idsOf)).toEqual(expected)
        forward.forEach((page, index) => {
          expect(linkTo(page, 'prev') === null).toBe(index === 0)
          if (index < forward.length - 1) expect(idsOf(page)).toHaveLength(size)
          const meta = list.hasMeta ? { page: metaOf(page, index * size, facts) } : {}
          const total = facts.counted ? { total: rows.length } : {}
          expect(page.document?.meta ?? {}).toEqual({ ...meta, ...total })
        })

        const end = forward.at(-1) ?? start
        const backward = await pagesFrom(api, end, 'prev')
        expect(backward.toReversed().flatMap(idsOf)).toEqual(expected)

        if (rows.length === 0) return
        expect(idsOf(await follow(api, end, 'first'))).toEqual(idsOf(start))
        expect(idsOf(await follow(api, end, 'self'))).toEqual(idsOf(end))
        if (facts.counted) expect(idsOf(await follow(api, start, 'last'))).toEqual(idsOf(end))
        else expect(linkTo(start, 'last')).toBeNull()
      }),
      { numRuns: runs(80) },
    )
  })
})
