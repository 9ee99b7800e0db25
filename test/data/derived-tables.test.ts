import type { CompiledType } from 'ashlar/store'
import { belongsTo, belongsToMany, createServer, defineResource, id, model, morphTo } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
import type { DerivedTable, Seeds } from '../support/derived-tables.js'
import { derivedTables } from '../support/derived-tables.js'

type Resources = Parameters<typeof createServer>[0]['resources']

/** The types of a server as its stores see them. */
function typesOf(resources: Resources): readonly CompiledType[] {
  let types: readonly CompiledType[] = []
  const check = (all: readonly CompiledType[]): readonly never[] => {
    types = all
    return []
  }
  createServer({ resources, data: { ...memoryData(), check } })
  return types
}

function tablesOf(resources: Resources, seeds: Seeds = {}): Readonly<Record<string, DerivedTable>> {
  return Object.fromEntries(derivedTables(typesOf(resources), seeds).map((table) => [table.name, table]))
}

const heldIn = (table: DerivedTable | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries((table?.columns ?? []).map(({ name, held }) => [name, held]))

const albums = defineResource('albums', {
  model: model<Record<string, unknown>>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string().unique({ with: ['artist'] }),
    plays: a.integer(),
    rating: a.decimal(),
    releasedAt: a.dateTime(),
    recordedOn: a.date(),
    genres: a.arrayList(),
    imprint: a.map().fields({ label: a.string() }),
  }),
  relations: {
    artist: belongsTo('artists'),
    source: morphTo(['artists', 'albums']),
    fans: belongsToMany('artists')
      .through('fans', { owner: 'albumId', member: 'artistId' })
      .fields((a) => ({ since: a.date() })),
  },
  softDeletes: { column: 'goneAt' },
})

const artists = defineResource('artists', { model: model<{ id: string }>('artists'), id: id().uuid() })

test('tables have the columns of attributes, relations and soft deletes, as their kinds have it', () => {
  const tables = tablesOf([albums, artists])
  expect(heldIn(tables['albums'])).toEqual({
    id: 'integer',
    goneAt: 'instant',
    title: 'text',
    plays: 'integer',
    rating: 'number',
    releasedAt: 'instant',
    recordedOn: 'date',
    genres: 'json',
    label: 'text',
    artistId: 'text',
    sourceId: 'text',
    sourceType: 'text',
  })
  expect(heldIn(tables['fans'])).toEqual({ albumId: 'integer', artistId: 'text', since: 'date' })
  expect(tables['albums']?.unique).toEqual([{ columns: ['title', 'artistId'], except: [] }])
})

test('keys are counted, or given by whoever makes the ids', () => {
  const tables = tablesOf([albums, artists])
  expect(Object.values(tables).map(({ name, key, given }) => [name, key, given])).toEqual([
    ['albums', 'id', 'counted'],
    ['artists', 'id', 'not'],
    ['fans', null, 'not'],
  ])
})

test('rows that a column of the kind cannot hold have one that holds them', () => {
  const rows = [
    { id: 1, plays: '12', rating: 1, releasedAt: '2000-01-01 00:00:00', recordedOn: new Date(0), secret: true },
    { id: 2, plays: 3, rating: 9_007_199_254_740_993n, releasedAt: new Date(0), extra: [1] },
    { id: 3, rating: 2.5, extra: 'text' },
  ]
  expect(heldIn(tablesOf([albums, artists], { albums: rows })['albums'])).toMatchObject({
    plays: 'text',
    rating: 'exact',
    releasedAt: 'text',
    recordedOn: 'instant',
    secret: 'boolean',
    extra: 'json',
  })
})

test('rows of old that break a rule are left out of its index', () => {
  const rows = [1, 2, 3].map((key) => ({ id: key, title: key === 3 ? 'Other' : 'Same', artistId: 'a' }))
  const { unique } = tablesOf([albums, artists], { albums: rows })['albums'] ?? {}
  expect(unique).toEqual([{ columns: ['title', 'artistId'], except: [1, 2] }])
})

test('rows that bring no key get the next', () => {
  const { rows } = tablesOf([albums, artists], { albums: [{ id: 7 }, { title: 'New' }] })['albums'] ?? {}
  expect(rows).toEqual([{ id: 7 }, { id: 8, title: 'New' }])
})
