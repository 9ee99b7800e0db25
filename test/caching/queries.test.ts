import {
  belongsTo,
  createServer,
  cursorPage,
  defineResource,
  type FilterKit,
  hasMany,
  id,
  model,
  type Operation,
  rule,
} from 'ashlar'
import {
  countableProfile,
  cursorPaginationProfile,
  relationshipQueriesProfile,
} from '../../src/declare/profiles/profile.js'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { exemptFromDescription } from '../support/described-exchange.js'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { recordShop } from '../support/record-shop.js'
import { comparableResponse, stores } from './caching-shop.js'

/** Repeated queries are cached: never those of others, and never outdated ones. */

type Filters = FilterKit<string>

const titlesOf = (
  resources: readonly { readonly attributes?: Readonly<Record<string, unknown>> }[],
): readonly unknown[] => resources.map(({ attributes }) => attributes?.['title'])

const artistOfKidA = (row: Readonly<Record<string, unknown>>): readonly string[] =>
  row['title'] === 'Kid A' ? ['artist'] : []

describe.each(stores)('on %s', (_store, open) => {
  test('a user-defined function converts the value of a filter in every request', async () => {
    let title = 'Kid A'
    const filters = (f: Filters) => ({
      latest: f.where('title').deserializeUsing(() => title),
      any: f.any({ title: f.where('title').deserializeUsing(() => title) }),
    })
    const api = client(recordShop({ albums: { filters } }, { data: open() }))
    for (const now of ['Kid A', 'Untrue', 'Kid A', 'Nothing', 'Untrue']) {
      title = now
      for (const path of ['/albums?filter[latest]=x', '/albums?filter[any]=x']) {
        expect(titlesOf((await api.get(path)).resources)).toEqual(now === 'Nothing' ? [] : [now])
      }
      const related = await api.get('/artists/1/albums?filter[latest]=x')
      expect(titlesOf(related.resources)).toEqual(now === 'Kid A' ? [now] : [])
    }
  })

  test('its constraints are checked in every request', async () => {
    let isOpen = true
    const demand = rule.custom('open', () => (isOpen ? null : 'Not now.'))
    const filters = (f: Filters) => ({
      title: f.where().constrain(demand),
      name: f.where('title').constrain(rule.when(() => !isOpen, rule.minLength(100))),
    })
    const api = client(recordShop({ albums: { filters } }, { data: open() }))
    for (const now of [true, false, true, true, false]) {
      isOpen = now
      for (const path of [
        '/albums?filter[title]=Untrue',
        '/albums?filter[name]=Untrue',
        '/tracks/5/album?filter[title]=Untrue',
      ]) {
        expect((await api.get(path)).status).toBe(now ? 200 : 400)
      }
    }
  })

  test('resources that are included by default follow the current rows', async () => {
    const api = client(recordShop({ albums: { defaultIncludes: artistOfKidA } }, { data: open() }))
    for (const title of ['Kid A', 'x', 'Kid A', 'y']) {
      await api.patch('/albums/2', { body: resourceBody('albums', { title }, '2') })
      for (const path of ['/albums/2', '/albums', '/artists/1/albums']) {
        expect((await api.get(path)).document?.included?.length ?? 0).toBe(title === 'Kid A' ? 1 : 0)
      }
    }
  })

  test('hooks see whole rows, and an application that dispatches sees the requested fields', async () => {
    const seen: unknown[] = []
    const hooks = {
      afterFetchOne: (row: object) => void seen.push(Object.keys(row).toSorted()),
      afterFetchCollection: (rows: readonly object[]) => void seen.push(Object.keys(rows[0] ?? {}).toSorted()),
    }
    const server = recordShop({ albums: { hooks } }, { data: open() })
    const api = client(server)
    const query = 'fields[albums]=title'
    for (const key of ['1', null, '1', null]) {
      await server.dispatch({ kind: 'FetchResource', type: 'albums', id: key, query })
      expect(seen).toEqual([])
      const { status } = await api.get(`/albums${key === null ? '' : '/1'}?${query}`)
      expect([status, seen.splice(0)]).toEqual([200, [expect.arrayContaining(['artistId', 'id', 'title'])]])
    }
  })

  test('HEAD has the same errors of a query as GET', async () => {
    const api = client(recordShop({}, { data: open() }))
    for (const path of ['/albums?sort=-title', '/albums/1?include=artist', '/albums?sort=nothing', '/albums/9']) {
      const got = await api.get(path)
      for (const method of ['HEAD', 'GET', 'HEAD', 'GET']) {
        const again = await api.request(method, path)
        expect([again.status, [...again.headers]]).toEqual([got.status, [...got.headers]])
        expect(again.text).toBe(method === 'HEAD' ? '' : got.text)
      }
    }
  })

  test('links have the host of the request, one of many', async () => {
    const server = recordShop({}, { data: open() })
    const hosts = Array.from({ length: 20 }, (_, index) => `https://host-${index}.example`)
    for (const origin of [...hosts, ...hosts.slice(0, 5)]) {
      const api = client(server, { origin, validate: false })
      const { text } = await api.get('/albums?include=artist&fields[albums]=title,artist')
      const found = new Set(text.match(/https?:\/\/[^/"]+/g))
      expect([...found]).toEqual([origin])
    }
  })

  test('fieldsets with different spelling and the same meaning have the same result, and others do not', async () => {
    const api = client(recordShop({}, { data: open() }))
    const same = ['title,artist', 'artist,title', 'title,artist,title', '%74itle,artist', 'title%2Cartist']
    const few = ['title', 'artist', '']
    const dataOf = async (fields: string, path: string): Promise<unknown> =>
      (await api.get(`${path}?fields[albums]=${fields}`)).document?.data
    for (const path of ['/albums', '/albums/1', '/artists/1/albums']) {
      for (let round = 0; round < 2; round += 1) {
        const [first, ...others] = await Promise.all(same.map((fields) => dataOf(fields, path)))
        for (const other of others) expect(other).toEqual(first)
        const shown = await Promise.all(few.map(async (fields) => JSON.stringify(await dataOf(fields, path))))
        expect(new Set([JSON.stringify(first), ...shown]).size).toBe(4)
      }
    }
  })

  test('the same query is parsed for the profiles of its request', async () => {
    const uris = [countableProfile.uri, relationshipQueriesProfile.uri, cursorPaginationProfile.uri]
    const accepts = [[], ...uris.map((uri) => [uri]), uris, uris.toReversed()].map((some) =>
      some.length === 0 ? 'application/vnd.api+json' : `application/vnd.api+json; profile="${some.join(' ')}"`,
    )
    const declared = {
      artists: {
        relations: { label: belongsTo('labels'), albums: hasMany('albums').countable() },
        countable: true,
      },
      albums: { pagination: cursorPage({ size: 1 }) },
    }
    const build = () => client(recordShop(declared, { data: open() }), { validate: false })
    const api = build()
    const uncached = accepts.map((accept) => ({ accept, other: build() }))
    const paths = [
      '/artists?include=albums',
      '/artists/1?include=albums',
      '/artists?withCount=albums,_self_',
      '/artists/1?include=albums&relatedQuery[albums][sort]=-title',
      '/albums?sort=-title&page[size]=2',
      '/artists/1/albums',
    ]
    const responses = new Set<string>()
    for (const path of paths) {
      for (const { accept, other } of [...uncached, ...uncached.toReversed()]) {
        const response = comparableResponse(await api.get(path, { headers: { accept } }))
        expect(response, `${path} under ${accept}`).toBe(
          comparableResponse(await other.get(path, { headers: { accept } })),
        )
        responses.add(response)
      }
    }
    expect(responses.size).toBeGreaterThan(paths.length)
  })
})

describe('a type on two servers', () => {
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string; secret: string }>('albums'),
    id: id(),
    attributes: (a) => ({
      title: a.string().sortable(),
      secret: a.string().hidden((_row, { server }) => server === 'default'),
    }),
    server: ['default', 'admin'],
  })

  test('has the links and the fields of the requested server', async () => {
    const data = memoryData({ albums: [{ id: 1, title: 'Kid A', secret: 'x' }] })
    const api = client(createServer({ resources: [albums], data, servers: { admin: { prefix: '/admin' } } }))
    for (const prefix of ['', '/admin', '/admin', '', '/admin']) {
      for (const query of ['', '?sort=title', '?fields[albums]=title,secret']) {
        const [album] = (await api.get(`${prefix}/albums${query}`)).resources
        expect(album?.links).toEqual({ self: `http://localhost${prefix}/albums/1` })
        expect(Object.keys(album?.attributes ?? {})).toEqual(prefix === '' ? ['title'] : ['title', 'secret'])
        const one = (await api.get(`${prefix}/albums/1`)).resource
        expect([one.links, Object.keys(one.attributes ?? {})]).toEqual([
          album?.links,
          Object.keys(album?.attributes ?? {}),
        ])
      }
    }
  })

  test('has them in the catalogue too', async () => {
    const api = client(catalogueServer())
    for (const prefix of ['', '/admin', '', '/admin']) {
      const { resources } = await api.get(`${prefix}/albums?fields[albums]=title&sort=title`)
      for (const { id: key, links } of resources)
        expect(links).toEqual({ self: `http://localhost${prefix}/albums/${key}` })
    }
  })
})

