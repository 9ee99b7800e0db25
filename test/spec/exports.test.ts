import {
  type AttributeKit,
  belongsTo,
  createServer,
  defineResource,
  hasMany,
  id,
  model,
  numberPage,
  type ResourceMetadata,
  type RuleKit,
} from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import * as fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { client } from '../support/client.js'
import { runs } from '../support/runs.js'
import { storedData } from '../support/stored-data.js'

const ndjson = { headers: { Accept: 'application/x-ndjson' } }
const csv = { headers: { Accept: 'text/csv' } }
const json = { headers: { Accept: 'application/json' } }

interface AlbumRow {
  id: number
  title: string
  year: number | null
  tags: string[]
  secret: string
  artistId: number | null
}

const seeds = (count = 4) => ({
  albums: Array.from(
    { length: count },
    (_, index): AlbumRow => ({
      id: index + 1,
      title: ['Dummy', '=1+1', 'A "b", c', 'Third\nline'][index % 4] ?? '',
      year: index % 3 === 0 ? null : 1990 + (index % 7),
      tags: index % 2 === 0 ? [] : ['a', 'b'],
      secret: index % 2 === 0 ? 'open' : 'closed',
      artistId: index % 4 === 3 ? null : (index % 2) + 1,
    }),
  ),
  artists: [
    { id: 1, name: 'Portishead', isHidden: false },
    { id: 2, name: 'Radiohead', isHidden: true },
  ],
})

type Settings = Omit<Parameters<typeof createServer>[0], 'resources' | 'data'>

type Over = ResourceMetadata & Readonly<Record<string, unknown>>

function served(over: Over = {}, settings: Settings = {}, count = 4) {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({
      title: a.string().sortable(),
      year: a.integer().nullable().sortable(),
      tags: a.arrayList(),
      secret: a.string().sparseByDefault(),
      shout: a
        .string()
        .extractUsing((row: AlbumRow) => row.title.toUpperCase())
        .readOnly()
        .sparseByDefault(),
    }),
    relations: { artist: belongsTo('artists').nullable() },
    filters: (f) => ({ title: f.contains(), year: f.where() }),
    pagination: numberPage({ size: 2 }),
    export: { formats: ['ndjson', 'csv', 'json'] },
    ...over,
  })
  const artists = defineResource('artists', {
    model: model<{ id: number; name: string; isHidden: boolean }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string(), isHidden: a.boolean().hidden() }),
    relations: { albums: hasMany('albums').via('artistId') },
    scope: (_context, f) => f.where('isHidden').fixed(false),
  })
  const data = storedData(seeds(count))
  const server = createServer({ policy: 'public', ...settings, resources: [albums, artists], data })
  return { server, data, api: client(server) }
}

const lines = (text: string): unknown[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown)

/** Takes some time for each row. */
function busy(): string {
  for (const end = performance.now() + 0.2; performance.now() < end; );
  return 'done'
}

const slowAttributes = (a: AttributeKit<AlbumRow>) => ({ slow: a.string().extractUsing(busy).readOnly() })

