import { createServer, cursorPage, defineResource, hasMany, id, model, numberPage, pageMenu } from 'ashlar'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { parametersOf as describedParameters } from '../support/described-parameters.js'
import { client } from '../support/client.js'

interface AlbumRow {
  id: number
  title: string
  label_name: string
  year: number
  rating: number
  genre: string
  secret: string
  pin: string
  artistId: number
  deletedAt: Date | null
}

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})

function albumsWith(pagination: AnyPaginator | null) {
  return defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({
      title: a.string().sortable(),
      label: a.string().storedAs('label_name'),
      year: a.integer(),
      rating: a.decimal(),
      genre: a.string(),
      secret: a.string().hidden().sortable(),
      pin: a.string().writeOnly().sortable(),
    }),
    relations: { tracks: hasMany('tracks').via('albumId') },
    filters: (f) => ({
      year: f.where(),
      notIn: f.where('year').operator('!='),
      since: f.greaterThanOrEqual('year'),
      until: f.lessThan('year'),
      label: f.startsWith('label_name'),
      title: f.contains(),
      artist: f.where('artistId'),
      rating: f.range(),
      genres: f.in('genre'),
      noGenres: f.notIn('genre'),
      ids: f.idNotIn(),
      unrated: f.isNull('rating'),
      rated: f.isNotNull('rating'),
      tracks: f.has(),
      silent: f.doesntHave('tracks'),
      song: f.through('tracks.title'),
      q: f.any({ title: f.contains(), genre: f.where() }),
      odd: f.custom({ matches: () => true }),
      nineties: f.where('year').fixed(1990),
      recent: f.where('year').default(2020),
      slug: f.where('title').singular(),
      own: f.where('title').describedAs('The title, letter by letter.'),
      secret: f.where(),
      pin: f.where(),
      hush: f.where('secret'),
      anything: f.any({ title: f.where(), secret: f.where() }),
    }),
    sorts: (s) => ({ odd: s.custom({ compare: () => 0 }), hush: s.field('secret') }),
    pagination: () => pagination,
  })
}

const albumRow = {
  id: 1,
  title: 'Kid A',
  label_name: 'XL',
  year: 2000,
  rating: 5,
  genre: 'rock',
  secret: 'x',
  pin: '1',
  artistId: 1,
}

function serverWith(pagination: AnyPaginator | null) {
  return createServer({
    resources: [albumsWith(pagination), tracks],
    data: memoryData({
      albums: [albumRow],
    }),
  })
}

interface Parameter {
  readonly name: string
  readonly description?: string
  readonly schema: { readonly items: { readonly enum: readonly string[] } }
}

interface PathItem {
  readonly get: { readonly parameters: readonly Parameter[] }
}

function parametersOf(server: ReturnType<typeof serverWith>): readonly Parameter[] {
  const { get } = server.openapi().paths['/albums'] as unknown as PathItem
  return get.parameters
}

describe('filters', () => {
  const server = serverWith(numberPage())
  const filters = new Map(
    parametersOf(server).flatMap(({ name, description }) => {
      const key = /^filter\[(.*)\]$/.exec(name ?? '')?.[1]
      return key === undefined ? [] : [[key, description] as const]
    }),
  )

  test('describe the rows that they find', () => {
    expect(Object.fromEntries(filters)).toEqual({
      id: 'The id is one of the values.',
      year: '`year` equals the value.',
      notIn: '`year` differs from the value.',
      since: '`year` is at least the value.',
      until: '`year` is less than the value.',
      label: '`label` starts with the value, in letters of either case.',
      title: '`title` contains the value, in letters of either case.',
      artist: '`artist` equals the value.',
      rating: '`rating` lies between the bounds. A bound that is left out is open.',
      genres: '`genre` is one of the values.',
      noGenres: '`genre` is none of the values.',
      ids: 'The id is none of the values.',
      unrated: '`rating` is null. The value is ignored.',
      rated: '`rating` is not null. The value is ignored.',
      tracks: 'There are `tracks`. The value is ignored.',
      silent: 'There are no `tracks`. The value is ignored.',
      song: '`tracks.title` equals the value.',
      q: '`title` contains the value, in letters of either case, or `genre` equals the value.',
      odd: 'A condition of the application.',
      nineties: 'A fixed condition on `year`. The value is ignored.',
      recent: '`year` equals the value. Default: `2020`.',
      slug: '`title` equals the value. The response has the first match, or null, instead of a list.',
      own: 'The title, letter by letter.',
    })
  })

  test('are singular in the collection of their type only', async () => {
    const artists = defineResource('artists', {
      model: model<{ id: number }>('artists'),
      id: id(),
      relations: { albums: hasMany('albums').via('artistId') },
    })
    const related = createServer({
      resources: [albumsWith(numberPage()), tracks, artists],
      data: memoryData({ albums: [albumRow], artists: [{ id: 1 }] }),
    })
    const { get } = related.openapi().paths['/artists/{id}/albums'] as unknown as PathItem
    const slug = describedParameters(related.openapi(), get as never).find(({ name }) => name === 'filter[slug]')
    expect(slug).toMatchObject({ description: '`title` equals the value.' })
    const { document } = await client(related, { isDescribed: 'always' }).get(
      '/artists/1/albums?filter[slug]=Kid A&filter[recent]=2000',
    )
    expect(document?.data).toHaveLength(1)
  })

  test('over fields that are never visible are left out, and refused', async () => {
    const api = client(server, { isDescribed: 'always' })
    for (const key of ['secret', 'pin', 'hush', 'anything']) {
      expect(filters.has(key)).toBe(false)
      expect((await api.get(`/albums?filter[${key}]=x`)).errors[0]?.code).toBe('FILTERING_UNRECOGNIZED')
    }
    for (const key of filters.keys()) {
      const value = key === 'rating' ? '[min]=1' : '=1'
      expect((await api.get(`/albums?filter[${key}]${value}`)).status, key).toBe(200)
    }
  })
})

describe.each<readonly [string, AnyPaginator | null, boolean]>([
  ['a whole list', null, true],
  ['pages by number', numberPage(), true],
  ['pages by cursor', cursorPage(), false],
  ['a menu', pageMenu([cursorPage(), numberPage()]), true],
])('sorts of %s', (_name, paginator, hasCustom) => {
  test('are those that at least one request may use', async () => {
    const server = serverWith(paginator)
    const keys = parametersOf(server).find(({ name }) => name === 'sort')?.schema.items.enum ?? []
    expect(keys.filter((key) => !key.startsWith('-'))).toEqual(['id', 'title', ...(hasCustom ? ['odd'] : [])])
    const api = client(server, { isDescribed: 'always' })
    for (const key of ['id', 'title', 'odd', 'secret', 'pin', 'hush']) {
      const menu = paginator?.strategy === 'menu' ? '&page[kind]=page' : ''
      const { status } = await api.get(`/albums?sort=${key}${menu}`)
      expect(status, key).toBe(keys.includes(key) ? 200 : 400)
    }
  })
})
