import { documentProblems } from 'ashlar/testing'
import type { DocumentExpectation } from '../../src/tools/format/inspection/inspect-document.js'
import { describe, expect, test } from 'vitest'

const album = { type: 'albums', id: '1' }
const artist = { type: 'artists', id: '1' }

describe('documentProblems() finds nothing wrong with', () => {
  test.each<[string, unknown, DocumentExpectation?]>([
    ['an empty collection', { data: [] }],
    ['an empty to-one', { data: null }],
    ['nothing but meta', { meta: { any: { '': [] } } }, { kind: 'meta' }],
    ['a full resource', { data: { ...album, attributes: { title: 'x' }, links: { self: '/albums/1' }, meta: {} } }],
    ['linkage', { data: [album, artist], links: { self: '/a', related: '/b' } }, { kind: 'identifier' }],
    [
      'a compound document',
      {
        data: { ...album, relationships: { artist: { data: artist } } },
        included: [{ ...artist, relationships: { albums: { links: { related: '/x' }, data: [album] } } }],
      },
    ],
    [
      'a chain of included resources',
      {
        data: { ...album, relationships: { artist: { data: artist } } },
        included: [
          { ...artist, relationships: { home: { data: { type: 'places', id: '1' } } } },
          { type: 'places', id: '1' },
        ],
      },
    ],
    ['an included resource whose linkage a fieldset left out', { data: [], included: [artist] }, { fieldsets: true }],
    [
      'an included resource whose linkage a fieldset of its owner may have left out',
      { data: { ...album, attributes: {} }, included: [artist] },
      { fieldsets: ['albums'] },
    ],
    [
      'an included resource whose linkage a fieldset within the path may have left out',
      {
        data: { ...album, relationships: { artist: { data: artist } } },
        included: [artist, { type: 'places', id: '1' }],
      },
      { fieldsets: ['artists'] },
    ],
    [
      'pages of a collection',
      { data: [], links: { self: '/a', first: '/a', last: null, prev: null, next: '/b' }, meta: { page: {} } },
    ],
    [
      'pages of linkage',
      { data: [album], links: { self: '/a', related: '/b', first: '/a', next: '/c' } },
      { kind: 'identifier' },
    ],
    [
      'pages of a relationship to many, loaded or not',
      {
        data: {
          ...album,
          relationships: {
            tracks: {
              links: { related: '/x', first: '/x', next: '/y' },
              data: [{ type: 'tracks', id: '1', meta: { pivot: {} } }],
              meta: { total: 2 },
            },
            guests: { links: { self: '/z', next: '/z' } },
          },
        },
      },
    ],
    ['a single resource whose other pages are not available', { data: album, links: { next: null } }],
    [
      'included resources of linkage',
      { data: [artist], included: [{ ...artist, attributes: { a: 1 } }] },
      { kind: 'identifier' },
    ],
    [
      'every form of a link',
      {
        data: null,
        links: {
          self: 'https://music.example/a?b%5Bc%5D=%20#d',
          prev: null,
          describedby: {
            href: '/schema',
            rel: 'describedby',
            title: 'x',
            type: 'text/html',
            hreflang: ['en', 'de'],
            describedby: '/y',
            meta: {},
          },
        },
      },
    ],
    ['@-members', { '@context': 1, data: { ...album, '@id': 5, attributes: { '@x': 1 } } }],
    ['a jsonapi object', { data: null, jsonapi: { version: '1.1', profile: ['https://music.example/p'], meta: {} } }],
    ['members of an applied extension', { 'atomic:results': [{}] }, { extensions: ['https://jsonapi.org/ext/atomic'] }],
    [
      'a full error',
      {
        errors: [
          {
            id: 'a',
            status: '422',
            code: 'X',
            title: 't',
            detail: '',
            source: { pointer: '/data/a~1b' },
            links: { about: '/a', type: { href: '/b' } },
            meta: {},
          },
        ],
      },
      { status: 422, kind: 'error' },
    ],
    ['errors of several statuses', { errors: [{ status: '404' }, { status: '422' }] }, { status: 400 }],
  ])('%s', (_name, document, expected) => {
    expect(documentProblems(document, expected)).toEqual([])
  })
})