describe('an export', () => {
  it('has one line of JSON for each row, with the default fields', async () => {
    const response = await served().api.get('/albums', ndjson)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="albums.ndjson"')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('vary')).toBe('Accept')
    expect(lines(response.text)).toEqual([
      { id: '1', title: 'Dummy', year: null, tags: [], 'artist.id': '1' },
      { id: '2', title: '=1+1', year: 1991, tags: ['a', 'b'], 'artist.id': null },
      { id: '3', title: 'A "b", c', year: 1992, tags: [], 'artist.id': '1' },
      { id: '4', title: 'Third\nline', year: null, tags: ['a', 'b'], 'artist.id': null },
    ])
  })

  it('has the columns of the fieldset in its order, filters, and sorts', async () => {
    const { api } = served()
    const path = '/albums?fields[albums]=year,artist,title,shout&filter[title]=i&sort=-year'
    expect(lines((await api.get(path, ndjson)).text)).toEqual([
      { id: '4', year: null, 'artist.id': null, title: 'Third\nline', shout: 'THIRD\nLINE' },
    ])
    const ordered = await api.get('/albums?fields[albums]=year,title', csv)
    expect(ordered.text.split('\r\n')[0]).toBe('id,year,title')
    expect((await api.get('/albums?fields[albums]=title&sort=-id', csv)).text).toMatch(/^id,title\r\n4,/)
  })

  it('is CSV, whose cells are no formulas', async () => {
    const response = await served().api.get('/albums', csv)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(response.text).toBe(
      [
        'id,title,year,tags,artist.id',
        '1,Dummy,,[],1',
        `2,'=1+1,1991,"[""a"",""b""]",`,
        '3,"A ""b"", c",1992,[],1',
        '4,"Third\nline",,"[""a"",""b""]",',
        '',
      ].join('\r\n'),
    )
    const { api } = served({ export: { csv: { bom: true, formulas: 'keep' } } })
    expect(Array.from((await api.get('/albums', csv)).bytes).slice(0, 5)).toEqual([0xef, 0xbb, 0xbf, 0x69, 0x64])
    expect((await api.get('/albums', csv)).text).toContain('2,=1+1,1991')
  })

  it('is a list of flat objects', async () => {
    const { api } = served()
    const response = await api.get('/albums?fields[albums]=title', json)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(JSON.parse(response.text)).toHaveLength(4)
    expect((await api.get('/albums?filter[title]=nothing', json)).text).toBe('[]\n')
    expect((await api.get('/albums?filter[title]=nothing', ndjson)).text).toBe('')
    expect((await api.get('/albums?filter[title]=nothing&fields[albums]=title', csv)).text).toBe('id,title\r\n')
  })

  it('is only for clients that prefer it to a document', async () => {
    const { api } = served()
    for (const accept of [
      '*/*',
      'application/vnd.api+json',
      'text/csv;q=0.5, application/vnd.api+json',
      'text/*;q=0',
    ]) {
      const response = await api.get('/albums', { headers: { Accept: accept } })
      expect(response.headers.get('content-type')).toBe('application/vnd.api+json')
    }
    const undeclared = served({ export: false })
    expect((await undeclared.api.get('/albums', csv)).document?.data).toHaveLength(2)
    const one = await api.get('/albums/1', csv)
    expect(one.headers.get('content-type')).toBe('application/vnd.api+json')
    expect((await served({ export: true }).api.get('/albums', json)).document?.data).toHaveLength(2)
  })

  it('refuses parameters of documents and pages', async () => {
    const { api } = served()
    for (const [query, parameter] of [
      ['page[size]=3', 'page'],
      ['include=artist', 'include'],
      ['withCount=_self_', 'withCount'],
      ['sort=shout', 'sort'],
      ['filter[secret]=open', 'filter[secret]'],
    ] as const) {
      expectErrors(await api.get(`/albums?${query}`, csv), [{ status: 400, parameter }])
    }
  })

  it('has no body for HEAD, and responds to QUERY', async () => {
    const { api } = served()
    const head = await api.request('HEAD', '/albums', csv)
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
      200,
      '',
      'text/csv; charset=utf-8; header=present',
    ])
    const headers = { ...csv.headers, 'Content-Type': 'application/x-www-form-urlencoded' }
    const queried = await api.request('QUERY', '/albums', { headers, raw: 'fields[albums]=title&sort=-id' })
    expect(queried.text).toMatch(/^id,title\r\n4,/)
  })

  it('costs as much as the most rows that it may have', async () => {
    const { api } = served({ export: { maxRows: 50 } }, { queryCost: { budget: 49 } })
    expectErrors(await api.get('/albums', csv), [{ status: 400, code: 'QUERY_TOO_EXPENSIVE' }])
    const cheaper = served({ export: { maxRows: 50 } }, { queryCost: { budget: 50 } })
    expect((await cheaper.api.get('/albums', csv)).status).toBe(200)
  })

  it('is only for callers who may read the collection', async () => {
    const { api } = served({ policy: () => ({ viewAny: false, view: true }) })
    expectErrors(await api.get('/albums', csv), [{ status: 401 }])
    const rows = served({ policy: (p: RuleKit) => ({ viewAny: true, view: p.eq('secret', 'open') }) })
    expect(lines((await rows.api.get('/albums?fields[albums]=secret', ndjson)).text)).toEqual([
      { id: '1', secret: 'open' },
      { id: '3', secret: 'open' },
    ])
  })

  it('leaves out the cells that a caller may not see', async () => {
    const { api } = served({
      policy: (p: RuleKit) => ({ viewAny: true, view: true, custom: { readTitle: p.eq('secret', 'open') } }),
      attributes: (a: AttributeKit<AlbumRow>) => ({
        title: a.string().visibleIf('readTitle'),
        year: a.integer().nullable(),
        none: a.string().hidden().storedAs('secret'),
      }),
      relations: {},
      filters: {},
    })
    expect(lines((await api.get('/albums', ndjson)).text)).toEqual([
      { id: '1', title: 'Dummy', year: null },
      { id: '2', year: 1991 },
      { id: '3', title: 'A "b", c', year: 1992 },
      { id: '4', year: null },
    ])
    expect((await api.get('/albums', csv)).text).toBe(
      'id,title,year\r\n1,Dummy,\r\n2,,1991\r\n3,"A ""b"", c",1992\r\n4,,\r\n',
    )
  })

  it.each(['visibleIf', 'hidden'] as const)('leaves out the members that a caller may not see: %s', async (way) => {
    const artist = belongsTo('artists').nullable()
    const { api } = served({
      policy: (p: RuleKit) => ({ viewAny: true, view: true, custom: { readArtist: p.eq('secret', 'closed') } }),
      relations: {
        artist: way === 'visibleIf' ? artist.visibleIf('readArtist') : artist.hidden((row) => row['secret'] === 'open'),
      },
      filters: {},
    })
    expect(lines((await api.get('/albums?fields[albums]=artist', ndjson)).text)).toEqual([
      { id: '1' },
      { id: '2', 'artist.id': null },
      { id: '3' },
      { id: '4', 'artist.id': null },
    ])
    expect((await api.get('/albums?fields[albums]=artist', csv)).text).toBe('id,artist.id\r\n1,\r\n2,\r\n3,\r\n4,\r\n')
  })

  it('is cut off visibly if there are more rows than it may have', async () => {
    const logged: string[] = []
    const logger = { error: ({ err }: { err: unknown }) => logged.push((err as Error).message) }
    const { server, api } = served({ export: { maxRows: 3, formats: ['ndjson', 'csv'] } }, { logger })
    for (const format of [ndjson, csv])
      await expect(api.get('/albums', format)).rejects.toThrow('There are more than 3 rows.')
    expect(logged).toEqual(['There are more than 3 rows.', 'There are more than 3 rows.'])
    const response = await server.fetch(new Request('http://localhost/albums', ndjson))
    let text = ''
    const read = async () => {
      for await (const part of response.body ?? []) text += new TextDecoder().decode(part)
    }
    await expect(read()).rejects.toThrow('There are more than 3 rows.')
    expect(lines(text).slice(2)).toEqual([
      expect.objectContaining({ id: '3' }),
      { errors: [{ status: '500', title: 'The export is incomplete.', detail: 'There are more than 3 rows.' }] },
    ])
    expect((await api.get('/albums?filter[title]=Dummy', ndjson)).status).toBe(200)
  })

  it('ends if its client reads nothing for too long, and then fails', async () => {
    const { server } = served({ export: { idleSeconds: 1 } }, { logger: { error: () => undefined } }, 1700)
    const response = await server.fetch(new Request('http://localhost/albums', csv))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await expect(response.text()).rejects.toThrow('The client has read nothing for 1 seconds.')
  })

  it('is written in slices if its rows take long, and other requests go on in between', async () => {
    const { server } = served({ attributes: slowAttributes, filters: {} }, {}, 100)
    const response = await server.fetch(new Request('http://localhost/albums?fields[albums]=slow', ndjson))
    let [turns, isOpen, text] = [0, true, '']
    const turnOfSlice: number[] = []
    const countTurns = (): void => {
      turns += 1
      if (isOpen) setImmediate(countTurns)
    }
    countTurns()
    for await (const chunk of response.body ?? []) {
      turnOfSlice.push(turns)
      text += new TextDecoder().decode(chunk)
    }
    isOpen = false
    expect(lines(text)).toHaveLength(100)
    expect(turnOfSlice).toHaveLength(10)
    expect(new Set(turnOfSlice).size).toBe(10)
  })

  it('reads no rows ahead of a slow client, but for two parts', async () => {
    let rowsRead = 0
    const { server } = served({ export: { idleSeconds: 60 } }, {}, 1000)
    onTestFinished(server.on('AfterFetchCollection', 'albums', ({ rows }) => void (rowsRead += rows.length)))
    const response = await server.fetch(new Request('http://localhost/albums?fields[albums]=title', ndjson))
    let text = ''
    const held: number[] = []
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk)
      // The client is busy. The server could read everything in the meantime.
      await new Promise((resolve) => setTimeout(resolve, 20))
      held.push(rowsRead - lines(text).length)
    }
    expect(lines(text)).toHaveLength(1000)
    // One part is written, the next one is read, and one may wait in the stream of the response.
    expect(Math.max(...held)).toBeLessThanOrEqual(300)
    expect(held.length).toBeGreaterThanOrEqual(10)
  })

  it('tells hooks of each part, which may refuse it, and not replace it', async () => {
    const { server, api } = served({}, { logger: { error: () => undefined } }, 1200)
    const counts: number[] = []
    onTestFinished(
      server.on('AfterFetchCollection', 'albums', ({ rows }) => {
        counts.push(rows.length)
      }),
    )
    await api.get('/albums', ndjson)
    expect(counts).toEqual(Array.from({ length: 12 }, () => 100))
  })
})

