import { belongsTo, defineResource, id, model, type RequestContext } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { primaryVocabulary } from '../../src/serve/read/query/query-vocabulary.js'
import { readConditions } from '../../src/serve/read/query/read-conditions.js'
import { readOrders } from '../../src/serve/read/query/read-orders.js'
import { isVisible } from '../../src/declare/resource/fields/visible-field.js'
import type { RowPredicate } from '../../src/declare/resource/fields/field-spec.js'
import { defaultFieldSpec } from '../../src/declare/resource/fields/field-spec.js'
import { catalogue, isStaff, requestContext, sent, served, services, typeOf } from './served.js'
import { refusal } from './shown.js'

const albums = primaryVocabulary(typeOf(catalogue(), 'albums'))

async function isRefused(key: string, context: RequestContext = requestContext(), vocabulary = albums) {
  const reading = { context, services, parameterOf: (name: string) => `filter[${name}]` }
  const problems = await refusal(() => readConditions(sent({ [key]: '1' }), vocabulary, reading))
  return problems.join() === `FILTERING_UNRECOGNIZED filter[${key}]: ${key}`
}

function visible(hidden: boolean | RowPredicate, writeOnly: boolean | ((context: RequestContext) => boolean) = false) {
  return isVisible({ ...defaultFieldSpec, hidden, writeOnly }, requestContext('yes'))
}

function failing(): never {
  throw new Error('no')
}

describe('whether a field is visible to a request', () => {
  test('a field that is hidden or write-only in every request is not visible', () => {
    expect(visible(false)).toBe(true)
    expect(visible(true)).toBe(false)
    expect(visible(false, true)).toBe(false)
  })

  test('a predicate is called with the request', () => {
    expect(visible((_row, context) => !isStaff(context))).toBe(true)
    expect(visible((_row, context) => isStaff(context))).toBe(false)
    expect(visible(false, (context) => isStaff(context))).toBe(false)
    expect(visible(false, () => false)).toBe(true)
  })

  test.each<[string, RowPredicate]>([
    ['reads a member', (row) => row['public'] === true],
    ['reads a member', (row) => 'public' in row],
    ['lists the members', (row) => Object.keys(row).length > 100],
    ['spreads it', (row) => ({ ...row })['public'] === true],
    ['writes it as JSON', (row) => JSON.stringify(row) === ''],
    ['tests its type', (row) => Object.getPrototypeOf(row) === null],
    ['tests its class', (row) => (row as object) instanceof Map],
  ])('a predicate that %s decides row by row, and hides the field', (_name, predicate) => {
    expect(visible(predicate)).toBe(false)
  })

  test('a predicate that fails, or is asynchronous, hides the field', () => {
    expect(visible(failing)).toBe(false)
    expect(visible(false, failing)).toBe(false)
    expect(visible((() => Promise.reject(new Error('late'))) as never)).toBe(false)
  })
})

describe('a filter on a field that the caller does not see is unknown', () => {
  test.each(['notes', 'internal', 'artistSecret', 'founder', 'hasSecretArtist', 'secretGroup'])('%s', async (key) => {
    expect(await isRefused(key)).toBe(true)
  })

  test('to a caller who sees it, it is known', async () => {
    expect(await isRefused('internal', requestContext('yes'))).toBe(false)
    expect(await isRefused('notes', requestContext('yes'))).toBe(true)
  })

  test('a column is visible if a field on it is visible', async () => {
    expect(await isRefused('column')).toBe(false)
    expect(await isRefused('key')).toBe(false)
  })
})

describe('columns', () => {
  const declared = defineResource('albums', {
    model: model<{ id: number; a: string; b: string; c: string; d: string; artistId: number }>('albums', {
      columns: ['id', 'a', 'b', 'c', 'd', 'artistId'],
    }),
    id: id(),
    attributes: (a) => ({
      hiddenA: a.string().storedAs('a').hidden(),
      hiddenB: a.string().storedAs('b').hidden(),
      shownB: a.string().storedAs('b').readOnly(),
      map: a.map().fields({ c: a.string() }).hidden(),
      other: a.map().fields({ d: a.string().hidden() }),
    }),
    relations: { artist: belongsTo('albums').via('artistId').hidden() },
    filters: (f) => ({
      a: f.where('a'),
      b: f.where('b'),
      c: f.isNull('c'),
      d: f.in('d'),
      artistId: f.where(),
      missing: f.where('missing' as never),
      pivot: f.where('pivot.a' as never),
      path: f.through('artist.b'),
      nowhere: f.through('nobody.b'),
      deaf: f.has('nobody'),
    }),
    sorts: (s) => ({ a: s.field('a'), b: s.field('b'), artistId: s.field() }),
  })
  const vocabulary = primaryVocabulary(typeOf(served([declared]), 'albums'))

  test.each([
    ['a', true],
    ['b', false],
    ['c', true],
    ['d', true],
    ['artistId', true],
    ['missing', true],
    ['pivot', true],
    ['path', true],
    ['nowhere', true],
    ['deaf', true],
  ])('%s: refused %j', async (key, expected) => {
    expect(await isRefused(key, requestContext(), vocabulary)).toBe(expected)
  })

  test('sorts behave the same', async () => {
    const reading = { context: requestContext(), cursor: false, parameter: 'sort' }
    expect(await refusal(() => readOrders(['b'], vocabulary, reading))).toEqual([])
    expect(await refusal(() => readOrders(['a'], vocabulary, reading))).toHaveLength(1)
    expect(await refusal(() => readOrders(['artistId'], vocabulary, reading))).toHaveLength(1)
  })
})
