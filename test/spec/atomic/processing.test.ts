import { id, noContent } from 'ashlar'
import { expectErrors, type TestError } from 'ashlar/testing'
import { describe, expect } from 'vitest'
import { album, artist, batchWorld, headers, idIn, labelWorld, newArtist, renaming, track } from './batch-world.js'
import { statement } from './statement.js'

/** https://jsonapi.org/ext/atomic/#processing */

const failing = { op: 'update', ref: artist('2'), data: { ...artist('2'), attributes: { name: '' } } }

const unplaced = ({ status, code, title, detail }: TestError) => ({ status, code, title, detail })

/** One operation of every kind. */
const batch = [
  { op: 'add', data: { ...newArtist('Portishead'), lid: 'new' } },
  renaming('1', 'On a Friday'),
  { op: 'update', ref: { ...album('1'), relationship: 'artist' }, data: { type: 'artists', lid: 'new' } },
  { op: 'add', ref: { ...album('4'), relationship: 'tracks' }, data: [track('1')] },
  { op: 'remove', ref: { ...album('1'), relationship: 'tracks' }, data: [track('2'), track('6')] },
  { op: 'remove', ref: track('3') },
]

describe('a batch', () => {
  statement('processing-post', 'the endpoint supports POST; other methods are 405 with Allow', async () => {
    const { api } = batchWorld()
    for (const method of ['GET', 'PATCH', 'DELETE', 'PUT']) {
      const response = await api.request(method, '/operations')
      expectErrors(response, [{ status: 405 }])
      expect(response.headers.get('Allow')).toBe('POST, OPTIONS')
    }
    const options = await api.request('OPTIONS', '/operations')
    expect([options.status, options.headers.get('Allow')]).toEqual([204, 'POST, OPTIONS'])
    const body = { 'atomic:operations': [renaming('1', 'On a Friday')] }
    expectErrors(await api.patch('/operations', { body, headers }), [{ status: 405 }])
    expect((await api.get('/artists/1')).resource.attributes).toMatchObject({ name: 'Radiohead' })
  })

  statement(
    'processing-order',
    'operations run in their order, and each sees the changes of earlier ones',
    async () => {
      const { api, send } = batchWorld()
      const renamings = ['a', 'b', 'c'].map((name) => renaming('1', name))
      const removal = { op: 'remove', ref: artist('1') }
      const { results } = await send(...renamings)
      expect(results.map(({ data }) => data)).toMatchObject(['a', 'b', 'c'].map((name) => ({ attributes: { name } })))
      expect((await api.get('/artists/1')).resource.attributes).toMatchObject({ name: 'c' })
      const late = await send(
        { op: 'update', ref: { ...artist('1'), relationship: 'albums' }, data: [] },
        removal,
        ...renamings,
      )
      expectErrors(late, [{ status: 404, code: 'RESOURCE_NOT_FOUND', pointer: '/atomic:operations/2' }])
    },
  )

  statement('processing-atomic', 'a failure of any operation rolls back all of them', async () => {
    const { send, rows } = batchWorld()
    const before = await rows()
    for (const position of [...batch.keys(), batch.length]) {
      expectErrors(await send(...batch.slice(0, position), failing, ...batch.slice(position)), [
        { status: 422, pointer: `/atomic:operations/${position}/data/attributes/name` },
      ])
      expect(await rows()).toEqual(before)
    }
    expect((await send(...batch)).status).toBe(200)
    expect(await rows()).not.toEqual(before)
  })

  statement(
    ['processing-200', 'processing-results', 'processing-results-length', 'processing-results-positions'],
    'a batch is 200 with a result for each operation, at the same position',
    async () => {
      const { send, api } = batchWorld()
      const { status, results, document } = await send(...batch)
      expect(status).toBe(200)
      expect(document?.['atomic:results']).toHaveLength(batch.length)
      const [added, ...others] = results
      const known = idIn(added)
      expect(added?.data).toMatchObject({ type: 'artists', attributes: { name: 'Portishead' } })
      expect(others).toEqual([
        { data: expect.objectContaining(artist('1')) },
        { data: artist(known) },
        { data: ['1', '5', '10', '11', '12'].map((each) => ({ ...track(each), meta: { served_by: 'music' } })) },
        { data: [] },
        {},
      ])
      expect((await api.get('/albums/1/artist')).resource).toMatchObject(artist(known))
    },
  )

  statement('processing-204', 'if all results are empty, the batch is 204 without a body', async () => {
    const { send, rows } = batchWorld()
    const { tracks } = await rows()
    const response = await send({ op: 'remove', ref: track('1') }, { op: 'remove', ref: track('2') })
    expect([response.status, response.text]).toEqual([204, ''])
    expect(response.headers.has('Content-Type')).toBe(false)
    expect((await rows())['tracks']).toHaveLength((tracks?.length ?? 0) - 2)
    const mixed = await send({ op: 'remove', ref: track('3') }, renaming('1', 'On a Friday'))
    expect([mixed.status, mixed.results[0]]).toEqual([200, {}])
  })

  statement('processing-204', 'a batch of types that respond to writes without a document is 204 too', async () => {
    const { send, rows } = labelWorld(id().allowClientId(), { create: noContent(), update: noContent() })
    const label = { type: 'labels', id: 'warp', attributes: { name: 'Warp' } }
    const response = await send(
      { op: 'add', data: label },
      { op: 'update', data: { ...label, attributes: { name: 'W' } } },
    )
    expect([response.status, response.text]).toEqual([204, ''])
    expect((await rows())['labels']).toHaveLength(2)
  })
})

