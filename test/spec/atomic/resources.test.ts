import { id, noContent } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect } from 'vitest'
import { album, artist, batchWorld, idIn, labelWorld, newArtist, renaming, track } from './batch-world.js'
import { statement } from './statement.js'

/** https://jsonapi.org/ext/atomic/#specific-operations */

const playlist = { type: 'playlists', id: 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c' }

describe('creating resources', () => {
  statement(
    'create-target',
    'a new resource may name its collection by href; otherwise its type names it',
    async () => {
      const { api, send } = batchWorld()
      const { results } = await send(
        { op: 'add', data: newArtist('Portishead') },
        { op: 'add', href: '/artists', data: newArtist('Tricky') },
        { op: 'add', href: 'http://localhost/artists', data: newArtist('Massive', 'massive') },
      )
      for (const [index, name] of ['Portishead', 'Tricky', 'Massive'].entries()) {
        const { resource } = await api.get(`/artists/${idIn(results[index])}`)
        expect(resource.attributes).toMatchObject({ name })
      }
    },
  )

  statement(
    'create-target',
    'a create refuses the href of an existing resource and of another collection',
    async () => {
      const { send, rows } = batchWorld()
      const before = await rows()
      const data = newArtist('Portishead')
      expectErrors(await send({ op: 'add', ref: artist('1'), data }, { op: 'add', href: '/artists/1', data }), [
        { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/0/ref' },
        { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/1/href' },
      ])
      expectErrors(await send({ op: 'add', href: '/albums', data }), [
        { status: 409, pointer: '/atomic:operations/0/data/type' },
      ])
      expect(await rows()).toEqual(before)
    },
  )

  statement('create-operation', 'the data of a new resource is a resource object; anything else is 400', async () => {
    const { send, rows } = batchWorld()
    const before = await rows()
    expectErrors(await send({ op: 'add' }, { op: 'add', href: '/artists' }), [
      { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/0' },
      { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/1' },
    ])
    const strange = [null, 'artists', 7, [newArtist('Portishead')]]
    expectErrors(
      await send(...strange.map((data) => ({ op: 'add', data }))),
      strange.map((_, index) => ({
        status: 400,
        code: 'ATOMIC_OPERATIONS_INVALID',
        pointer: `/atomic:operations/${index}/data`,
      })),
    )
    expect(await rows()).toEqual(before)
  })

  statement('create-type', 'a new resource must have its type, and the members that the type requires', async () => {
    const { send } = batchWorld()
    const { type: _, ...untyped } = newArtist('Portishead')
    expectErrors(await send({ op: 'add', data: untyped }, { op: 'add', href: '/artists', data: untyped }), [
      { status: 400, code: 'RESOURCE_TYPE_MISSING', pointer: '/atomic:operations/0/data' },
      { status: 400, code: 'RESOURCE_TYPE_MISSING', pointer: '/atomic:operations/1/data' },
    ])
    expect((await send({ op: 'add', data: { type: 'libraries' } })).results).toEqual([
      { data: expect.objectContaining({ type: 'libraries', id: expect.any(String) }) },
    ])
  })

  statement(
    'create-result-with-client-id',
    'the result has a resource whose id the client has sent, unless its type responds to creates without a document',
    async () => {
      const data = { type: 'labels', id: 'warp', attributes: { name: 'Warp' } }
      const [telling, silent] = [
        labelWorld(id().allowClientId()),
        labelWorld(id().allowClientId(), { create: noContent() }),
      ]
      expect((await telling.send({ op: 'add', data })).results).toEqual([{ data: expect.objectContaining(data) }])
      expect((await silent.send({ op: 'add', data })).status).toBe(204)
      expect(await silent.rows()).toEqual(await telling.rows())
    },
  )

  statement('create-result', 'the result has the resource as a GET of its self link shows it', async () => {
    const { api, send } = batchWorld()
    const relationships = { albums: { data: [album('1')] } }
    const { results } = await send(
      { op: 'add', data: newArtist('Portishead') },
      { op: 'add', data: { ...newArtist('Tricky'), relationships } },
    )
    for (const result of results) {
      const { resource } = await api.get(`/artists/${idIn(result)}`)
      expect(result).toEqual({ data: resource })
      expect(resource.links).toEqual({ self: `http://localhost/artists/${idIn(result)}` })
    }
    expect((await api.get('/albums/1/artist')).resource.id).toBe(idIn(results[1]))
  })

  statement(
    ['create-failure', 'create-failure-document'],
    'a create that fails has the same error document as a single request',
    async () => {
      const { send, rows } = batchWorld()
      const before = await rows()
      expectErrors(
        await send({ op: 'add', data: newArtist('Portishead') }, { op: 'add', data: newArtist('B', 'bjork') }),
        [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/atomic:operations/1/data/attributes/slug' }],
      )
      expectErrors(await send({ op: 'add', data: { ...newArtist('Portishead'), id: '77' } }), [
        { status: 403, code: 'CLIENT_GENERATED_ID_NOT_SUPPORTED', pointer: '/atomic:operations/0/data/id' },
      ])
      expectErrors(await send({ op: 'add', data: { type: 'countries' } }), [
        { status: 404, code: 'ATOMIC_TARGET_TYPE_UNKNOWN', pointer: '/atomic:operations/0/data/type' },
      ])
      expectErrors(await send({ op: 'add', data: { type: 'public-profiles' } }), [
        { status: 403, code: 'ATOMIC_OPERATION_NOT_EXPOSED', pointer: '/atomic:operations/0' },
      ])
      expect(await rows()).toEqual(before)
    },
  )
})

describe('updating resources', () => {
  statement('update-target', 'an update names its target by ref, by href, or by the id in its data', async () => {
    const { api, send } = batchWorld()
    const data = { ...artist('1'), attributes: { name: 'On a Friday' } }
    for (const target of [{ ref: artist('1') }, { href: '/artists/1' }, {}]) {
      expect((await send({ op: 'update', ...target, data })).status).toBe(200)
      expect((await api.get('/artists/1')).resource.attributes).toMatchObject(data.attributes)
      await send(renaming('1', 'Radiohead'))
    }
    expectErrors(await send({ op: 'update', data: { type: 'artists', attributes: {} } }), [
      { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/0/data' },
    ])
    expectErrors(await send({ op: 'update', href: '/artists', data }), [
      { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/0/href' },
    ])
  })

  statement('update-operation', 'an update changes only the sent members; its data is a resource object', async () => {
    const { api, send } = batchWorld()
    const { resource: before } = await api.get('/artists/1')
    const { results } = await send(renaming('1', 'On a Friday'))
    const changed = { ...before, attributes: { ...before.attributes, name: 'On a Friday' } }
    expect([results, (await api.get('/artists/1')).resource]).toEqual([[{ data: changed }], changed])
    expectErrors(await send({ op: 'update', ref: artist('1') }, { op: 'update', ref: artist('1'), data: [] }), [
      { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/0' },
      { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/1/data' },
    ])
  })

  statement('update-result-changed', 'if more has changed than was sent, the result has the resource', async () => {
    const { api, send } = batchWorld()
    const data = { ...playlist, attributes: { title: 'Night Drive' } }
    const { results } = await send({ op: 'update', ref: playlist, data })
    expect(results).toMatchObject([{ data: { attributes: { title: 'Night Drive', slug: 'night-drive' } } }])
    expect(results[0]?.data).toEqual((await api.get(`/playlists/${playlist.id}`)).resource)
  })

  statement(
    ['update-result', 'update-204'],
    'the result has the resource, unless its type responds to updates without a document: then it is empty, and the batch is 204',
    async () => {
      const { api, send } = batchWorld()
      const { results } = await send(renaming('1', 'On a Friday'))
      expect(results).toEqual([{ data: (await api.get('/artists/1')).resource }])
      const silent = labelWorld(id(), { update: noContent() })
      const operation = { op: 'update', data: { type: 'labels', id: 'ecm', attributes: { name: 'Edition' } } }
      const response = await silent.send(operation, operation)
      expect([response.status, response.text]).toEqual([204, ''])
      expect((await silent.api.get('/labels/ecm')).resource.attributes).toEqual({ name: 'Edition' })
    },
  )

  statement(
    ['update-failure', 'update-failure-document'],
    'an update that fails has the same error document as a single request',
    async () => {
      const { send, rows } = batchWorld()
      const before = await rows()
      expectErrors(await send(renaming('1', 'On a Friday'), renaming('99', 'Nobody')), [
        { status: 404, code: 'RESOURCE_NOT_FOUND', pointer: '/atomic:operations/1' },
      ])
      expectErrors(await send(renaming('1', '')), [
        { status: 422, code: 'VALIDATION_FAILED', pointer: '/atomic:operations/0/data/attributes/name' },
      ])
      expectErrors(await send({ op: 'update', ref: artist('1'), data: { ...artist('2'), attributes: {} } }), [
        { status: 409, pointer: '/atomic:operations/0/data/id' },
      ])
      expectErrors(await send({ op: 'update', data: { type: 'public-profiles', id: '1' } }), [
        { status: 403, code: 'ATOMIC_OPERATION_NOT_EXPOSED', pointer: '/atomic:operations/0' },
      ])
      expect(await rows()).toEqual(before)
    },
  )
})

describe('deleting resources', () => {
  statement('delete-target', 'a deletion names its target only by ref or href', async () => {
    const { api, send } = batchWorld()
    await send({ op: 'remove', ref: track('1') }, { op: 'remove', href: '/tracks/2' })
    for (const path of ['/tracks/1', '/tracks/2']) expect((await api.get(path)).status).toBe(404)
    expectErrors(await send({ op: 'remove' }, { op: 'remove', data: track('3') }, { op: 'remove', href: '/tracks' }), [
      { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/0' },
      { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/1' },
      { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: '/atomic:operations/2/href' },
    ])
    expect((await api.get('/tracks/3')).status).toBe(200)
  })

  statement('delete-operation', 'the op remove deletes the resource, and no other', async () => {
    const { send, rows } = batchWorld()
    const { genres = [], ...others } = await rows()
    const remaining = genres.filter((row) => !String(row).includes("'art-rock'"))
    expect(remaining).toHaveLength(genres.length - 1)
    await send({ op: 'remove', ref: { type: 'genres', id: 'art-rock' } })
    expect(await rows()).toEqual({ ...others, genres: remaining })
  })

  statement(
    ['delete-result', 'delete-204'],
    'the result of a deletion is empty; a batch of deletions only is 204',
    async () => {
      const { send } = batchWorld()
      const { status, results } = await send({ op: 'remove', ref: track('1') }, renaming('1', 'On a Friday'))
      expect([status, results[0]]).toEqual([200, {}])
      const response = await send({ op: 'remove', ref: track('2') })
      expect([response.status, response.text]).toEqual([204, ''])
    },
  )

  statement(
    ['delete-failure', 'delete-failure-document'],
    'a deletion that fails has the same error document as a single request',
    async () => {
      const { send, rows } = batchWorld()
      const before = await rows()
      expectErrors(await send({ op: 'remove', ref: track('1') }, { op: 'remove', ref: track('1') }), [
        { status: 404, code: 'RESOURCE_NOT_FOUND', pointer: '/atomic:operations/1' },
      ])
      expectErrors(await send({ op: 'remove', ref: { type: 'public-profiles', id: '1' } }), [
        { status: 403, code: 'ATOMIC_OPERATION_NOT_EXPOSED', pointer: '/atomic:operations/0' },
      ])
      expect(await rows()).toEqual(before)
    },
  )
})