describe('an export of related resources', () => {
  it('has the rows of the relation, with its filters, sorts and columns', async () => {
    const { api } = served()
    expect(lines((await api.get('/artists/1/albums?fields[albums]=title,year', ndjson)).text)).toEqual([
      { id: '1', title: 'Dummy', year: null },
      { id: '3', title: 'A "b", c', year: 1992 },
    ])
    const path = '/artists/1/albums?fields[albums]=title&filter[title]=b&sort=-title'
    const response = await api.get(path, csv)
    expect(response.text).toBe('id,title\r\n3,"A ""b"", c"\r\n')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="albums.csv"')
    const headers = { ...csv.headers, 'Content-Type': 'application/x-www-form-urlencoded' }
    const queried = await api.request('QUERY', '/artists/1/albums', { headers, raw: 'fields[albums]=title&sort=-id' })
    expect(queried.text).toMatch(/^id,title\r\n3,/)
    expect((await api.request('HEAD', '/artists/1/albums', csv)).headers.get('content-type')).toMatch(/^text\/csv/)
  })

  it('has all members, in parts, and no row twice', async () => {
    const { api } = served({}, {}, 1203)
    const rows = lines((await api.get('/artists/1/albums?fields[albums]=year&sort=-year,id', ndjson)).text)
    const all = lines((await api.get('/albums?fields[albums]=year,artist&sort=-year,id', ndjson)).text)
    const members = all.filter((row) => (row as Record<string, unknown>)['artist.id'] === '1')
    expect(rows).toEqual(members.map((row) => ({ id: (row as { id: string }).id, year: (row as AlbumRow).year })))
    expect(rows.length).toBeGreaterThan(500)
  })

  it('has the errors of the owner and of the query, and the limits of the export', async () => {
    const { api } = served()
    // Artist 2 is not in the scope.
    for (const owner of ['2', '99']) expectErrors(await api.get(`/artists/${owner}/albums`, csv), [{ status: 404 }])
    expectErrors(await api.get('/artists/1/albums?page[size]=3', csv), [{ status: 400, parameter: 'page' }])
    expectErrors(await api.get('/artists/1/albums?filter[secret]=x', csv), [{ status: 400 }])
    const priced = served({ export: { maxRows: 50 } }, { queryCost: { budget: 50 } })
    expectErrors(await priced.api.get('/artists/1/albums', csv), [{ status: 400, code: 'QUERY_TOO_EXPENSIVE' }])
    const limited = served({ export: { maxRows: 1 } }, { logger: { error: () => undefined } })
    await expect(limited.api.get('/artists/1/albums', csv)).rejects.toThrow('There are more than 1 rows.')
  })

  it('has only the rows and the cells that the caller may see', async () => {
    const { api } = served({ policy: (p: RuleKit) => ({ viewAny: true, view: p.eq('title', 'Dummy') }) })
    expect((await api.get('/artists/1/albums?fields[albums]=title', csv)).text).toBe('id,title\r\n1,Dummy\r\n')
  })

  it('is only for to-many relations to one type that declares an export', async () => {
    const { api } = served()
    expect((await api.get('/albums/1/artist', csv)).headers.get('content-type')).toBe('application/vnd.api+json')
    expect((await api.get('/artists/1/relationships/albums', csv)).document?.data).toHaveLength(2)
    const undeclared = served({ export: false })
    expect((await undeclared.api.get('/artists/1/albums', csv)).document?.data).toHaveLength(2)
  })
})

