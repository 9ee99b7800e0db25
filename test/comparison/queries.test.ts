import { belongsTo, type FilterKit, hasMany, type SortKit } from 'ashlar'
import { describe, expect, test } from 'vitest'
import {
  albumsInBothDirections,
  alike,
  bothDirections,
  changesFrom,
  contractOf,
  type Kit,
  type Members,
  resource,
} from './compared.js'

type Filters = FilterKit<string>

const attributes = (a: Kit) => ({ title: a.string(), year: a.integer() })

function withFilters(filters: (f: Filters) => unknown): Members {
  return { attributes, filters }
}

describe('filters', () => {
  test('that are gone or new', () => {
    expect(
      albumsInBothDirections(
        withFilters((f) => ({ title: f.contains() })),
        withFilters(() => ({})),
      ),
    ).toEqual({
      forth: ['breaking filter-removed albums?filter[title]'],
      back: ['safe filter-added albums?filter[title]'],
    })
  })

  test('of a type are one change, at its collection and at the relations to it', () => {
    const [before, after] = [(f: Filters) => ({ title: f.contains() }), () => ({})].map((filters) =>
      contractOf({
        resources: [
          resource('albums', { attributes, filters }),
          resource('artists', { relations: { albums: hasMany('albums').via('artistId') } }),
        ],
      }),
    )
    if (before === undefined || after === undefined) throw new Error('There are two of them.')
    expect(changesFrom(before, after)).toMatchObject([
      {
        code: 'filter-removed',
        operations: ['GET /albums', 'GET /artists/{id}/albums', 'GET /artists/{id}/relationships/albums'],
        sentence: "The filter 'title' of 'albums' is gone.",
      },
    ])
  })

  test('with other values', () => {
    const [integer, text] = [
      withFilters((f) => ({ year: f.where() })),
      withFilters((f) => ({ year: f.where().deserializeUsing(String) })),
    ]
    expect(albumsInBothDirections(integer, text)).toEqual(alike('breaking value-type-changed albums?filter[year]'))
    const patterned = withFilters((f) => ({ title: f.where().pattern(/^a/) }))
    expect(
      albumsInBothDirections(
        withFilters((f) => ({ title: f.where() })),
        patterned,
      ),
    ).toEqual({
      forth: ['breaking request-rule-tightened albums?filter[title]'],
      back: ['safe request-rule-loosened albums?filter[title]'],
    })
  })

  test('in another form', () => {
    const change = alike('breaking filter-form-changed albums?filter[year]')
    const value = withFilters((f) => ({ year: f.where() }))
    expect(
      albumsInBothDirections(
        value,
        withFilters((f) => ({ year: f.in() })),
      ),
    ).toEqual(change)
    expect(
      albumsInBothDirections(
        value,
        withFilters((f) => ({ year: f.range() })),
      ),
    ).toEqual(change)
  })

  test('with another default', () => {
    const [one, other] = [1997, 2000].map((year) => withFilters((f) => ({ year: f.where().default(year) })))
    expect(albumsInBothDirections(one ?? {}, other ?? {})).toEqual(alike('risky default-changed albums?filter[year]'))
  })

  test('that give one resource instead of a list', () => {
    const singular = withFilters((f) => ({ title: f.where().singular() }))
    expect(
      albumsInBothDirections(
        withFilters((f) => ({ title: f.where() })),
        singular,
      ),
    ).toEqual(alike('breaking response-form-changed GET /albums'))
  })
})

const sorts = (s: SortKit<string>) => ({ age: s.field('year') })

describe('sorts', () => {
  test('that are gone or new', () => {
    expect(albumsInBothDirections({ attributes, sorts }, { attributes })).toEqual({
      forth: ['breaking sort-removed albums?sort=age'],
      back: ['safe sort-added albums?sort=age'],
    })
  })

  test('of requests that name none', () => {
    const sorted = { attributes: (a: Kit) => ({ year: a.integer().sortable() }) }
    expect(albumsInBothDirections(sorted, { ...sorted, defaultSort: ['-year'] })).toEqual(
      alike('risky default-sort-changed albums?sort'),
    )
  })
})

