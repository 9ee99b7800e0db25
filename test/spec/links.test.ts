import { createServer, cursorPage, defineResource, id, model, numberPage, offsetPage } from 'ashlar'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

/** Every link of a document, at any position. */
function linksIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    if (name !== 'links') return linksIn(member)
    return Object.values(member as Readonly<Record<string, unknown>>).map(String)
  })
}

const pathOf = (link: unknown): string => String(link).slice('http://localhost'.length)

const documents = [
  '/albums?include=artist,tracks&page[size]=2',
  '/artists/1?include=albums.tracks',
  '/artists/1/albums?page[size]=1&sort=-title',
  '/artists/1/relationships/albums?page[size]=1',
  '/libraries/1/items?page[size]=2&page[number]=2',
  '/favorites',
  '/tracks?page[kind]=cursor&page[size]=2',
]

describe('links are absolute', () => {
  test('at every position of a document', async () => {
    for (const path of documents) {
      const { status, document } = await client(catalogueServer()).get(path)
      expect(status).toBe(200)
      const links = linksIn(document)
      expect(links.length).toBeGreaterThan(3)
      for (const link of links) expect(link).toMatch(/^http:\/\/localhost\/[a-z]/)
    }
  })

  test('under the configured base URI, for any request', async () => {
    const server = catalogueServer({ baseUri: 'https://music.example/api' })
    for (const path of documents) {
      const { document } = await client(server, { origin: 'http://10.0.0.7:8080' }).get(path)
      for (const link of linksIn(document)) expect(link).toMatch(/^https:\/\/music\.example\/api\/[a-z]/)
    }
  })

  test('else under the scheme and host of the request', async () => {
    for (const path of documents) {
      const { document } = await client(catalogueServer(), { origin: 'https://[2001:db8::7]:8443' }).get(path)
      for (const link of linksIn(document)) expect(link).toMatch(/^https:\/\/\[2001:db8::7\]:8443\/[a-z]/)
    }
  })

  test('with the prefix of a named server', async () => {
    for (const baseUri of [undefined, 'https://music.example/api']) {
      const server = catalogueServer(baseUri === undefined ? {} : { baseUri })
      for (const path of ['/admin/albums?page[size]=1', '/admin/users', '/admin/albums/1/relationships/tracks']) {
        const links = linksIn((await client(server).get(path)).document)
        expect(links.length).toBeGreaterThan(0)
        for (const link of links) expect(link.startsWith(`${baseUri ?? 'http://localhost'}/admin/`)).toBe(true)
      }
    }
  })
})

const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'music.example' }

/** The links of a response to a request that came over a proxy. */
async function linksThrough(
  settings: Parameters<typeof catalogueServer>[0],
  headers: Readonly<Record<string, string>> = forwarded,
): Promise<readonly string[]> {
  const request = new Request('http://10.0.0.7:8080/artists/1/albums?page[size]=1', { headers })
  const response = await catalogueServer(settings).fetch(request)
  return linksIn(await response.json())
}

async function baseThrough(headers: Readonly<Record<string, string>>): Promise<string> {
  const [link = ''] = await linksThrough({ trustProxy: true }, headers)
  return link.slice(0, link.indexOf('/', 'https://'.length))
}

