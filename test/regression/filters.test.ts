import { createServer, defineResource, type FilterKit, hasOne, id, model } from 'ashlar'
import type { FilterDeclaration } from '../../src/declare/resource/filters/filter-declaration.js'
import type { TestClient } from 'ashlar/testing'
import { sqlFilter } from 'ashlar/sql'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { onMemory } from '../support/on-memory.js'
import { storedData } from '../support/stored-data.js'

interface AlbumRow {
  id: number
  year: number
}

type Filters = (f: FilterKit<'id' | 'year'>) => Readonly<Record<string, FilterDeclaration>>

function albumsWith(filters: Filters): TestClient {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ year: a.integer() }),
    filters,
  })
  const rows: readonly AlbumRow[] = [
    { id: 1, year: 1997 },
    { id: 2, year: 2000 },
  ]
  return client(createServer({ resources: [albums], data: storedData({ albums: rows }) }))
}

const later = [() => Promise.resolve(1997), () => Promise.reject(new Error('late'))]

test.each(later)('a deserializeUsing() that is asynchronous is 500, and returns no rows', async (reply) => {
  const api = albumsWith((f) => ({
    one: f.where('year').deserializeUsing(reply),
    other: f.where('year', '!=').deserializeUsing(reply),
    some: f.in('year').deserializeUsing(reply),
    none: f.notIn('year').deserializeUsing(reply),
    between: f.range('year').deserializeUsing(reply),
    own: f.custom({ matches: () => true, apply: sqlFilter(() => sql`1 = 1`) }).deserializeUsing(reply),
  }))
  for (const sent of ['one]=1', 'other]=1', 'some]=1', 'none]=1', 'between][min]=1', 'own]=1']) {
    const response = await api.get(`/albums?filter[${sent}`)
    expect([sent, response.status]).toEqual([sent, 500])
  }
})

test.each(later)('so is one that gets a value of the application', async (reply) => {
  const fixed = albumsWith((f) => ({ none: f.notIn('year').deserializeUsing(reply).fixed('1997') }))
  expect((await fixed.get('/albums?filter[none]')).status).toBe(500)
  const byDefault = albumsWith((f) => ({ none: f.notIn('year').deserializeUsing(reply).default('1997') }))
  expect((await byDefault.get('/albums')).status).toBe(500)
})

interface PortraitRow {
  id: number
  artistId: number
  file: string
  shown: boolean
}

/** Several rows claim to be the portrait of the first two artists; the lowest key of all is outside the scope. */
function artistsWithPortraits(): TestClient {
  const portraits = defineResource('portraits', {
    model: model<PortraitRow>('portraits'),
    id: id(),
    attributes: (a) => ({ file: a.string().sortable() }),
    defaultSort: ['-file'],
    scope: (_context, f) => f.where('shown').fixed(true),
  })
  const artists = defineResource('artists', {
    model: model<{ id: number }>('artists'),
    id: id(),
    relations: { portrait: hasOne('portraits').via('artistId') },
    filters: (f) => ({
      file: f.through('portrait.file'),
      missing: f.doesntHave('portrait'),
      matching: f.hasMatching('portrait', {
        matches: ({ file }, value) => file === value,
        apply: sqlFilter<PortraitRow>(({ column, value }) => sql`${column('file')} = ${value}`),
      }),
    }),
    sorts: (s) => ({ file: s.through('portrait.file') }),
  })
  const rows: readonly PortraitRow[] = [
    { id: 9, artistId: 1, file: 'z.png', shown: true },
    { id: 10, artistId: 1, file: 'zz.png', shown: true },
    { id: 8, artistId: 1, file: 'm.png', shown: true },
    { id: 1, artistId: 1, file: 'a.png', shown: false },
    { id: 7, artistId: 2, file: 'n.png', shown: true },
    { id: 6, artistId: 2, file: 'o.png', shown: true },
    { id: 2, artistId: 3, file: 'b.png', shown: false },
  ]
  const data = storedData({ artists: [{ id: 2 }, { id: 1 }, { id: 3 }], portraits: rows })
  return client(createServer({ resources: [artists, portraits], data }))
}

