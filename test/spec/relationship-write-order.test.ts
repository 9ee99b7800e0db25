import { belongsTo, hasMany, id } from 'ashlar'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { linkageWriter, one, some } from '../support/linkage-writer.js'
import { linkedMusic } from '../support/linked-music.js'

/** The possible errors of a request, in the order in which they are reported. */
const faults = [
  { name: 'a query that makes no sense', status: 400, code: 'SORTING_UNSUPPORTED' },
  { name: 'no such resource', status: 404, code: 'RESOURCE_NOT_FOUND' },
  { name: 'no identifier', status: 400, code: 'RESOURCE_IDENTIFIER_TYPE_MISSING' },
  { name: 'a gate', status: 403, code: 'ADDITION_PROHIBITED' },
  { name: 'a type that is not accepted', status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE' },
  { name: 'an id of another form', status: 422, code: 'VALIDATION_FAILED' },
  { name: 'no such related resource', status: 404, code: 'RELATED_RESOURCE_NOT_FOUND' },
] as const

type Fault = (typeof faults)[number]

const identifiers: Partial<Record<Fault['code'], object>> = {
  RESOURCE_IDENTIFIER_TYPE_MISSING: { id: '3' },
  RESOURCE_TYPE_UNACCEPTABLE: one('artists', '1'),
  VALIDATION_FAILED: one('tracks', 'x'),
  RELATED_RESOURCE_NOT_FOUND: one('tracks', '99'),
}

/** Adds to the tracks of an album, with all of these errors together. */
function faulty(sent: readonly Fault[]): Promise<TestResponse> {
  const has = (code: Fault['code']): boolean => sent.some((fault) => fault.code === code)
  const tracks = has('ADDITION_PROHIBITED') ? hasMany('tracks').cannotAdd() : hasMany('tracks')
  const api = linkageWriter(linkedMusic({ over: { albums: { tracks } }, members: { tracks: { id: id().numeric() } } }))
  const path = has('RESOURCE_NOT_FOUND') ? '/albums/99' : '/albums/1'
  const query = has('SORTING_UNSUPPORTED') ? '?sort=title' : ''
  const data = [...some('tracks', '3'), ...sent.flatMap(({ code }) => identifiers[code] ?? [])]
  return api.post(`${path}/relationships/tracks${query}`, { body: { data } })
}

describe('if a write of linkage has two errors', () => {
  const pairs = faults.flatMap((first, index) => faults.slice(index + 1).map((second) => [first, second] as const))

  test.each(pairs.map(([first, second]) => ({ first, second })))(
    '$first.name is reported before $second.name',
    async ({ first, second }) => {
      const { code, status } = first
      expectErrors(await faulty([second, first]), [{ code, status }])
      expectErrors(await faulty([second]), [{ code: second.code, status: second.status }])
    },
  )

  test('an unknown relation is reported before an unknown resource, as for a read', async () => {
    const api = linkageWriter(linkedMusic())
    expectErrors(await api.replace('/albums/99/nonsense', []), [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS' }])
    expectErrors(await api.get('/albums/99/relationships/nonsense'), [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS' }])
  })

  test('a read-only relation is reported after an unknown resource, and before errors of the body', async () => {
    const api = linkageWriter(linkedMusic({ over: { albums: { tracks: hasMany('tracks').readOnly() } } }))
    expectErrors(await api.add('/albums/99/tracks', []), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    expectErrors(await api.add('/albums/1/tracks', [{}]), [{ status: 403, code: 'RELATIONSHIP_READ_ONLY' }])
    const { errors } = await api.patch('/albums/1/relationships/tracks', { body: {} })
    expect(errors).toMatchObject([{ code: 'RELATIONSHIP_READ_ONLY' }])
  })

  test('the bounds of the set are reported with the ids', async () => {
    const over = { albums: { tracks: hasMany('tracks').maxItems(2) } }
    const api = linkageWriter(linkedMusic({ over, members: { tracks: { id: id().numeric() } } }))
    expectErrors(await api.add('/albums/1/tracks', some('tracks', '99', 'x')), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/1/id' },
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data' },
    ])
  })
})

describe('if relationships in a resource have two errors', () => {
  const relations = { artist: belongsTo('artists').cannotReplace(), tracks: hasMany('tracks') }
  const members = { albums: { attributes: titledAtMost12 }, tracks: { id: id().numeric() } }
  const write = (relationships: object, path = '/albums/1', attributes: object = {}) => {
    const body = { data: { type: 'albums', id: path.slice(8), attributes, relationships } }
    return linkageWriter(linkedMusic({ over: { albums: relations }, members })).patch(path, { body })
  }

  test('an invalid identifier is reported before an unknown resource', async () => {
    expectErrors(await write({ tracks: { data: [{}] } }, '/albums/99'), [
      { status: 400, code: 'RESOURCE_IDENTIFIER_TYPE_MISSING' },
      { status: 400, code: 'RESOURCE_IDENTIFIER_ID_MISSING' },
    ])
  })

  test('an unknown resource before a gate', async () => {
    expectErrors(await write({ artist: { data: one('artists', '2') } }, '/albums/99'), [
      { status: 404, code: 'RESOURCE_NOT_FOUND' },
    ])
  })

  test('a gate before a type that is not accepted', async () => {
    const gate = { artist: { data: one('artists', '2') }, tracks: { data: [one('albums', '2')] } }
    expectErrors(await write(gate), [{ status: 403, code: 'FULL_REPLACEMENT_PROHIBITED' }])
  })

  test('a type that is not accepted before errors of values', async () => {
    const type = { tracks: { data: [one('albums', '2'), one('tracks', 'x')] } }
    expectErrors(await write(type, '/albums/1', { title: 'Much too long' }), [
      { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: '/data/relationships/tracks/data/0/type' },
    ])
  })

  test('errors of values before a related resource that does not exist', async () => {
    const missing = { tracks: { data: some('tracks', '99') } }
    expectErrors(await write(missing, '/albums/1', { title: 'Much too long' }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/title' },
    ])
    expectErrors(await write(missing), [{ status: 404, code: 'RELATED_RESOURCE_NOT_FOUND' }])
  })
})

function titledAtMost12(a: { string(): { maxLength(limit: number): unknown } }): object {
  return { title: a.string().maxLength(12) }
}
