import { expectErrors } from 'ashlar/testing'
import { describe, expect } from 'vitest'
import { shown } from '../../support/shown.js'
import { album, artist, batchWorld, newArtist, renaming, track } from './batch-world.js'
import { statement } from './statement.js'

/** https://jsonapi.org/ext/atomic/#specific-operations */

const playlist = { type: 'playlists', id: 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c' }
const toOne = { ...album('1'), relationship: 'artist' }
const toMany = { ...playlist, relationship: 'tracks' }
const toManyPath = `/playlists/${playlist.id}/relationships/tracks`

describe('a to-one relationship', () => {
  statement(
    'to-one-target',
    'a to-one relationship is named by ref, or by the href of its relationship link',
    async () => {
      const { api, send } = batchWorld()
      const { resource } = await api.get('/albums/1')
      const self = resource.relationships?.['artist']?.links?.['self']
      for (const [target, data] of [
        [{ ref: toOne }, artist('2')],
        [{ href: '/albums/1/relationships/artist' }, artist('3')],
        [{ href: self }, artist('1')],
      ] as const) {
        expect((await send({ op: 'update', ...target, data })).status).toBe(200)
        expect((await api.get('/albums/1/artist')).resource).toMatchObject(data)
      }
      expectErrors(await send({ op: 'update', href: '/albums/1/artist', data: artist('2') }), [
        { status: 400, code: 'ATOMIC_HREF_UNRESOLVABLE', pointer: '/atomic:operations/0/href' },
      ])
    },
  )

  statement(
    'to-one-operation',
    'a to-one relationship is updated with an identifier, a lid or null; add and remove are refused',
    async () => {
      const { api, send, rows } = batchWorld()
      expect((await send({ op: 'update', ref: toOne, data: null })).results).toEqual([{ data: null }])
      expect((await api.get('/albums/1/artist')).document?.data).toBeNull()
      const { results } = await send(
        { op: 'add', data: { ...newArtist('Portishead'), lid: 'new' } },
        { op: 'update', ref: toOne, data: { type: 'artists', lid: 'new' } },
      )
      expect((await api.get('/albums/1/artist')).resource).toEqual(results[0]?.data)
      const before = await rows()
      for (const op of ['add', 'remove']) {
        expectErrors(await send({ op, ref: toOne, data: artist('2') }), [
          { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/0/data' },
        ])
        expectErrors(await send({ op, ref: toOne, data: [artist('2')] }), [
          { status: 400, code: 'RELATIONSHIP_TYPE_INAPPROPRIATE', pointer: '/atomic:operations/0/data' },
        ])
      }
      expectErrors(await send({ op: 'update', ref: toOne }), [
        { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/0' },
      ])
      expectErrors(await send({ op: 'update', ref: toOne, data: [artist('2')] }), [
        { status: 400, code: 'RELATIONSHIP_TYPE_INAPPROPRIATE', pointer: '/atomic:operations/0/data' },
      ])
      expect(await rows()).toEqual(before)
    },
  )

  statement(
    ['to-one-result', 'to-one-204'],
    'the result has the new identifier, or null, and the batch is 200',
    async () => {
      const { send } = batchWorld()
      const { status, results } = await send(
        { op: 'update', ref: toOne, data: artist('2') },
        { op: 'update', ref: toOne, data: null },
      )
      expect([status, results]).toEqual([200, [{ data: artist('2') }, { data: null }]])
    },
  )

  statement(
    ['to-one-failure', 'to-one-failure-document'],
    'an update of a to-one relationship that fails has the same error document as a single request',
    async () => {
      const { send, rows } = batchWorld()
      const before = await rows()
      for (const [operation, expected] of [
        [
          { ref: toOne, data: artist('99') },
          { status: 404, pointer: '/atomic:operations/1/data' },
        ],
        [
          { ref: toOne, data: track('1') },
          { status: 409, pointer: '/atomic:operations/1/data/type' },
        ],
        [
          { ref: { ...album('99'), relationship: 'artist' }, data: null },
          { status: 404, pointer: '/atomic:operations/1' },
        ],
        [
          { ref: { ...album('1'), relationship: 'producer' }, data: null },
          { status: 404, pointer: '/atomic:operations/1' },
        ],
      ] as const) {
        expectErrors(await send(renaming('1', 'On a Friday'), { op: 'update', ...operation }), [expected])
      }
      expect(await rows()).toEqual(before)
    },
  )
})

describe('a to-many relationship', () => {
  statement(
    'to-many-target',
    'a to-many relationship is named by ref, or by the href of its relationship link',
    async () => {
      const { api, send } = batchWorld()
      for (const [target, data] of [
        [{ ref: toMany }, track('2')],
        [{ href: toManyPath }, track('4')],
        [{ href: `http://localhost${toManyPath}` }, track('1')],
      ] as const) {
        expect((await send({ op: 'update', ...target, data: [data] })).status).toBe(200)
        expect(shown((await api.get(toManyPath)).document?.data)).toEqual(shown(data))
      }
    },
  )

  statement('to-many-add', 'the op add adds members, none of them twice', async () => {
    const { api, send } = batchWorld()
    await send({ op: 'add', ref: toMany, data: [track('4'), track('1')] })
    expect(shown((await api.get(toManyPath)).document?.data).toSorted()).toEqual([
      'tracks 1',
      'tracks 3',
      'tracks 4',
      'tracks 5',
    ])
  })

  statement('to-many-replace', 'the op update replaces all members by the given ones', async () => {
    const { api, send } = batchWorld()
    await send({ op: 'update', ref: toMany, data: [track('2'), track('1')] })
    expect(shown((await api.get(toManyPath)).document?.data).toSorted()).toEqual(['tracks 1', 'tracks 2'])
    await send({ op: 'update', ref: toMany, data: [] })
    expect((await api.get(toManyPath)).document?.data).toEqual([])
  })

  statement('to-many-remove', 'the op remove removes the given members, and deletes no resource', async () => {
    const { api, send } = batchWorld()
    await send({ op: 'remove', ref: toMany, data: [track('1'), track('2')] })
    expect(shown((await api.get(toManyPath)).document?.data).toSorted()).toEqual(['tracks 3', 'tracks 5'])
    for (const known of ['1', '2']) expect((await api.get(`/tracks/${known}`)).status).toBe(200)
  })

  statement(
    ['to-many-add', 'to-many-replace', 'to-many-remove'],
    'the data is a list of members, which may be resources that the batch has created',
    async () => {
      const { api, send, rows } = batchWorld()
      const data = {
        type: 'tracks',
        lid: 'new',
        attributes: { title: 'Roads', trackNumber: 1, durationSeconds: 302, explicit: false, genres: ['trip hop'] },
      }
      const lid = { type: 'tracks', lid: 'new' }
      const { results } = await send(
        { op: 'add', data },
        { op: 'add', ref: toMany, data: [lid] },
        { op: 'remove', ref: toMany, data: [lid, track('5')] },
        { op: 'update', ref: toMany, data: [track('5'), lid] },
      )
      const [{ data: created } = {}] = results
      expect(shown((await api.get(toManyPath)).document?.data).toSorted()).toEqual(
        [...shown(created), 'tracks 5'].toSorted(),
      )
      const before = await rows()
      for (const op of ['add', 'remove']) {
        for (const none of [null, track('1'), 'tracks']) {
          expectErrors(await send({ op, ref: toMany, data: none }), [
            { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/0/data' },
          ])
        }
      }
      for (const none of [null, track('1')]) {
        expectErrors(await send({ op: 'update', ref: toMany, data: none }), [
          { status: 400, code: 'RELATIONSHIP_TYPE_INAPPROPRIATE', pointer: '/atomic:operations/0/data' },
        ])
      }
      expect(await rows()).toEqual(before)
    },
  )

  statement(['to-many-result', 'to-many-204'], 'the result has the new members, and the batch is 200', async () => {
    const { send } = batchWorld()
    const { status, results } = await send(
      { op: 'update', ref: toMany, data: [track('2')] },
      { op: 'add', ref: toMany, data: [track('4')] },
      { op: 'remove', ref: toMany, data: [track('2'), track('4')] },
    )
    expect(status).toBe(200)
    expect(results.map(({ data }) => shown(data).toSorted())).toEqual([['tracks 2'], ['tracks 2', 'tracks 4'], []])
  })

  statement(
    ['to-many-failure', 'to-many-failure-document'],
    'a change of a to-many relationship that fails has the same error document as a single request',
    async () => {
      const { send, rows } = batchWorld()
      const before = await rows()
      const first = { op: 'add', ref: toMany, data: [track('4')] }
      const barred = { ...track('1'), relationship: 'playlists' }
      for (const [operation, expected] of [
        [
          { op: 'add', ref: toMany, data: [track('1'), track('99')] },
          { status: 404, pointer: '/atomic:operations/1/data/1' },
        ],
        [
          { op: 'update', ref: toMany, data: [artist('1')] },
          { status: 409, pointer: '/atomic:operations/1/data/0/type' },
        ],
        [
          { op: 'update', ref: barred, data: [] },
          { status: 403, pointer: '/atomic:operations/1/data' },
        ],
        [
          { op: 'remove', ref: { ...toMany, relationship: 'x' }, data: [] },
          { status: 404, pointer: '/atomic:operations/1' },
        ],
      ] as const) {
        expectErrors(await send(first, operation), [expected])
      }
      expect(await rows()).toEqual(before)
    },
  )
})
