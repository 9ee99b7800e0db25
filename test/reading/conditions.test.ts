import { belongsTo, defineResource, id, model } from 'ashlar'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonApiError } from '../../src/core/errors/json-api-error.js'
import type { QueryVocabulary } from '../../src/serve/read/query/query-vocabulary.js'
import { primaryVocabulary, relatedVocabulary } from '../../src/serve/read/query/query-vocabulary.js'
import { hasSingularFilter, readConditions } from '../../src/serve/read/query/read-conditions.js'
import { readOrders } from '../../src/serve/read/query/read-orders.js'
import type { FilterValue } from '../../src/serve/operation/query-parameters.js'
import { catalogue, relationOf, requestContext, sent, served, services, typeOf } from './served.js'
import { withScopes } from '../../src/serve/read/rows/fill-scopes.js'
import { refusal, shown } from './shown.js'
import { runs } from '../support/runs.js'
import { anyText } from '../support/any-text.js'

const types = catalogue()
const albums = primaryVocabulary(typeOf(types, 'albums'))
const playlistTracks = relatedVocabulary(relationOf(types, 'playlists', 'tracks'))

const reading = { context: requestContext(), services, parameterOf: (key: string) => `filter[${key}]` }

/** The conditions of a filter, as lines. */
async function reads(
  values: Readonly<Record<string, unknown>>,
  vocabulary: QueryVocabulary = albums,
  staff = 'no',
): Promise<readonly string[]> {
  const context = requestContext(staff)
  const filters = await readConditions(sent(values), vocabulary, { ...reading, context })
  const conditions = filters.map(({ condition }) => condition)
  return withScopes({ conditions, context }).conditions.map(shown)
}

function refused(
  values: Readonly<Record<string, unknown>>,
  vocabulary: QueryVocabulary = albums,
): Promise<readonly string[]> {
  return refusal(() => readConditions(sent(values), vocabulary, reading))
}

describe('the catalogue of filters', () => {
  test.each([
    ['where', { exactTitle: 'Kid A' }, ['title = "Kid A"']],
    ['another operator', { notYear: '1997' }, ['year != 1997']],
    ['a part of a text', { title: '%_a' }, ['title like "%_a"']],
    ['a numeric comparison', { minYear: '1997.5' }, ['year >= 1997.5']],
    ['boolean', { active: ' YES ' }, ['explicit = true']],
    ['a set as text', { years: '1997, 2000' }, ['year in [1997, 2000]']],
    ['a set as list', { years: ['1997', '2000'] }, ['year in [1997, 2000]']],
    ['a set that is denied', { notYears: '1997' }, ['year not in [1997]']],
    ['a set with its own delimiter', { titles: 'Kid A | a,b' }, ['title in ["Kid A", "a,b"]']],
    ['ids', { ids: '1,2' }, ['id in ["1", "2"]']],
    ['ids that are denied', { notIds: ['1'] }, ['id not in ["1"]']],
    ['a range', { length: { min: '1', max: '2.5' } }, ['year in 1..2.5']],
    ['null', { unrated: 'whatever' }, ['rating is null']],
    ['not null', { rated: { any: ['shape'] } }, ['rating is not null']],
    ['a related one', { hasTracks: '' }, ['tracks:tracks → ()']],
    ['no related one', { noTracks: '' }, ['no tracks:tracks → ()']],
    ['a related one that matches', { longTracks: 'x' }, ['tracks:tracks → (custom "x")']],
    ['a path', { artistName: 'Björk' }, ['artist:artists → (name = "Björk")']],
    ['a path with an operator', { trackTitle: 'air' }, ['tracks:tracks → (title like "air")']],
    ['a custom one', { custom: 'x' }, ['custom "x"']],
    ['a fixed one', { published: 'false' }, ['title = "Kid A"']],
    ['a column', { plays: '12' }, ['plays = "12"']],
  ])('%s', async (_name, values, expected) => {
    expect(await reads(values)).toEqual(expected)
  })

  test('all keys must hold, in the order of the declaration', async () => {
    expect(await reads({ unrated: '', year: '1997', title: 'a' })).toEqual([
      'title like "a"',
      'year = 1997',
      'rating is null',
    ])
  })

  test('a custom filter gets lists and objects as they were sent', async () => {
    expect(await reads({ custom: ['a', 'b'] })).toEqual(['custom ["a","b"]'])
    expect(await reads({ custom: { a: { b: 'c' }, d: ['e'] } })).toEqual(['custom {"a":{"b":"c"},"d":["e"]}'])
  })

  test('a name of an Object.prototype member is an ordinary name', async () => {
    expect(await refused({ toString: 'x' })).toEqual(['FILTERING_UNRECOGNIZED filter[toString]: toString'])
    expect(await reads({ custom: new Map([['__proto__', 'x']]) })).toEqual(['custom {"__proto__":"x"}'])
  })
})