/** https://jsonapi.org/ext/atomic/#processing-errors */
describe('a failure', () => {
  statement(
    'errors-response',
    'a failure has the status of the first operation that fails, the same as in a single request',
    async () => {
      const { api, send } = batchWorld()
      const duplicate = { ...newArtist('Another', 'bjork') }
      const [conflict, missing, invalid] = await Promise.all([
        api.post('/artists', { body: { data: duplicate } }),
        api.delete('/artists/99'),
        api.patch('/artists/2', { body: { data: failing.data } }),
      ])
      for (const [single, operation] of [
        [conflict, { op: 'add', data: duplicate }],
        [missing, { op: 'remove', ref: artist('99') }],
        [invalid, failing],
      ] as const) {
        const { status, errors } = await send(renaming('1', 'On a Friday'), operation, renaming('99', 'Nobody'))
        expect(status).toBe(single.status)
        expect(errors.map(unplaced)).toEqual(single.errors.map(unplaced))
      }
    },
  )

  statement(
    'errors-pointers',
    'every error has a pointer into the sent document: to the member, or to the operation',
    async () => {
      const { send } = batchWorld()
      const faulty = { type: 'artists', attributes: { name: '', slug: 'not a slug' } }
      expectErrors(await send(renaming('1', 'On a Friday'), { op: 'add', data: faulty }), [
        { status: 422, pointer: '/atomic:operations/1/data/attributes/name' },
        { status: 422, pointer: '/atomic:operations/1/data/attributes/slug' },
      ])
      expectErrors(await send({ op: 'remove', ref: artist('99') }), [{ status: 404, pointer: '/atomic:operations/0' }])
      const strangers = { op: 'add', ref: { ...album('1'), relationship: 'tracks' }, data: [track('1'), artist('1')] }
      expectErrors(await send(renaming('1', 'On a Friday'), strangers), [
        { status: 409, pointer: '/atomic:operations/1/data/1/type' },
      ])
    },
  )

  statement(
    'errors-pointers',
    'all errors in the structure of a batch are reported in one response, before anything runs',
    async () => {
      const { send, rows } = batchWorld()
      const before = await rows()
      const response = await send(
        renaming('1', 'On a Friday'),
        { op: 'replace' },
        { op: 'add', data: { attributes: {} } },
        { op: 'remove', href: '/producers/1' },
        { op: 'update', ref: { type: 'artists', lid: 'nobody' }, data: { type: 'artists', lid: 'nobody' } },
      )
      expect(response.errors.map(({ code, source }) => [code, source?.pointer])).toEqual([
        ['ATOMIC_OPERATIONS_INVALID', '/atomic:operations/1/op'],
        ['RESOURCE_TYPE_MISSING', '/atomic:operations/2/data'],
        ['ATOMIC_HREF_UNRESOLVABLE', '/atomic:operations/3/href'],
        ['LOCAL_ID_NOT_FOUND', '/atomic:operations/4/ref/lid'],
        ['LOCAL_ID_NOT_FOUND', '/atomic:operations/4/data/lid'],
      ])
      expect(await rows()).toEqual(before)
    },
  )
})