describe('documentProblems() finds', () => {
  test.each<[string, unknown, string, DocumentExpectation?]>([
    ['a document that is no object', [], ''],
    ['a document that is null', null, ''],
    ['an empty document', {}, ''],
    ['data together with errors', { data: null, errors: [{ status: '400' }] }, ''],
    ['included without data', { meta: {}, included: [] }, '/included'],
    ['an unknown top-level member', { data: null, links2: {} }, '/links2'],
    ['a member of an extension that is not applied', { data: null, 'atomic:results': [] }, '/atomic:results'],
    ['data that is no resource', { data: 5 }, '/data'],
    ['a resource without a type', { data: { id: '1' } }, '/data'],
    ['a resource without an id', { data: { type: 'albums' } }, '/data'],
    ['an id that is no string', { data: { type: 'albums', id: 1 } }, '/data/id'],
    ['a type that is no member name', { data: { type: 'al/bums', id: '1' } }, '/data/type'],
    ['an unknown member of a resource', { data: { ...album, href: '/x' } }, '/data/href'],
    ['attributes that are no object', { data: [{ ...album, attributes: [] }] }, '/data/0/attributes'],
    ['an attribute called id', { data: { ...album, attributes: { id: 1 } } }, '/data/attributes/id'],
    [
      'a relationship called type',
      { data: { ...album, relationships: { type: { meta: {} } } } },
      '/data/relationships/type',
    ],
    ['an illegal attribute name', { data: { ...album, attributes: { 'a.b': 1 } } }, '/data/attributes/a.b'],
    [
      'an attribute name with a hyphen at its end',
      { data: { ...album, attributes: { 'a-': 1 } } },
      '/data/attributes/a-',
    ],
    [
      'one name for an attribute and a relationship',
      { data: { ...album, attributes: { a: 1 }, relationships: { a: { data: null } } } },
      '/data/relationships/a',
    ],
    ['an empty relationship', { data: { ...album, relationships: { a: {} } } }, '/data/relationships/a'],
    [
      'an unknown member of a relationship',
      { data: { ...album, relationships: { a: { id: 1, meta: {} } } } },
      '/data/relationships/a/id',
    ],
    [
      'relationship links without self and related',
      { data: { ...album, relationships: { a: { links: { first: '/x' } } } } },
      '/data/relationships/a/links',
    ],
    ['linkage with attributes', { data: { ...album, attributes: {} } }, '/data/attributes', { kind: 'identifier' }],
    [
      'an identifier without an id',
      { data: { ...album, relationships: { a: { data: [{ type: 'a' }] } } } },
      '/data/relationships/a/data/0',
    ],
    ['meta that is no object', { meta: [] }, '/meta'],
    ['a link that is a number', { data: null, links: { self: 5 } }, '/links/self'],
    ['a link that is no URI', { data: null, links: { self: '/a b' } }, '/links/self'],
    ['a link with brackets', { data: null, links: { self: '/a?b[c]=d' } }, '/links/self'],
    ['a link with a broken escape', { data: null, links: { self: '/a%2' } }, '/links/self'],
    ['a link object without href', { data: null, links: { self: { title: 'x' } } }, '/links/self'],
    ['an unknown member of a link object', { data: null, links: { self: { href: '/', id: 1 } } }, '/links/self/id'],
    ['links that are no object', { data: null, links: [] }, '/links'],
    ['an unknown member of jsonapi', { data: null, jsonapi: { name: 'x' } }, '/jsonapi/name'],
    ['a profile that is no URI', { data: null, jsonapi: { profile: ['x y'] } }, '/jsonapi/profile/0'],
    ['an included resource that nothing links to', { data: album, included: [artist] }, '/included/0'],
    [
      'included resources that link to each other only',
      { data: album, included: [{ ...artist, relationships: { a: { data: artist } } }] },
      '/included/0',
    ],
    [
      'an included resource that nothing links to, whatever fieldsets other types have',
      { data: { ...album, relationships: { artist: { data: null } } }, included: [artist] },
      '/included/0',
      { fieldsets: ['artists', 'places'] },
    ],
    ['a single resource with pages', { data: album, links: { self: '/a', next: '/b' } }, '/links/next'],
    ['nothing with pages', { data: null, links: { first: '/b' } }, '/links/first'],
    [
      'a relationship to one with pages',
      { data: { ...album, relationships: { artist: { data: artist, links: { self: '/a', last: '/b' } } } } },
      '/data/relationships/artist/links/last',
    ],
    [
      'a bare resource that is primary and included',
      { data: [album], included: [album] },
      '/included/0',
      { kind: 'data' },
    ],
    [
      'a resource that is primary and included',
      {
        data: { ...album, attributes: {}, relationships: { twin: { data: album } } },
        included: [album],
      },
      '/included/0',
    ],
    [
      'a resource twice',
      {
        data: [
          { ...album, attributes: {} },
          { ...album, attributes: {} },
        ],
      },
      '/data/1',
    ],
    ['no error at all', { errors: [] }, '/errors'],
    ['an empty error', { errors: [{}] }, '/errors/0'],
    ['an unknown member of an error', { errors: [{ status: '400', message: 'x' }] }, '/errors/0/message'],
    ['a status that is a number', { errors: [{ status: 400 }] }, '/errors/0/status'],
    ['a status that is no error', { errors: [{ status: '200' }] }, '/errors/0/status'],
    ['another status than that of the response', { errors: [{ status: '404' }] }, '/errors', { status: 400 }],
    ['an unknown member of a source', { errors: [{ source: { line: 1 } }] }, '/errors/0/source/line'],
    ['an invalid pointer', { errors: [{ source: { pointer: 'data' } }] }, '/errors/0/source/pointer'],
    ['a pointer with a broken escape', { errors: [{ source: { pointer: '/a~2' } }] }, '/errors/0/source/pointer'],
    ['errors in a success', { errors: [{ title: 'x' }] }, '/errors', { status: 200 }],
    ['a failure without errors', { data: null }, '', { status: 404 }],
    ['data in a document of meta', { data: null, meta: {} }, '/data', { kind: 'meta' }],
  ])('%s', (_name, document, pointer, expected) => {
    expect(documentProblems(document, expected)).toContainEqual({ pointer, problem: expect.stringMatching(/\.$/) })
  })

  test('all problems together', () => {
    expect(documentProblems({ data: { id: 5, attributes: 1 }, meta: 1 })).toHaveLength(4)
  })
})