describe('the rows of an export', () => {
  it('are those of one moment', async () => {
    const { server, api } = served({}, {}, 1600)
    const response = await server.fetch(new Request('http://localhost/albums?fields[albums]=title', ndjson))
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(
      (
        await api.patch('/albums/1600', {
          body: { data: { type: 'albums', id: '1600', attributes: { title: 'Later' } } },
        })
      ).status,
    ).toBe(200)
    let text = new TextDecoder().decode(first?.value)
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) break
      text += new TextDecoder().decode(value)
    }
    expect(lines(text)).toHaveLength(1600)
    expect(lines(text).at(-1)).toEqual({ id: '1600', title: 'Third\nline' })
  })

  it('are those of the collection, page by page', async () => {
    const { api } = served({}, {}, 1203)
    const queries = fc.record({
      sort: fc.constantFrom('', 'title', '-title', 'year,-title', '-year,id', 'id'),
      filter: fc.constantFrom('', 'filter[title]=i', 'filter[year]=1992'),
    })
    await fc.assert(
      fc.asyncProperty(queries, async ({ sort, filter }) => {
        const query = `fields[albums]=title,year,artist&${filter}${sort === '' ? '' : `&sort=${sort}`}`
        const exported = lines((await api.get(`/albums?${query}`, ndjson)).text)
        const paged: unknown[] = []
        for (let number = 1; ; number += 1) {
          const { resources } = await api.get(`/albums?${query}&page[number]=${number}&page[size]=400`)
          paged.push(
            ...resources.map(({ id: key, attributes, relationships }) => ({
              id: key,
              ...attributes,
              'artist.id': (relationships?.['artist']?.data as { id: string } | null | undefined)?.id ?? null,
            })),
          )
          if (resources.length === 0) break
        }
        expect(exported).toEqual(paged)
      }),
      { numRuns: Math.max(2, runs(16)) },
    )
  })
})
