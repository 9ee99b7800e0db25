import { belongsTo, type FilterKit, type SortKit } from 'ashlar'
import type { DeprecationOptions } from '../../src/declare/resource/parts/deprecation.js'
import { describe, expect, test } from 'vitest'
import {
  acting,
  albumsInBothDirections,
  bothDirections,
  changesFrom,
  contractOf,
  type Kit,
  type Members,
  oneAttribute,
  resource,
} from './compared.js'

/** The tests compare on the 15th of June 2026. */
const [past, future] = ['2026-06-15', '2026-06-16']

/** A service in which everything that can be removed is deprecated, and the same without it. */
function deprecated(options: DeprecationOptions | null): Members {
  const on = <T extends { deprecated(given?: DeprecationOptions): T }>(declared: T): T =>
    options === null ? declared : declared.deprecated(options)
  return {
    resources: [
      resource('albums', {
        attributes: (a: Kit) => ({
          title: a.string(),
          rank: on(a.integer().sortable()),
          label: a.object().fields({ name: a.string(), code: on(a.string()) }),
        }),
        relations: { artist: on(belongsTo('artists').filterable()) },
        filters: (f: FilterKit<string>) => ({ title: on(f.contains()) }),
        sorts: (s: SortKit<string>) => ({ name: on(s.field('title')) }),
        ...acting(options === null ? {} : { deprecated: options }),
      }),
      resource('artists'),
    ],
  }
}

const without: Members = {
  resources: [
    resource('albums', {
      attributes: (a: Kit) => ({ title: a.string(), label: a.object().fields({ name: a.string() }) }),
    }),
    resource('artists'),
  ],
}

const removals = [
  'operation-removed POST /albums/{id}/-actions/play',
  'member-removed albums.artist',
  'member-removed albums.label.code',
  'member-removed albums.rank',
  'filter-removed albums?filter[artist]',
  'filter-removed albums?filter[title]',
  'sort-removed albums?sort=name',
  'sort-removed albums?sort=rank',
]

function removalsFrom(before: Members): readonly string[] {
  const changes = changesFrom(contractOf(before), contractOf(without))
  return changes
    .filter(({ code }) => code.endsWith('-removed'))
    .map(({ severity, code, place }) => `${severity} ${code} ${place}`)
}

describe('a removal', () => {
  test('is breaking without a deprecation', () => {
    expect(removalsFrom(deprecated(null))).toEqual(removals.map((line) => `breaking ${line}`))
  })

  test('is safe on the day of the sunset, and after it', () => {
    expect(removalsFrom(deprecated({ sunset: past }))).toEqual(removals.map((line) => `safe ${line}`))
  })

  test('is breaking before that day, which it names', () => {
    const changes = changesFrom(contractOf(deprecated({ sunset: future })), contractOf(without))
    expect(removalsFrom(deprecated({ sunset: future }))).toEqual(removals.map((line) => `breaking ${line}`))
    expect(changes.find(({ place }) => place === 'albums.rank')).toMatchObject({
      sentence: "The attribute 'rank' of 'albums' is gone. Its sunset is 2026-06-16.",
      remedy: 'keep it until 2026-06-16',
    })
  })

  test('is risky without a day', () => {
    expect(removalsFrom(deprecated({}))).toEqual(removals.map((line) => `risky ${line}`))
  })

  test('from only responses or only requests is a removal too', () => {
    const ended = { attributes: (a: Kit) => ({ title: a.string().deprecated({ sunset: past }) }) }
    expect(
      albumsInBothDirections(ended, { attributes: (a: Kit) => ({ title: a.string().writeOnly() }) }).forth.toSorted(),
    ).toEqual(['safe deprecation-removed albums.title', 'safe member-not-shown albums.title'].toSorted())
    expect(
      albumsInBothDirections(ended, { attributes: (a: Kit) => ({ title: a.string().readOnly() }) }).forth,
    ).toContain('safe member-read-only albums.title')
  })

  test('of a member or an operation of a deprecated type is one of something deprecated', () => {
    const old = { deprecation: true, sunset: 'Sat, 13 Jun 2026 00:00:00 GMT' }
    const service = (members: Members): Members => ({
      resources: [resource('albums', { ...old, ...members }), resource('tags')],
    })
    expect(bothDirections(service({ attributes: oneAttribute }), service({ readOnly: true })).forth).toEqual([
      'safe operation-removed DELETE /albums/{id}',
      'safe operation-removed PATCH /albums/{id}',
      'safe operation-removed POST /albums',
      'safe member-removed albums.title',
    ])
    expect(
      bothDirections({ resources: [resource('albums', old), resource('tags')] }, { resources: [resource('tags')] })
        .forth,
    ).toEqual(['safe type-removed albums'])
  })

  test('of a type whose end is no date is risky', () => {
    const old = resource('albums', { deprecation: true, sunset: 'soon' })
    expect(bothDirections({ resources: [old, resource('tags')] }, { resources: [resource('tags')] }).forth).toEqual([
      'risky type-removed albums',
    ])
  })
})

/** Returns the members of a type with a deprecated attribute; `null` for one that is not. */
function withRank(options: DeprecationOptions | null): Members {
  return { attributes: (a: Kit) => ({ rank: options === null ? a.integer() : a.integer().deprecated(options) }) }
}

describe('a deprecation', () => {
  test('that is new or gone is safe', () => {
    expect(albumsInBothDirections(withRank(null), withRank({ sunset: future }))).toEqual({
      forth: ['safe deprecation-added albums.rank'],
      back: ['safe deprecation-removed albums.rank'],
    })
    const { forth } = bothDirections(deprecated(null), deprecated({ sunset: future }))
    expect(forth).toEqual([
      'safe deprecation-added POST /albums/{id}/-actions/play',
      'safe deprecation-added albums.artist',
      'safe deprecation-added albums.label.code',
      'safe deprecation-added albums.rank',
      'safe deprecation-added albums?filter[artist]',
      'safe deprecation-added albums?filter[title]',
      'safe deprecation-added albums?sort=name',
      'safe deprecation-added albums?sort=rank',
    ])
  })

  test('that ends earlier is risky', () => {
    expect(albumsInBothDirections(withRank({ sunset: future }), withRank({ sunset: past }))).toEqual({
      forth: ['risky sunset-earlier albums.rank'],
      back: ['safe sunset-later albums.rank'],
    })
    expect(albumsInBothDirections(withRank({}), withRank({ sunset: future }))).toEqual({
      forth: ['risky sunset-earlier albums.rank'],
      back: ['safe sunset-later albums.rank'],
    })
  })

  test('of a type is one change', () => {
    const { forth, back } = albumsInBothDirections({}, { deprecation: true, sunset: 'Sat, 13 Jun 2026 00:00:00 GMT' })
    expect(forth).toEqual(['safe deprecation-added albums'])
    expect(back).toEqual(['safe deprecation-removed albums'])
  })
})
