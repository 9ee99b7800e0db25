import { describe, expect, test } from 'vitest'
import type { QueryVocabulary } from '../../src/serve/read/query/query-vocabulary.js'
import { primaryVocabulary, relatedVocabulary } from '../../src/serve/read/query/query-vocabulary.js'
import { orderNames, readOrders } from '../../src/serve/read/query/read-orders.js'
import { catalogue, relationOf, requestContext, typeOf } from './served.js'
import { withScopes } from '../../src/serve/read/rows/fill-scopes.js'
import { refusal, shown } from './shown.js'

const types = catalogue()
const albums = primaryVocabulary(typeOf(types, 'albums'))
const covers = primaryVocabulary(typeOf(types, 'covers'))
const playlistTracks = relatedVocabulary(relationOf(types, 'playlists', 'tracks'))

interface Options {
  readonly cursor?: boolean
  readonly staff?: string
  readonly vocabulary?: QueryVocabulary
}

function names(sort: readonly string[], { cursor = false, staff = 'no', vocabulary = albums }: Options = {}) {
  return orderNames(readOrders(sort, vocabulary, { context: requestContext(staff), cursor, parameter: 'sort' }))
}

function refused(sort: readonly string[], options: Options = {}): Promise<readonly string[]> {
  return refusal(() => names(sort, options))
}

/** The conditions of the rows on the path of the first key. */
function conditions(sort: string, staff: string): readonly unknown[] {
  const context = requestContext(staff)
  const result = readOrders([sort], albums, { context, cursor: false, parameter: 'sort' })
  const [order] = withScopes({ conditions: [], orders: result, context }).orders
  return order?.kind === 'column' ? order.path.map(({ condition }) => condition && shown(condition)) : []
}

describe('a requested order', () => {
  test('has the keys in their order and directions, and ends in the id, in the direction of the last key', () => {
    expect(names(['-year', 'title'])).toEqual(['-year', 'title', 'id'])
    expect(names(['year', '-title'])).toEqual(['year', '-title', '-id'])
  })

  test('takes the column and the kind of the attribute', () => {
    const [order] = readOrders(['-rating'], albums, { context: requestContext(), cursor: false, parameter: 'sort' })
    expect(order).toMatchObject({
      kind: 'column',
      path: [],
      descending: true,
      column: { of: 'row', name: 'rating', kind: { name: 'decimal' } },
    })
  })

  test('does not repeat the id', () => {
    expect(names(['-id', 'title'])).toEqual(['-id', 'title'])
  })

  test('uses a repeated key once: the first time', () => {
    expect(names(['title', '-year', '-title'])).toEqual(['title', '-year', '-id'])
  })

  test('supports columns without an attribute', () => {
    expect(names(['-plays'])).toEqual(['-plays', '-id'])
  })

  test('replaces the default order', () => {
    expect(names(['year'])).toEqual(['year', 'id'])
  })
})

describe('a path', () => {
  test('follows relations to the column', () => {
    const [order] = readOrders(['-artist'], albums, { context: requestContext(), cursor: false, parameter: 'sort' })
    expect(order).toMatchObject({ kind: 'column', column: { name: 'name' }, descending: true })
    expect(order?.kind === 'column' && order.path.map(({ relation }) => relation.name)).toEqual(['artist'])
    expect(names(['artist'])).toEqual(['artist.name', 'id'])
  })

  test('sees only rows in the scope of the types that it enters', () => {
    expect(conditions('label', 'no')).toEqual(['public = true'])
    expect(conditions('label', 'yes')).toEqual([null])
  })
})

describe('the default order', () => {
  test('omits keys that the caller cannot see', () => {
    expect(names([])).toEqual(['-releasedAt', ':custom', 'title', 'id'])
    expect(names([], { staff: 'yes' })).toEqual(['-releasedAt', ':custom', 'internal', 'title', 'id'])
  })

  test('omits keys that a cursor cannot use', () => {
    expect(names([], { cursor: true })).toEqual(['-releasedAt', 'title', 'id'])
  })

  test('of a related collection is that of the related type', () => {
    expect(names([], { vocabulary: playlistTracks })).toEqual(['title', 'id'])
  })

  test('of a relation that declares one uses the sort keys of the relation', () => {
    const queue = relatedVocabulary(relationOf(types, 'playlists', 'queue'))
    const favorites = relatedVocabulary(relationOf(types, 'playlists', 'favorites'))
    expect(names([], { vocabulary: queue })).toEqual(['-pivot.place', 'seconds', 'id'])
    expect(names([], { vocabulary: favorites })).toEqual(['title', 'id'])
  })

  test('is the id if there is none', () => {
    expect(names([], { vocabulary: covers })).toEqual(['id'])
    expect(names([], { vocabulary: covers, cursor: true })).toEqual(['id'])
  })
})

describe('a cursor', () => {
  test('walks in the same order as other pages', () => {
    expect(names(['title', '-year'], { cursor: true })).toEqual(['title', '-year', '-id'])
    expect(names(['-year', 'title'], { cursor: true })).toEqual(['-year', 'title', 'id'])
  })

  test('cannot walk a user-defined order', async () => {
    expect(names(['byMood'])).toEqual([':custom', 'id'])
    expect(names(['-byMood'])).toEqual(['-:custom', '-id'])
    expect(await refused(['-byMood'], { cursor: true })).toEqual(['SORTING_UNRECOGNIZED sort: byMood'])
  })
})

describe('a related collection', () => {
  test('has a sort for each field of the join rows, unless the key is taken', () => {
    expect(names(['-addedAt'], { vocabulary: playlistTracks })).toEqual(['-pivot.added_at', '-id'])
    expect(names(['position'], { vocabulary: playlistTracks })).toEqual(['seconds', 'id'])
    expect(names(['weight'], { vocabulary: playlistTracks })).toEqual(['seconds', 'id'])
  })

  test('hides hidden fields of the join rows', async () => {
    expect(await refused(['reason'], { vocabulary: playlistTracks })).toEqual(['SORTING_UNRECOGNIZED sort: reason'])
  })
})

describe('errors', () => {
  test('a collection without sorts supports none', async () => {
    expect(await refused(['title'], { vocabulary: { ...covers, sorts: {} } })).toEqual(['SORTING_UNSUPPORTED sort: '])
  })

  test.each([
    [['title', '-stranger', 'other'], 'stranger'],
    [['', 'title'], ''],
    [['-'], ''],
    [['--title'], '-title'],
    [['toString'], 'toString'],
    [['__proto__'], '__proto__'],
    [[' title'], ' title'],
    [['notes'], 'notes'],
    [['-internal'], 'internal'],
    [['founder'], 'founder'],
  ])('%j: the first unknown key is reported, without its sign', async (sort, key) => {
    expect(await refused(sort)).toEqual([`SORTING_UNRECOGNIZED sort: ${key}`])
  })

  test('the parameter has the name that the client used', async () => {
    const reading = { context: requestContext(), cursor: false, parameter: 'rQ[albums][sort]' }
    expect(await refusal(() => readOrders(['x'], albums, reading))).toEqual([
      'SORTING_UNRECOGNIZED rQ[albums][sort]: x',
    ])
  })
})
