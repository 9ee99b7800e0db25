import { cursorPage, fixedPage, numberPage, offsetPage } from 'ashlar'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import { describe, expect, test } from 'vitest'
import { idsOf, shelf } from '../support/paged-albums.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const two = offsetPage({ size: 2 })
const offsetOf = (limit: number) => ({ page: { offset: 0, limit, from: 1, to: limit } })
const pageOf = (perPage: number) => ({ page: { currentPage: 1, perPage, from: 1, to: perPage } })
const collection = async (options: Parameters<typeof shelf>[0]) => (await shelf(options).get('/albums')).document?.meta
const related = async (options: Parameters<typeof shelf>[0]) =>
  (await shelf(options).get('/artists/1/albums')).document?.meta
const linkage = async (options: Parameters<typeof shelf>[0]) =>
  idsOf(await shelf(options).get('/artists/1/relationships/albums?sort=-title'))

describe('the effective paginator of a primary collection', () => {
  test('is the built-in default if none is declared: page-number, size 15, at most 100', async () => {
    expect(await collection({ count: 120 })).toEqual(pageOf(15))
    const large = await shelf({ count: 120 }).get('/albums?page[size]=110')
    expect(large.document?.meta).toEqual(pageOf(100))
  })

  test('is the server default if the resource declares none', async () => {
    expect(await collection({ settings: { pagination: two } })).toEqual(offsetOf(2))
  })

  test("is the resource's over the server default", async () => {
    expect(await collection({ pagination: numberPage({ size: 3 }), settings: { pagination: two } })).toEqual(pageOf(3))
  })

  test('may be a function of the server default', async () => {
    const received: (AnyPaginator | null)[] = []
    const inherit = (serverDefault: AnyPaginator | null): AnyPaginator | null => {
      received.push(serverDefault)
      return serverDefault
    }
    expect(await collection({ pagination: inherit, settings: { pagination: two } })).toEqual(offsetOf(2))
    expect(new Set(received)).toEqual(new Set([two]))
    expect(await collection({ pagination: inherit, count: 20 })).toEqual(pageOf(15))
    expect(await collection({ pagination: inherit, settings: { pagination: null } })).toEqual({ total: 5 })
    expect(await collection({ pagination: inherit, settings: { maxPageSize: 0 } })).toEqual({ total: 5 })
    expect(await collection({ pagination: () => two, settings: { pagination: null } })).toEqual(offsetOf(2))
  })

  test('null means that the collection is fetched whole', async () => {
    exemptFromDescription('queries', 'Without a paginator, pages are ignored.')
    for (const pagination of [null, () => null]) {
      const response = await shelf({ count: 120, pagination }).get('/albums?page[size]=2')
      expect(idsOf(response)).toHaveLength(120)
      expect(response.document?.meta).toEqual({ total: 120 })
    }
  })

  test('of the server may be null: collections are fetched whole unless they declare one', async () => {
    const settings = { pagination: null }
    expect(await collection({ count: 120, settings })).toEqual({ total: 120 })
    expect(await collection({ pagination: two, settings })).toEqual(offsetOf(2))
  })
})

describe('rule 3: the built-in default paginator', () => {
  test('is bounded by the configured maximum per page', async () => {
    const settings = { maxPageSize: 20 }
    const response = await shelf({ count: 30, settings }).get('/albums?page[size]=50')
    expect(response.document?.meta).toEqual(pageOf(20))
  })

  test('is disabled by a maximum of 0: collections render unpaginated unless they declare a paginator', async () => {
    const settings = { maxPageSize: 0 }
    expect(await collection({ count: 120, settings })).toEqual({ total: 120 })
    expect(await related({ count: 120, settings })).toEqual({ total: 120 })
    expect(await collection({ pagination: two, settings })).toEqual(offsetOf(2))
    expect(await related({ relation: two, settings })).toEqual(offsetOf(2))
  })

  test('is the only one with this bound: declared paginators have their own cap', async () => {
    const settings = { maxPageSize: 20, pagination: numberPage() }
    const response = await shelf({ count: 120, settings }).get('/albums?page[size]=100')
    expect(response.document?.meta).toEqual(pageOf(100))
  })
})

describe('the effective paginator of a related collection', () => {
  const server = { pagination: fixedPage({ size: 4 }) }

  test("is the relation's over the related resource's", async () => {
    const options = { relation: two, pagination: numberPage({ size: 3 }), settings: server }
    expect(await related(options)).toEqual(offsetOf(2))
    expect(await linkage(options)).toEqual(['5', '4'])
  })

  test("is the related resource's over the server default, not that of the parent", async () => {
    const options = { pagination: numberPage({ size: 3 }), settings: server }
    expect(await related(options)).toEqual(pageOf(3))
    expect(await linkage(options)).toEqual(['5', '4', '3'])
  })

  test("is the result of the related resource's function of the server default, if it is a function", async () => {
    const options = { pagination: () => two, settings: server }
    expect(await related(options)).toEqual(offsetOf(2))
  })

  test('is the server default if neither declares one', async () => {
    expect(await related({ settings: server })).toEqual({ page: { currentPage: 1 } })
    expect(await linkage({ settings: server })).toEqual(['5', '4', '3', '2'])
    expect(await related({ count: 20 })).toEqual(pageOf(15))
  })

  test('is none with withoutPagination(), whatever the others declare', async () => {
    const options = { relation: null, pagination: two, settings: server }
    expect(await related(options)).toEqual({ total: 5 })
    expect(await linkage(options)).toEqual(['5', '4', '3', '2', '1'])
  })

  test('is none if the related resource has null', async () => {
    expect(await related({ pagination: null, settings: server })).toEqual({ total: 5 })
    expect(await related({ pagination: null, relation: two, settings: server })).toEqual(offsetOf(2))
  })

  test('does not change that of the collection', async () => {
    expect(await collection({ relation: cursorPage({ size: 1 }), settings: { pagination: two } })).toEqual(offsetOf(2))
    expect(await collection({ relation: null, settings: { pagination: two } })).toEqual(offsetOf(2))
  })
})