describe('groups', () => {
  test('the value is passed to every member, and a member whose kind does not fit finds nothing', async () => {
    expect(await reads({ search: '1997' })).toEqual(['any(title like "1997"; year = 1997)'])
    expect(await reads({ search: 'kid' })).toEqual(['any(title like "kid"; any())'])
    expect(await reads({ both: 'kid' })).toEqual(['all(title like "kid"; year is not null)'])
  })

  test('a group accepts a value that one of its members accepts', async () => {
    expect(await reads({ search: { min: '1' } })).toEqual(['any(any(); any(); year in 1..null)'])
    expect(await refused({ both: ['kid'] })).toEqual([
      'FILTER_VALUE_INVALID filter[both]: This must be a single value.',
    ])
  })

  test('an empty any matches nothing, an empty all everything', async () => {
    expect(await reads({ none: '', every: '' })).toEqual(['any()', 'all()'])
  })

  test('only the constraints of the group itself are checked', async () => {
    expect(await refused({ short: 'abcd' })).toEqual([
      'FILTER_VALUE_INVALID filter[short]: This must have at most 3 characters.',
    ])
  })
})

describe('paths', () => {
  test('the id at the end is decoded; one that cannot be decoded matches no row', async () => {
    expect(await reads({ artistId: 'a7' })).toEqual(['artist:artists → (id = 7)'])
    expect(await reads({ artistId: 'seven' })).toEqual(['artist:artists → (any())'])
  })

  test('a path sees only rows in the scope of each type that it enters', async () => {
    expect(await reads({ labelName: 'Warp' })).toEqual(['label:labels[public = true] → (name = "Warp")'])
    expect(await reads({ labelName: 'Warp' }, albums, 'yes')).toEqual(['label:labels → (name = "Warp")'])
    expect(await reads({ hasLabel: '' })).toEqual(['label:labels[public = true] → ()'])
  })

  test('of a relation to several types, each has its own scope', async () => {
    expect(await reads({ hasOwner: '' })).toEqual(['owner:artists|labels[public = true] → ()'])
    expect(await reads({ noOwner: '' })).toEqual(['no owner:artists|labels[public = true] → ()'])
    expect(await reads({ hasOwner: '' }, albums, 'yes')).toEqual(['owner:artists|labels → ()'])
  })

  test('a flattened attribute is compared at the end of its path, even if the relation is hidden', async () => {
    const albumsOf = defineResource('albums', {
      model: model<{ id: number; artistId: number | null }>('albums'),
      id: id(),
      attributes: (a) => ({ artistName: a.string().storedAs('name').on('artist').sortable() }),
      relations: { artist: belongsTo('artists').hidden() },
      filters: (f) => ({ artistName: f.where(), nameless: f.isNull('artistName'), named: f.isNotNull('artistName') }),
    })
    const artists = defineResource('artists', {
      model: model<{ id: number; name: string | null; public: boolean }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string().nullable() }),
      scope: (_context, f) => f.where('public').fixed(true),
    })
    const vocabulary = primaryVocabulary(typeOf(served([albumsOf, artists]), 'albums'))
    expect(await reads({ artistName: 'Björk', nameless: '', named: '' }, vocabulary)).toEqual([
      'artist:artists[public = true] → (name = "Björk")',
      'no artist:artists[public = true] → (name is not null)',
      'artist:artists[public = true] → (name is not null)',
    ])
    const [order] = readOrders(['artistName'], vocabulary, { ...reading, cursor: false, parameter: 'sort' })
    expect(order?.kind === 'column' && order.path.map(({ relation }) => relation.name)).toEqual(['artist'])
  })

  test('a relation that a function reads cannot be filtered by', async () => {
    expect(await refused({ hasCritics: '' })).toEqual(['FILTERING_UNRECOGNIZED filter[hasCritics]: hasCritics'])
  })
})

