import { belongsTo, defineResource, type FilterKit, hasMany, id, model, type RequestContext } from 'ashlar'
import type { FilterDeclaration } from '../../src/declare/resource/filters/filter-declaration.js'
import { describe, expect, test } from 'vitest'
import type { RowCondition } from '../../src/declare/resource/querying/row-condition.js'
import type { ServedType } from '../../src/declare/resource/capabilities/served-type.js'
import { scopeConditions } from '../../src/serve/read/query/scope-conditions.js'
import { withScopes } from '../../src/serve/read/rows/fill-scopes.js'
import { catalogue, requestContext, served, typeOf } from './served.js'
import { shown } from './shown.js'

type Row = { id: number; title: string; public: boolean; artistId: number | null }
type Kit = FilterKit<'id' | 'title' | 'public' | 'artistId'>

/** The conditions of the scope of a type in a request. */
function conditionsIn(type: ServedType, context: RequestContext): readonly RowCondition[] {
  return withScopes({ conditions: scopeConditions(type), context }).conditions
}

function scoped(scope: (f: Kit) => unknown): readonly string[] {
  const albums = defineResource('albums', {
    model: model<Row>('albums', { columns: ['id', 'title', 'public', 'artistId'] }),
    id: id(),
    attributes: (a) => ({ title: a.string(), public: a.boolean().hidden(), shout: a.string().computed(() => '') }),
    relations: { artist: belongsTo('artists'), critics: hasMany('artists').extractUsing(() => []) },
    scope: (_context, f) => scope(f as Kit) as FilterDeclaration | null,
  })
  const artists = defineResource('artists', {
    model: model<{ id: number; name: string; public: boolean }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string(), public: a.boolean() }),
    scope: (_context, f) => f.where('public').fixed('true'),
  })
  return conditionsIn(typeOf(served([albums, artists]), 'albums'), requestContext()).map(shown)
}

describe('a scope', () => {
  test.each<[string, (f: Kit) => unknown, readonly string[]]>([
    ['null lets all rows be', () => null, []],
    ['a fixed value', (f) => f.where('public').fixed(true), ['public = true']],
    ['a text as a client would write it', (f) => f.where('public').fixed('no'), ['public = false']],
    ['a set', (f) => f.in('title').fixed(['a', 'b']), ['title in ["a", "b"]']],
    ['a default', (f) => f.notIn('title').default('a,b'), ['title not in ["a", "b"]']],
    ['ids', (f) => f.idIn().fixed(['1']), ['id in ["1"]']],
    ['a test for null', (f) => f.isNotNull('artistId'), ['artistId is not null']],
    ['a custom one', (f) => f.custom({ matches: () => true }), ['custom null']],
    [
      'a path, which sees rows in the scope of the other type',
      (f) => f.through('artist.name').fixed('Björk'),
      ['artist:artists[public = true] → (name = "Björk")'],
    ],
    ['a relation', (f) => f.doesntHave('artist'), ['no artist:artists[public = true] → ()']],
    [
      'a group',
      (f) => f.any({ public: f.where().fixed(true), titled: f.isNotNull('title') }),
      ['any(public = true; title is not null)'],
    ],
    ['no rows at all', (f) => f.any({}), ['any()']],
  ])('%s', (_name, scope, expected) => {
    expect(scoped(scope)).toEqual(expected)
  })

  test.each<[string, (f: Kit) => unknown]>([
    ['returns nothing', () => undefined],
    ['returns something else', () => ({ public: true })],
    ['returns a promise', (f) => Promise.resolve(f.where('public').fixed(true))],
    ['rejects', () => Promise.reject(new Error('late'))],
    ['brings no value', (f) => f.where('public')],
    ['brings no value in a group', (f) => f.all({ public: f.where() })],
    ['is a range', (f) => f.range('artistId')],
    ['names nothing', (f) => f.isNull()],
    ['names no column', (f) => f.isNull('pulbic' as never)],
    ['names a field without a column', (f) => f.where('shout' as never).fixed('A')],
    ['names no relation', (f) => f.doesntHave('atrist')],
    ['names a relation that a function reads', (f) => f.doesntHave('critics')],
    ['names an unknown relation', (f) => f.through('artist').fixed('x')],
    ['is written in vain', (f) => f.isNull('title').fixed(1)],
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
  ])('that %s is applied to every read', (_name, scope) => {
    expect(() => scoped(scope)).toThrow(Error)
  })

  test('scopes that refer to each other are an error, and no endless recursion', () => {
    const albums = defineResource('albums', {
      model: model<{ id: number; artistId: number }>('albums'),
      id: id(),
      relations: { artist: belongsTo('artists') },
      scope: (_context, f) => f.has('artist'),
    })
    const artists = defineResource('artists', {
      model: model<{ id: number }>('artists'),
      id: id(),
      relations: { albums: hasMany('albums').via('artistId') },
      scope: (_context, f) => f.has('albums'),
    })
    const type = typeOf(served([albums, artists]), 'albums')
    expect(() => conditionsIn(type, requestContext())).toThrow(/'albums', 'artists', 'albums' refer to each other/)
  })

  test('is called with the request', () => {
    const labels = typeOf(catalogue(), 'labels')
    expect(conditionsIn(labels, requestContext('yes'))).toEqual([])
    expect(conditionsIn(labels, requestContext('no')).map(shown)).toEqual(['public = true'])
  })

  test('a type without one has all its rows', () => {
    expect(conditionsIn(typeOf(catalogue(), 'tracks'), requestContext())).toEqual([])
  })
})
