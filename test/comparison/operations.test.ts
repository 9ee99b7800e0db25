import { atomic, id } from 'ashlar'
import { describe, expect, test } from 'vitest'
import {
  acting,
  albums,
  albumsInBothDirections,
  alike,
  bothDirections,
  changesFrom,
  contractOf,
  decorated,
  type Loose,
  type Members,
  oneAttribute,
  replaced,
  resource,
} from './compared.js'

const play = 'POST /albums/{id}/-actions/play'

test('types that are gone or new bring nothing else', () => {
  const both = { resources: [resource('albums'), resource('tags')] }
  expect(bothDirections(both, albums())).toEqual({
    forth: ['breaking type-removed tags'],
    back: ['safe type-added tags'],
  })
  const [found] = changesFrom(contractOf(both), contractOf(albums()))
  expect(found?.sentence).toBe("The type 'tags' is gone, with 5 operations.")
})

const withOwnIds = (settings: Members): Members => ({
  ...settings,
  openapi: {
    decorate: (document: object) =>
      JSON.parse(JSON.stringify(document).replaceAll(/"operationId":"[^"]*"/g, '"operationId":"x"')) as unknown,
  },
})

describe('operations', () => {
  test('that are gone or new', () => {
    const without = { operations: ['FetchCollection', 'FetchOne', 'Create', 'Update'] }
    expect(albumsInBothDirections({}, without)).toEqual({
      forth: ['breaking operation-removed DELETE /albums/{id}'],
      back: ['safe operation-added DELETE /albums/{id}'],
    })
  })

  test('of actions that are gone or new', () => {
    expect(albumsInBothDirections(acting({}), {}, 'operation-removed', 'operation-added')).toEqual({
      forth: [`breaking operation-removed ${play}`],
      back: [`safe operation-added ${play}`],
    })
  })

  test('at another path', () => {
    const { forth, back } = albumsInBothDirections({}, { uriType: 'records' })
    expect(forth).toHaveLength(5)
    expect(forth).toContain('breaking operation-moved GET /albums')
    expect(back).toContain('breaking operation-moved GET /records')
  })

  test('with another id', () => {
    const renamed = replaced('"operationId":"create.albums"', '"operationId":"addAlbum"')
    expect(bothDirections(albums(), renamed)).toEqual(alike('risky operation-id-changed POST /albums'))
  })

  test('whose ids are all of the application are compared by their paths', () => {
    const [before, after] = [albums({ attributes: oneAttribute }), albums({ attributes: () => ({}) })]
    expect(bothDirections(withOwnIds(before), withOwnIds(after))).toEqual({
      forth: ['breaking member-removed albums.title'],
      back: ['safe member-added albums.title'],
    })
  })
})

test('components with another name', () => {
  expect(bothDirections(albums(), replaced('AlbumsResource"', 'RecordResource"'))).toEqual(
    alike('risky component-renamed service'),
  )
})

const taking = (input: string): Members => acting({ input }, { attributes: oneAttribute })

const takingType = (inputType: string): Members => ({
  resources: ['albums', 'tags', 'orders'].map((type) =>
    resource(type, type === 'albums' ? acting({ input: 'document', inputType }) : { attributes: oneAttribute }),
  ),
})

const batches = (maxOperations: number): Members => albums({}, { extensions: [atomic({ maxOperations })] })

test('batches of atomic operations that are gone or new, or of fewer operations', () => {
  expect(bothDirections(batches(10), albums(), 'operation-removed', 'operation-added')).toEqual({
    forth: ['breaking operation-removed POST /operations'],
    back: ['safe operation-added POST /operations'],
  })
  expect(bothDirections(batches(10), batches(5))).toEqual({
    forth: ['breaking request-rule-tightened POST /operations'],
    back: ['safe request-rule-loosened POST /operations'],
  })
})

describe('bodies of requests', () => {
  const codes = [
    'body-required',
    'body-optional',
    'body-ignored',
    'request-media-type-removed',
    'request-media-type-added',
  ]

  test('that actions must have, or no longer read', () => {
    expect(albumsInBothDirections(taking('none'), taking('document'), ...codes)).toEqual({
      forth: [`breaking body-required ${play}`],
      back: [`risky body-ignored ${play}`],
    })
  })

  test('that actions need not have, with other media types', () => {
    const { forth, back } = albumsInBothDirections(taking('document'), taking('raw'), ...codes)
    expect(forth).toEqual([
      `breaking request-media-type-removed ${play}`,
      `safe body-optional ${play}`,
      `safe request-media-type-added ${play}`,
    ])
    expect(back).toContain(`breaking body-required ${play}`)
  })

  test('of another type', () => {
    expect(bothDirections(takingType('tags'), takingType('orders'))).toEqual(
      alike(`breaking value-type-changed ${play}`),
    )
  })
})

const withTenant = (required: boolean): Members =>
  decorated((document) => {
    const tenant = { name: 'X-Tenant', in: 'header', required, schema: { type: 'string' } }
    ;(document['paths']['/albums'].get.parameters as Loose[]).push(tenant)
  })

describe('headers and other parameters of requests', () => {
  const codes = [
    'precondition-required',
    'parameter-removed',
    'parameter-added',
    'parameter-required',
    'parameter-optional',
    'header-ignored',
  ]
  const versioned = { version: { column: 'lockVersion' } }

  test('that writes must have', () => {
    const required = { version: { column: 'lockVersion', required: true } }
    expect(albumsInBothDirections(versioned, required, ...codes)).toEqual({
      forth: ['breaking precondition-required albums'],
      back: ['safe parameter-optional albums'],
    })
  })

  test('that have no effect any more', () => {
    expect(albumsInBothDirections(versioned, {}, ...codes)).toEqual({
      forth: ['breaking parameter-removed albums', 'risky header-ignored GET /albums/{id}'],
      back: ['safe parameter-added GET /albums/{id}', 'safe parameter-added albums'],
    })
  })

  test('that protect repeated writes', () => {
    expect(bothDirections(albums({}, { idempotency: true }), albums(), ...codes)).toEqual({
      forth: ['breaking parameter-removed albums'],
      back: ['safe parameter-added albums'],
    })
  })

  test('that only a decorated document has', () => {
    expect(bothDirections(withTenant(false), withTenant(true))).toEqual({
      forth: ['breaking parameter-required GET /albums'],
      back: ['safe parameter-optional GET /albums'],
    })
  })

  test('the id in paths', () => {
    const { forth, back } = albumsInBothDirections({ id: id() }, { id: id().numeric() })
    expect(forth).toContain('breaking request-rule-tightened albums')
    expect(back).toContain('safe request-rule-loosened albums')
  })
})