describe('X-Forwarded-Proto and X-Forwarded-Host', () => {
  test('are ignored unless the server is configured to trust the proxy', async () => {
    for (const link of await linksThrough({})) expect(link).toMatch(/^http:\/\/10\.0\.0\.7:8080\//)
    for (const link of await linksThrough({ trustProxy: false })) expect(link).toMatch(/^http:\/\/10\.0\.0\.7:8080\//)
  })

  test('are the base of all links if it is', async () => {
    const links = await linksThrough({ trustProxy: true })
    expect(links.length).toBeGreaterThan(3)
    for (const link of links) expect(link).toMatch(/^https:\/\/music\.example\//)
  })

  test('are independent of each other; the first of several values counts, and invalid values are ignored', async () => {
    expect(await baseThrough({ 'x-forwarded-proto': 'https' })).toBe('https://10.0.0.7:8080')
    expect(await baseThrough({ 'x-forwarded-host': 'a.example, b.example' })).toBe('http://a.example')
    expect(await baseThrough({ 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'a.example/x' })).toBe(
      'http://10.0.0.7:8080',
    )
  })

  test('are overridden by a configured base URI', async () => {
    for (const link of await linksThrough({ trustProxy: true, baseUri: 'https://api.example' })) {
      expect(link).toMatch(/^https:\/\/api\.example\//)
    }
  })
})

const names = [
  'a b',
  'Tom & Jerry',
  'a+b',
  '100%',
  'x=y?z',
  '#1',
  'Jóga',
  '日本',
  '😀',
  '[live]',
  '"quoted"',
  "it's; ok",
  '\\ | ^',
]

const labels = (pagination: AnyPaginator) => {
  const declared = defineResource('labels', {
    model: model<{ id: number; name: string }>('labels'),
    id: id(),
    attributes: (a) => ({ name: a.string().sortable() }),
    filters: (f) => ({ name: f.where('name'), oneOf: f.in('name'), 'odd key & more': f.where('name') }),
    pagination,
  })
  const rows = names.flatMap((name, index) => [1, 2].map((copy) => ({ id: index * 2 + copy, name })))
  return client(createServer({ resources: [declared], data: storedData({ labels: rows }) }))
}

describe("page links retain the client's query string", () => {
  const paginators = [
    ['page', numberPage({ size: 1 })],
    ['offset', offsetPage({ size: 1 })],
    ['cursor', cursorPage({ size: 1 })],
  ] as const

  test.each(paginators)('so that filters survive, correctly encoded, over %s pages', async (_kind, paginator) => {
    const api = labels(paginator)
    for (const name of names) {
      const first = await api.get(`/labels?filter[name]=${encodeURIComponent(name)}`)
      expect(first.resources.map(({ attributes }) => attributes?.['name'])).toEqual([name])
      const next = new URL(String(first.document?.links?.['next']))
      expect(next.searchParams.get('filter[name]')).toBe(name)
      const second = await api.get(pathOf(next.href))
      expect(second.resources.map(({ attributes }) => attributes?.['name'])).toEqual([name])
      expect(second.resources[0]?.id).not.toBe(first.resources[0]?.id)
      expect(second.document?.links).not.toHaveProperty('next')
      const back = await api.get(pathOf(second.document?.links?.['prev']))
      expect(shown(back.resources)).toEqual(shown(first.resources))
    }
  })

  test('so that sorts, fieldsets and includes survive', async () => {
    const api = client(catalogueServer())
    const path = '/albums?sort=-title&fields[albums]=title,artist&include=artist&fields[artists]=name&page[size]=1'
    const { document } = await api.get(path)
    expect(document?.links?.['next']).toBe(
      'http://localhost/albums?sort=-title&fields%5Balbums%5D=title,artist&include=artist&fields%5Bartists%5D=name' +
        '&page%5Bsize%5D=1&page%5Bnumber%5D=2',
    )
    const next = await api.get(pathOf(document?.links?.['next']))
    expect(next.resources.map(({ attributes }) => attributes)).toEqual([{ title: 'Kind of Blue' }])
    expect(next.document?.included?.map(({ attributes }) => attributes)).toEqual([{ name: 'Miles Davis' }])
  })

  test('however it was written: plus signs, raw or encoded brackets, lists, odd keys', async () => {
    const api = labels(numberPage({ size: 1 }))
    for (const query of [
      'filter[name]=a+b',
      'filter%5Bname%5D=a%20b',
      'filter%5bname%5d=%61+b',
      'filter[oneOf]=a+b',
      'filter[oneOf][]=a%20b&filter[oneOf][]=none',
      'filter[odd%20key+%26%20more]=a+b',
    ]) {
      const { document, resources } = await api.get(`/labels?${query}`)
      expect(shown(resources)).toEqual(['labels 1'])
      expect(shown((await api.get(pathOf(document?.links?.['next']))).resources)).toEqual(['labels 2'])
    }
  })
})
