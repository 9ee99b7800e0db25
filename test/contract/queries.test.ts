import {
  belongsTo,
  cursorPage,
  fixedPage,
  hasMany,
  numberPage,
  offsetPage,
  pageMenu,
  type AttributeKit,
  type FilterKit,
  type SortKit,
} from 'ashlar'
import { describe, expect, test } from 'vitest'
import { albumsBothWays, bothWays, changesFrom, contractOf, type Members, resource } from './compared.js'

type Kit = AttributeKit<Record<string, never>>
type Filters = FilterKit<string>

const attributes = (a: Kit) => ({ title: a.string(), year: a.integer() })

describe('filters', () => {
  const withFilters = (filters: (f: Filters) => unknown): Members => ({ attributes, filters })

  test('that are gone or new', () => {
    expect(
      albumsBothWays(
        withFilters((f) => ({ title: f.contains() })),
        withFilters(() => ({})),
      ),
    ).toEqual({
      forth: ['breaking filter-removed albums?filter[title]'],
      back: ['safe filter-added albums?filter[title]'],
    })
  })

  test('of a type are one change, at its collection and at the relations that lead to it', () => {
    const service = (filters: (f: Filters) => unknown): Members => ({
      resources: [
        resource('albums', { attributes, filters }),
        resource('artists', { relations: { albums: hasMany('albums').via('artistId') } }),
      ],
    })
    const [found, ...rest] = changesFrom(
      contractOf(service((f) => ({ title: f.contains() }))),
      contractOf(service(() => ({}))),
    )
    expect(rest).toEqual([])
    expect(found).toMatchObject({
      code: 'filter-removed',
      operations: ['GET /albums', 'GET /artists/{id}/albums', 'GET /artists/{id}/relationships/albums'],
      sentence: "The filter 'title' of 'albums' is gone.",
    })
  })

  test('with other values', () => {
    expect(
      albumsBothWays(
        withFilters((f) => ({ year: f.where() })),
        withFilters((f) => ({ year: f.where().deserializeUsing(String) })),
      ),
    ).toEqual({
      forth: ['breaking value-type-changed albums?filter[year]'],
      back: ['breaking value-type-changed albums?filter[year]'],
    })
    expect(
      albumsBothWays(
        withFilters((f) => ({ title: f.where() })),
        withFilters((f) => ({ title: f.where().pattern(/^a/) })),
      ),
    ).toEqual({
      forth: ['breaking request-rule-tightened albums?filter[title]'],
      back: ['safe request-rule-loosened albums?filter[title]'],
    })
  })

  test('in another form', () => {
    const change = ['breaking filter-form-changed albums?filter[year]']
    const [value, list, range] = [
      withFilters((f) => ({ year: f.where() })),
      withFilters((f) => ({ year: f.in() })),
      withFilters((f) => ({ year: f.range() })),
    ]
    expect(albumsBothWays(value, list)).toEqual({ forth: change, back: change })
    expect(albumsBothWays(value, range)).toEqual({ forth: change, back: change })
  })

  test('with another default', () => {
    const change = ['risky default-changed albums?filter[year]']
    const withDefault = (year: number) => withFilters((f) => ({ year: f.where().default(year) }))
    expect(albumsBothWays(withDefault(1997), withDefault(2000))).toEqual({ forth: change, back: change })
  })

  test('that give one resource instead of a list', () => {
    const { forth, back } = albumsBothWays(
      withFilters((f) => ({ title: f.where() })),
      withFilters((f) => ({ title: f.where().singular() })),
    )
    expect(forth).toEqual(['breaking response-form-changed GET /albums'])
    expect(back).toEqual(['breaking response-form-changed GET /albums'])
  })
})

