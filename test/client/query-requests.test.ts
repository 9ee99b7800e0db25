import { createClient } from '@ashlar/client'
import { type ApiOf, createServer, defineResource, id as idOf, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { allOf, failure, json, scriptedServer, thrownBy } from './scripted-server.js'

const ids = Array.from({ length: 2_000 }, (_, index) => String(index + 1))
const manyIds = ids.map((each) => `filter%5Bid%5D%5B%5D=${each}`).join('&')
const albumType = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: idOf(),
  attributes: (a) => ({ title: a.string() }),
})
const rows = [1, 2, 3].map((id) => ({ id, title: `Album ${id}` }))
const server = createServer({ resources: [albumType], data: memoryData({ albums: rows }) })
interface Api extends ApiOf<typeof server> {}

const page = json({ data: [] })

describe('a read', () => {
  test('whose URL would be too long has its parameters in the body', async () => {
    const { albums, sent } = scriptedServer([page.clone(), page.clone()])
    await albums.list({ filter: { id: ['1'] } })
    await albums.list({ filter: { id: ids } })
    const [short, long] = sent
    expect([short?.method, short?.body]).toEqual(['GET', null])
    expect(long).toMatchObject({
      method: 'QUERY',
      url: 'https://music.example/records',
      headers: { accept: 'application/vnd.api+json', 'content-type': 'application/x-www-form-urlencoded' },
      body: manyIds,
    })
  })

  test.each<['always' | 'never', string, string]>([
    ['always', 'QUERY', 'https://music.example/records'],
    ['never', 'GET', `https://music.example/records?${manyIds}`],
  ])('is sent as the setting says: %s', async (queryMethod, method, url) => {
    const { albums, sent } = scriptedServer([page.clone()], { queryMethod })
    await albums.list({ filter: { id: ids } })
    expect(sent[0]).toMatchObject({ method, url })
  })

  test('that a server refuses has its errors, and is repeated like others', async () => {
    const { albums, sent } = scriptedServer([failure(503), failure(405)], { queryMethod: 'always' })
    expect(await thrownBy(albums.list())).toMatchObject({ status: 405 })
    expect(sent.map(({ method }) => method)).toEqual(['QUERY', 'QUERY'])
  })
})

describe('pages without a link', () => {
  test('have the parameters of meta, with those of the first page', async () => {
    const meta = { page: { unlinked: { next: { 'page[number]': '2', 'page[size]': '1' } } } }
    const { albums, sent } = scriptedServer([json({ data: [], meta }), page.clone()])
    const first = await albums.list({ filter: { id: ids }, page: { number: 1 } })
    expect(first.nextPage).toEqual({ number: 2, size: 1 })
    expect(first.previousPage).toBeNull()
    await first.next()
    expect(sent[1]).toMatchObject({
      method: 'QUERY',
      body: `${manyIds}&page%5Bnumber%5D=2&page%5Bsize%5D=1`,
    })
  })

  test('of a server are all read', async () => {
    const methods: string[] = []
    const { types } = createClient<Api>({
      url: 'http://localhost',
      fetch: async (url, init) => {
        methods.push(init.method ?? '')
        return server.fetch(new Request(url, init))
      },
    })
    const found = await allOf(types.albums.each({ filter: { id: ids }, page: { size: 1 } }))
    expect(found.map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(methods).toEqual(['QUERY', 'QUERY', 'QUERY'])
  })
})