type Query = Operation['query']

/** Mutations that the types forbid. */
const changes: readonly (readonly [string, (query: Query) => unknown])[] = [
  ['a fieldset', ({ fields }) => (fields.get('albums') as Set<string>).add('artist')],
  ['the fieldsets', ({ fields }) => (fields as Map<string, ReadonlySet<string>>).set('artists', new Set())],
  ['a fieldset away', ({ fields }) => (fields as Map<string, unknown>).delete('albums')],
  ['a filter', ({ filter }) => (filter as Map<string, unknown>).set('title', 'Untrue')],
  ['all filters', ({ filter }) => (filter as Map<string, unknown>).clear()],
  ['a part of a filter', ({ filter }) => (filter.get('ids') as string[]).push('4')],
  ['the page', ({ page }) => (page as Map<string, unknown>).set('number', '2')],
  ['the sort', ({ sort }) => (sort as string[]).push('-title')],
  ['the includes', ({ include }) => (include as string[]).push('tracks')],
  ['the query itself', (query) => Object.assign(query, { include: [] })],
]

describe('a query that is shared', () => {
  const path = '/albums?fields[albums]=title&include=artist&sort=title&filter[ids][]=1&filter[ids][]=2&page[number]=1'
  const declared = { albums: { filters: (f: Filters) => ({ title: f.where(), ids: f.idIn() }) } }

  test.each(changes)('cannot be changed: %s', async (_name, change) => {
    let thrown: unknown = null
    const api = client(
      recordShop(declared, {
        serving({ query, context }) {
          if (context.request?.header('x-change') !== 'yes') return
          try {
            change(query)
          } catch (problem) {
            thrown = problem
          }
        },
      }),
    )
    const expected = comparableResponse(await api.get(path))
    for (const headers of [{ 'x-change': 'yes' }, {}, { 'x-change': 'yes' }, {}]) {
      thrown = null
      expect(comparableResponse(await api.get(path, { headers }))).toBe(expected)
      expect(thrown === null).toBe(!('x-change' in headers))
      if (thrown !== null) expect(thrown).toBeInstanceOf(TypeError)
    }
  })

  test('cannot be changed: the request fails, and later ones are not affected', async () => {
    const api = client(
      recordShop(declared, {
        serving({ query, context }) {
          if (context.request?.header('x-change') === 'yes') (query.filter as Map<string, unknown>).clear()
        },
      }),
    )
    const expected = comparableResponse(await api.get(path))
    expect((await api.get(path, { headers: { 'x-change': 'yes' } })).status).toBe(500)
    expect(comparableResponse(await api.get(path))).toBe(expected)
  })

  test('cannot be changed if it is empty', async () => {
    const api = client(
      recordShop(declared, { serving: ({ query }) => void (query.filter as Map<string, unknown>).set('title', 'x') }),
    )
    expect((await api.get('/albums')).status).toBe(500)
    expect((await client(recordShop(declared)).get('/albums')).resources).toHaveLength(4)
  })

  test('can be replaced by a handler, for that request only', async () => {
    const server = recordShop(declared, {
      handler: (builtIn) => (operation) => {
        const { query, context } = operation
        switch (context.request?.header('x-pass')) {
          case 'fields':
            return builtIn({ ...operation, query: { ...query, fields: new Map([['albums', new Set(['artist'])]]) } })
          case 'filter':
            return builtIn({ ...operation, query: { ...query, filter: new Map(query.filter).set('title', 'Kid A') } })
          case 'sort':
            return builtIn({ ...operation, query: { ...query, sort: ['-title'] } })
          case 'include':
            return builtIn({ ...operation, query: { ...query, include: ['tracks'] } })
          default:
            return builtIn(operation)
        }
      },
    })
    const api = client(server)
    const expected = comparableResponse(await api.get(path))
    const pass = async (mutation: string) => {
      const { resources, document } = await api.get(path, { headers: { 'x-pass': mutation } })
      return [resources.map(({ id: key }) => key).join(), resources[0]?.attributes, document?.included?.[0]?.type]
    }
    for (let round = 0; round < 3; round += 1) {
      expect(await pass('fields')).toEqual(['2,1', undefined, 'artists'])
      expect(await pass('filter')).toEqual(['2', { title: 'Kid A' }, 'artists'])
      expect(await pass('sort')).toEqual(['1,2', { title: 'OK Computer' }, 'artists'])
      expect(await pass('include')).toEqual(['2,1', { title: 'Kid A' }, 'tracks'])
      expect(comparableResponse(await api.get(path))).toBe(expected)
    }
  })

  test('can be changed in a copy, which is evaluated every time', async () => {
    exemptFromDescription('exchanges', 'A handler changes what the request asks for.')
    const changed = { fields: new Map([['albums', new Set(['title'])]]), sort: ['title'] }
    const server = recordShop(declared, {
      handler: (builtIn) => (operation) =>
        builtIn({ ...operation, query: Object.assign(changed, { ...operation.query, ...changed }) }),
    })
    const api = client(server)
    const shown = async () =>
      (await api.get('/albums')).resources.map(
        ({ id: key, attributes }) => `${key} ${Object.keys(attributes ?? {}).join()}`,
      )
    expect(await shown()).toEqual(['3 title', '2 title', '1 title', '4 title'])
    changed.sort = ['-title']
    changed.fields = new Map([['albums', new Set(['artist'])]])
    expect(await shown()).toEqual(['4 ', '1 ', '2 ', '3 '])
    changed.fields.get('albums')?.add('title')
    expect(await shown()).toEqual(['4 title', '1 title', '2 title', '3 title'])
  })
})