describe('sorts', () => {
  test('that are gone or new', () => {
    const withSorts = (sorts: (s: SortKit<string>) => unknown): Members => ({ attributes, sorts })
    expect(
      albumsBothWays(
        withSorts((s) => ({ age: s.field('year') })),
        withSorts(() => ({})),
      ),
    ).toEqual({
      forth: ['breaking sort-removed albums?sort=age'],
      back: ['safe sort-added albums?sort=age'],
    })
  })

  test('of requests that name none', () => {
    const change = ['risky default-sort-changed albums?sort']
    const sorted = { attributes: (a: Kit) => ({ year: a.integer().sortable() }) }
    expect(albumsBothWays(sorted, { ...sorted, defaultSort: ['-year'] })).toEqual({ forth: change, back: change })
  })
})

describe('include paths', () => {
  const service = (albums: Members, artists: Members = {}, settings: Members = {}): Members => ({
    resources: [
      resource('albums', { relations: { artist: belongsTo('artists') }, ...albums }),
      resource('artists', { relations: { label: belongsTo('labels') }, ...artists }),
      resource('labels'),
    ],
    ...settings,
  })

  test('that are gone or new, without longer ones', () => {
    expect(bothWays(service({}), service({ relations: { artist: belongsTo('artists').cannotBeIncluded() } }))).toEqual({
      forth: ['breaking include-removed albums?include=artist'],
      back: ['safe include-added albums?include=artist'],
    })
  })

  test('over a relation that is gone are not listed', () => {
    expect(bothWays(service({}), service({}, { relations: {} }))).toEqual({
      forth: ['breaking member-removed artists.label'],
      back: ['safe member-added artists.label'],
    })
  })

  test('that must be shorter', () => {
    const { forth, back } = bothWays(service({}), service({ maxIncludeDepth: 1 }))
    expect(forth).toEqual(['breaking include-depth-reduced albums?include'])
    expect(back).toEqual(['safe include-added albums?include=artist.label'])
  })

  test('without an end, of which some are not listed', () => {
    const circle = (settings: Members, more: Members = {}): Members => ({
      resources: [
        resource('albums', { relations: { artist: belongsTo('artists'), ...more } }),
        resource('artists', { relations: { albums: hasMany('albums').via('artistId') } }),
      ],
      ...settings,
    })
    expect(bothWays(circle({}), circle({ maxIncludeDepth: 2 })).forth).toEqual([
      'breaking include-depth-reduced albums?include',
      'breaking include-depth-reduced artists?include',
    ])
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`artist${index}`, belongsTo('artists')]))
    // With more relations, fewer levels are listed.
    const { forth } = bothWays(circle({}), circle({}, many))
    expect(forth.every((line) => line.startsWith('safe member-added albums.artist'))).toBe(true)
  })

  test('of requests that name none', () => {
    const change = ['risky default-includes-changed albums?include']
    expect(bothWays(service({}), service({ defaultIncludes: ['artist'] }))).toEqual({ forth: change, back: change })
  })
})

test('linkage that requests may ask for', () => {
  const service = (tracks: unknown): Members => ({
    resources: [resource('albums', { relations: { tracks } }), resource('tracks')],
  })
  const tracks = hasMany('tracks').via('albumId')
  expect(bothWays(service(tracks), service(tracks.withoutData()))).toEqual({
    forth: ['breaking linkage-removed albums?withLinkage=tracks'],
    back: ['safe linkage-added albums?withLinkage=tracks'],
  })
})

test('counts that requests may ask for', () => {
  const service = (tracks: unknown, isCountable: boolean): Members => ({
    resources: [resource('albums', { relations: { tracks }, countable: isCountable }), resource('tracks')],
  })
  const tracks = hasMany('tracks').via('albumId')
  const { forth, back } = bothWays(service(tracks.countable(), true), service(tracks, false))
  expect(forth).toEqual([
    'breaking count-removed albums?withCount=_self_',
    'breaking count-removed albums?withCount=tracks',
    'breaking count-removed tracks?withCount=_self_',
  ])
  expect(back).toEqual([
    'safe count-added albums?withCount=_self_',
    'safe count-added albums?withCount=tracks',
    'safe count-added tracks?withCount=_self_',
  ])
})

