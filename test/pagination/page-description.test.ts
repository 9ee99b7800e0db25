import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describePage, type PageDescription, type PageLinkName } from '../../src/declare/pagination/page-description.js'
import { pageRequest } from '../../src/declare/pagination/page-request.js'
import {
  cursorPage,
  fixedPage,
  numberPage,
  offsetPage,
  type PageOptions,
  type Paginator,
} from '../../src/declare/pagination/paginator.js'
import { runs } from '../support/runs.js'

/** The requested page of a collection of `total` items. */
function described(paginator: Paginator, sent: ReadonlyMap<string, string>, total: number): PageDescription {
  const request = pageRequest(paginator, sent)
  if (request.kind === 'cursor') throw new Error('Cursor pages take rows.')
  const shown = Math.max(0, Math.min(total - request.offset, request.limit))
  const more = total > request.offset + request.limit
  const counted = paginator.counted ? total : null
  return describePage({ paginator, request, shown, total: counted, more, edges: null }, sent)
}

const names = ({ links }: PageDescription): readonly PageLinkName[] => [...links.keys()]

const cut = fc.record({
  make: fc.constantFrom<(options: PageOptions) => Paginator>(numberPage, offsetPage, fixedPage),
  counted: fc.boolean(),
  size: fc.integer({ min: 1, max: 5 }),
  total: fc.integer({ min: 0, max: 20 }),
})

describe('the links of a page that is cut by number', () => {
  test('visit every page once, forward and back', () => {
    fc.assert(
      fc.property(cut, ({ make, counted, size, total }) => {
        const paginator = counted ? make({ size }).withCount() : make({ size })
        const pages: string[] = []
        let page = described(paginator, new Map(), total)
        for (let next = page.links.get('next'); next !== undefined; next = page.links.get('next')) {
          pages.push(JSON.stringify([...next]))
          page = described(paginator, next, total)
        }
        expect(new Set(pages).size).toBe(Math.max(0, Math.ceil(total / size) - 1))
        if (counted && total > 0) expect(page.links.get('last')).toEqual(page.links.get('self'))
        for (let prev = page.links.get('prev'); prev !== undefined; prev = page.links.get('prev')) {
          pages.pop()
          page = described(paginator, prev, total)
        }
        expect(pages).toEqual([])
        if (total > 0) expect(page.links.get('first')).toEqual(page.links.get('self'))
      }),
      { numRuns: runs(300) },
    )
  })

  test('are some of self, first, prev, next and last, in that order', () => {
    const all: readonly PageLinkName[] = ['self', 'first', 'prev', 'next', 'last']
    fc.assert(
      fc.property(cut, fc.integer({ min: -1, max: 9 }), ({ make, size, total }, number) => {
        const sent = new Map([
          ['number', String(number)],
          ['offset', String(number)],
        ])
        const found = names(described(make({ size }).withCount(), sent, total))
        expect(found).toEqual(all.filter((name) => found.includes(name)))
      }),
    )
  })
})

describe('a page that is cut by offset', () => {
  test('between two pages has a prev to the beginning, and no further', () => {
    const { links } = described(offsetPage({ size: 5 }), new Map([['offset', '3']]), 20)
    expect(links.get('prev')).toEqual(new Map([['offset', '0']]))
    expect(links.get('next')).toEqual(new Map([['offset', '8']]))
  })
})

describe('a cursor page', () => {
  const edges = { first: { token: () => 'F', id: '1' }, last: { token: () => 'L', id: '2' } }
  const cursor = (sent: Readonly<Record<string, string>>, more: boolean, found: typeof edges | null = edges) => {
    const parameters = new Map(Object.entries(sent))
    const paginator = cursorPage({ size: 2 })
    const facts = { paginator, request: pageRequest(paginator, parameters), shown: 2, total: 9, more, edges: found }
    const { links, meta } = describePage(facts, parameters)
    return { meta, links: Object.fromEntries(Array.from(links, ([name, page]) => [name, Object.fromEntries(page)])) }
  }

  test.each([
    ['at the start', {}, true, { first: {}, next: { after: 'L' } }, { hasMore: true }],
    ['that is all', {}, false, { first: {} }, { hasMore: false }],
    [
      'after a row',
      { after: 'x' },
      true,
      { first: {}, prev: { before: 'F' }, next: { after: 'L' } },
      { hasMore: true },
    ],
    ['at the end', { after: 'x' }, false, { first: {}, prev: { before: 'F' } }, { hasMore: false }],
    [
      'before a row',
      { before: 'x' },
      true,
      { first: {}, prev: { before: 'F' }, next: { after: 'L' } },
      { hasMore: true },
    ],
    ['before a row, at the start', { before: 'x' }, false, { first: {}, next: { after: 'L' } }, { hasMore: true }],
    [
      'between two rows, truncated',
      { after: 'x', before: 'y' },
      true,
      { first: {}, prev: { before: 'F' }, next: { after: 'L', before: 'y' } },
      { hasMore: true, rangeTruncated: true },
    ],
    ['between two rows', { after: 'x', before: 'y' }, false, { first: {}, prev: { before: 'F' } }, { hasMore: false }],
  ])('%s', (_, sent, more, links, meta) => {
    expect(cursor(sent, more)).toEqual({ links, meta: { perPage: 2, from: '1', to: '2', ...meta } })
  })

  test('retains parameters that are not about the position, and never has a total', () => {
    expect(cursor({ size: '2', after: 'x', kind: 'cursor' }, true).links['next']).toEqual({
      size: '2',
      kind: 'cursor',
      after: 'L',
    })
    expect(cursor({}, true).meta).not.toHaveProperty('total')
  })

  test('without rows has no next page', () => {
    expect(cursor({ after: 'x' }, false, null)).toEqual({ links: { first: {} }, meta: { perPage: 2, hasMore: false } })
  })
})