describe('errors', () => {
  test('values come first, in the order of the declaration, and only the first offending key is reported', async () => {
    expect(await refused({ unknown: 'x', years: 'a,1,b', year: 'c' })).toEqual([
      'FILTER_VALUE_INVALID filter[year]: This must be a whole number.',
    ])
    expect(await refused({ unknown: 'x', years: 'a,1,b' })).toEqual([
      'FILTER_VALUE_INVALID filter[years]: This must be a whole number.',
      'FILTER_VALUE_INVALID filter[years]: This must be a whole number.',
    ])
  })

  test('then the first unknown key', async () => {
    expect(await refused({ year: '1997', stranger: 'x', other: 'y' })).toEqual([
      'FILTERING_UNRECOGNIZED filter[stranger]: stranger',
    ])
  })

  test('no more problems are reported than the server allows', async () => {
    const few = { ...reading, services: { ...services, maxErrors: 2 } }
    const problems = await refusal(() => readConditions(sent({ years: 'a,b,c' }), albums, few))
    expect(problems).toHaveLength(2)
  })

  test('a list longer than the limit is refused, whether it comes as list or as text', async () => {
    const few = { ...reading, services: { ...services, maxFilterValues: 2 } }
    const problem = 'LIMIT_EXCEEDED filter[years]: 2 values of one filter'
    expect(await refusal(() => readConditions(sent({ years: '1,2,3' }), albums, few))).toEqual([problem])
    expect(await refusal(() => readConditions(sent({ years: ['1', '2', '3'] }), albums, few))).toEqual([problem])
  })

  test('the parameter has the name that the client used', async () => {
    const named = { ...reading, parameterOf: (key: string) => `rQ[albums][filter][${key}]` }
    expect(await refusal(() => readConditions(sent({ x: '' }), albums, named))).toEqual([
      'FILTERING_UNRECOGNIZED rQ[albums][filter][x]: x',
    ])
  })
})

describe('a related collection', () => {
  test('has the filters of the related type, and those of the relation, which win', async () => {
    expect(await reads({ title: 'air', seconds: '300' }, playlistTracks)).toEqual(['title like "air"', 'seconds > 300'])
  })

  test('can be filtered by columns of the join rows, by field or column, with values of their kinds', async () => {
    expect(await reads({ position: '3', added: { min: '2026-01-01' } }, playlistTracks)).toEqual([
      'pivot.position = 3',
      'pivot.added_at in 2026-01-01T00:00:00.000Z..null',
    ])
    expect(await refused({ position: 'third' }, playlistTracks)).toHaveLength(1)
  })

  test('hides hidden fields of the join rows', async () => {
    expect(await refused({ reason: 'x' }, playlistTracks)).toEqual(['FILTERING_UNRECOGNIZED filter[reason]: reason'])
  })
})

test('a singular filter counts when the client sends it', () => {
  expect(hasSingularFilter(sent({ slug: 'a' }), albums, reading.context)).toBe(true)
  expect(hasSingularFilter(sent({ title: 'a', toString: 'b' }), albums, reading.context)).toBe(false)
})

describe('for any input', () => {
  const keys = [...Object.keys(albums.filters), ...Object.keys(playlistTracks.filters), 'unknown', '__proto__', '']
  const text = fc.oneof(
    anyText(),
    fc.constantFrom(
      '',
      ' ',
      '0',
      '-1',
      '1e400',
      '9'.repeat(400),
      '1997-02-30',
      '1997-05-21',
      '9999-12-31',
      '0000-01-01',
    ),
    fc.constantFrom('true', 'a7', ',', 'NaN', 'Infinity', '1997-05-21T10:00:00+02:00', '2026-03-29', '24:00', '10:00'),
  )
  const value: fc.Arbitrary<FilterValue> = fc.letrec<{ value: FilterValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.array(text, { maxLength: 4 }),
      fc
        .array(fc.tuple(fc.oneof(fc.constantFrom('min', 'max', '__proto__'), fc.string()), tie('value')), {
          maxLength: 3,
        })
        .map((entries) => new Map(entries)),
    ),
  })).value
  const filter = fc
    .array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 3 })
    .map((entries) => new Map(entries))

  test.each([
    ['a collection', albums],
    ['a related collection', playlistTracks],
  ])('%s returns rows, or refuses it with 400', async (_name, vocabulary) => {
    await fc.assert(
      fc.asyncProperty(filter, fc.constantFrom('yes', 'no'), async (values, staff) => {
        try {
          const filters = await readConditions(values, vocabulary, { ...reading, context: requestContext(staff) })
          filters.map(({ condition }) => shown(condition))
        } catch (error) {
          if (!JsonApiError.is(error)) throw error
          expect(error.status).toBe(400)
        }
      }),
      { numRuns: runs(2000) },
    )
  })
})