/** A service with albums of artists of labels. */
function line(members: Members, artists: Members = {}): Members {
  return {
    resources: [
      resource('albums', { relations: { artist: belongsTo('artists') }, ...members }),
      resource('artists', { relations: { label: belongsTo('labels') }, ...artists }),
      resource('labels'),
    ],
  }
}

/** A service with artists of albums of artists. */
function circle(settings: Members, more: Members = {}): Members {
  return {
    resources: [
      resource('albums', { relations: { artist: belongsTo('artists'), ...more } }),
      resource('artists', { relations: { albums: hasMany('albums').via('artistId') } }),
    ],
    ...settings,
  }
}

describe('include paths', () => {
  test('that are gone or new, without longer ones', () => {
    expect(bothDirections(line({}), line({ relations: { artist: belongsTo('artists').cannotBeIncluded() } }))).toEqual({
      forth: ['breaking include-removed albums?include=artist'],
      back: ['safe include-added albums?include=artist'],
    })
  })

  test('over a relation that is gone are not listed', () => {
    expect(bothDirections(line({}), line({}, { relations: {} }))).toEqual({
      forth: ['breaking member-removed artists.label'],
      back: ['safe member-added artists.label'],
    })
  })

  test('that must be shorter', () => {
    expect(bothDirections(line({}), line({ maxIncludeDepth: 1 }))).toEqual({
      forth: ['breaking include-depth-reduced albums?include'],
      back: ['safe include-added albums?include=artist.label'],
    })
  })

  test('without an end that get one', () => {
    expect(bothDirections(circle({}), circle({ maxIncludeDepth: 2 })).forth).toEqual([
      'breaking include-depth-reduced albums?include',
      'breaking include-depth-reduced artists?include',
    ])
  })

  test('that are not listed because there are many are not gone', () => {
    const many = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`artist${index}`, belongsTo('artists')]))
    const { forth } = bothDirections(circle({}), circle({}, many))
    expect(forth).toEqual(Object.keys(many).map((name) => `safe member-added albums.${name}`))
  })

  test('of requests that name none', () => {
    expect(bothDirections(line({}), line({ defaultIncludes: ['artist'] }))).toEqual(
      alike('risky default-includes-changed albums?include'),
    )
  })
})

/** A service with albums of tracks. */
function tracked(tracks: unknown, members: Members = {}): Members {
  return { resources: [resource('albums', { relations: { tracks }, ...members }), resource('tracks')] }
}

const tracks = hasMany('tracks').via('albumId')

test('linkage that requests may select', () => {
  expect(bothDirections(tracked(tracks), tracked(tracks.withoutData()))).toEqual({
    forth: ['breaking linkage-removed albums?withLinkage=tracks'],
    back: ['safe linkage-added albums?withLinkage=tracks'],
  })
})

function withoutMembers(lines: readonly string[]): readonly string[] {
  return lines.filter((each) => !/ member-\w+ albums$/.test(each))
}

test('counts that requests may select', () => {
  // The totals in the documents go with them.
  const { forth, back } = bothDirections(tracked(tracks.countable(), { countable: true }), tracked(tracks))
  expect(forth.length - withoutMembers(forth).length).toBe(3)
  expect({ forth: withoutMembers(forth), back: withoutMembers(back) }).toEqual({
    forth: [
      'breaking count-removed albums?withCount=_self_',
      'breaking count-removed albums?withCount=tracks',
      'breaking count-removed tracks?withCount=_self_',
    ],
    back: [
      'safe count-added albums?withCount=_self_',
      'safe count-added albums?withCount=tracks',
      'safe count-added tracks?withCount=_self_',
    ],
  })
})