describe('pages', () => {
  const paged = (pagination: unknown): Members => ({ pagination })

  test('of another kind', () => {
    const change = ['breaking page-kind-changed albums?page']
    const kinds = [numberPage(), offsetPage(), cursorPage(), fixedPage()].map(paged)
    for (const [index, kind] of kinds.entries()) {
      const next = kinds[(index + 1) % kinds.length] ?? {}
      const { forth, back } = albumsBothWays(kind, next)
      expect(forth.filter((line) => line.includes('page'))).toEqual(change)
      expect(back.filter((line) => line.includes('page'))).toEqual(change)
    }
  })

  test('where there were none', () => {
    expect(albumsBothWays(paged(null), paged(numberPage()))).toEqual({
      forth: ['breaking pages-introduced albums?page'],
      back: ['breaking pages-removed albums?page'],
    })
  })

  test('with another size, and another limit', () => {
    expect(albumsBothWays(paged(numberPage({ size: 10 })), paged(numberPage({ size: 20 })))).toEqual({
      forth: ['risky page-size-changed albums?page[size]'],
      back: ['risky page-size-changed albums?page[size]'],
    })
    expect(albumsBothWays(paged(numberPage({ maxSize: 100 })), paged(numberPage({ maxSize: 50 })))).toEqual({
      forth: ['breaking page-limit-lowered albums?page[size]'],
      back: ['safe page-limit-raised albums?page[size]'],
    })
    expect(albumsBothWays(paged(numberPage({ maxSize: 0 })), paged(numberPage({ maxSize: 50 }))).forth).toEqual([
      'breaking page-limit-lowered albums?page[size]',
    ])
  })

  test('with other keys', () => {
    expect(albumsBothWays(paged(numberPage()), paged(numberPage({ keys: { size: 'count' } })))).toEqual({
      forth: ['breaking page-key-removed albums?page[size]', 'safe page-key-added albums?page[count]'],
      back: ['breaking page-key-removed albums?page[count]', 'safe page-key-added albums?page[size]'],
    })
  })

  test('of several kinds', () => {
    const { forth, back } = albumsBothWays(
      paged(pageMenu([numberPage(), cursorPage()])),
      paged(pageMenu([numberPage({ size: 20, maxSize: 50 }), cursorPage(), offsetPage()], { default: 'cursor' })),
    )
    expect(forth).toEqual(
      [
        'breaking page-limit-lowered albums?page[size]',
        'risky default-page-kind-changed albums?page',
        'risky page-size-changed albums?page[size]',
        'safe page-kind-added albums?page',
        'safe page-key-added albums?page[offset]',
        'safe page-key-added albums?page[limit]',
      ].toSorted(byPlace),
    )
    expect(back).toEqual(expect.arrayContaining(['breaking page-kind-removed albums?page']))
    expect(albumsBothWays(paged(numberPage()), paged(pageMenu([numberPage(), cursorPage()]))).forth).toEqual(
      expect.arrayContaining(['safe page-kind-added albums?page']),
    )
  })

  test('that are described by one parameter for each key say the same', () => {
    const [deep, flat] = (['deepObject', 'flat'] as const).map((pageParameters) =>
      contractOf({ resources: [resource('albums', paged(numberPage()))], openapi: { pageParameters } }),
    )
    if (deep === undefined || flat === undefined) throw new Error('There are two of them.')
    expect(changesFrom(deep, flat)).toEqual([])
    expect(changesFrom(flat, deep)).toEqual([])
  })
})

function byPlace(a: string, b: string): number {
  const rank = (line: string): string => {
    const [severity = '', , place = ''] = line.split(' ')
    return `${['breaking', 'risky', 'safe'].indexOf(severity)} ${place}`
  }
  return rank(a) < rank(b) ? -1 : 1
}