function idsIn(resources: unknown): readonly unknown[] {
  return (resources as readonly { readonly id: string }[]).map((resource) => resource.id)
}

test('a to-one with several matching rows is the one with the lowest key, wherever it is shown', async () => {
  const api = artistsWithPortraits()
  expect((await api.get('/artists/1/portrait')).resource.id).toBe('8')
  expect((await api.get('/artists/1/relationships/portrait')).document?.data).toEqual({ type: 'portraits', id: '8' })
  expect(idsIn((await api.get('/artists/1?include=portrait')).document?.included)).toEqual(['8'])
})

test('filters and sorts use no other row for it', async () => {
  const api = artistsWithPortraits()
  const ids = async (query: string): Promise<readonly string[]> =>
    (await api.get(`/artists?${query}`)).resources.map((resource) => resource.id)
  expect(await ids('sort=file')).toEqual(['1', '2', '3'])
  for (const key of ['file', 'matching']) {
    expect(await ids(`filter[${key}]=m.png`)).toEqual(['1'])
    expect(await ids(`filter[${key}]=o.png`)).toEqual(['2'])
    for (const file of ['a.png', 'z.png', 'zz.png', 'n.png', 'b.png'])
      expect(await ids(`filter[${key}]=${file}`)).toEqual([])
  }
  expect(await ids('filter[missing]')).toEqual(['3'])
})

test('text operators compare the same value as equality', async () => {
  const prints = defineResource('prints', {
    model: model<{ id: number; code: string; note: unknown }>('prints'),
    id: id(),
    attributes: (a) => ({ code: a.string() }),
    filters: (f) => ({
      is: f.where('code'),
      has: f.contains('code'),
      from: f.startsWith('code'),
      to: f.endsWith('code'),
      note: f.contains('note'),
    }),
  })
  const data = storedData({
    prints: [
      { id: 1, code: 1234, note: null },
      { id: 2, code: '1234', note: '12' },
      { id: 3, code: null, note: null },
    ],
  })
  const api = client(createServer({ resources: [prints], data }))
  for (const sent of ['is]=1234', 'has]=23', 'from]=12', 'to]=34']) {
    const { resources } = await api.get(`/prints?filter[${sent}`)
    expect([sent, ...resources.map((resource) => resource.id)]).toEqual([sent, '1', '2'])
  }
  expect((await api.get('/prints?filter[note]=12')).resources.map((resource) => resource.id)).toEqual(['2'])
})

onMemory('in a column without an attribute that has values of several kinds, only text is text', async () => {
  const prints = defineResource('prints', {
    model: model<{ id: number; note: unknown }>('prints'),
    id: id(),
    filters: (f) => ({ note: f.contains('note') }),
  })
  const rows = [12, '12', ['12']].map((note, index) => ({ id: index + 1, note }))
  const api = client(createServer({ resources: [prints], data: storedData({ prints: rows }) }))
  expect((await api.get('/prints?filter[note]=12')).resources.map((resource) => resource.id)).toEqual(['2'])
})

test('a set of date-times that is negated does not match null', async () => {
  const albums = defineResource('albums', {
    model: model<{ id: number; releasedAt: Date | null }>('albums'),
    id: id(),
    attributes: (a) => ({ releasedAt: a.dateTime().nullable() }),
    filters: (f) => ({ not: f.notIn('releasedAt') }),
  })
  const rows = [new Date('1997-05-21T00:00:00Z'), new Date('2000-10-02T00:00:00Z'), null]
  const data = storedData({ albums: rows.map((releasedAt, index) => ({ id: index + 1, releasedAt })) })
  const found = await client(createServer({ resources: [albums], data })).get(
    '/albums?filter[not]=1997-05-21T00:00:00Z',
  )
  expect(found.resources.map((album) => album.id)).toEqual(['2'])
})
