import { id, metaResult } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect } from 'vitest'
import { album, artist, batchWorld, idIn, labelWorld, newArtist, post, renaming, track, uri } from './batch-world.js'
import { statement } from './statement.js'

/** https://jsonapi.org/ext/atomic/#document-structure */

const invalid = (pointer: string) => ({ status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer })
const operations = [renaming('1', 'On a Friday')]

describe('a document with operations', () => {
  statement(
    'document-members',
    'a document with operations may have meta, links and jsonapi; a response with results has jsonapi',
    async () => {
      const { api } = batchWorld()
      const otherMembers = { meta: { from: 'a test' }, links: { self: '/operations' }, jsonapi: { version: '1.1' } }
      const { status, document } = await post(api, { body: { ...otherMembers, 'atomic:operations': operations } })
      expect(status).toBe(200)
      expect(Object.keys(document ?? {})).toEqual(['atomic:results', 'jsonapi'])
      expect(document?.jsonapi).toEqual({ version: '1.1', ext: [uri] })
    },
  )

  statement(
    'document-data',
    'data and included in a document with operations are 400, each with its pointer, and nothing runs',
    async () => {
      const { api, rows } = batchWorld()
      const before = await rows()
      const body = { 'atomic:operations': operations, data: null, included: [] }
      expectErrors(await post(api, { body }), [invalid('/data'), invalid('/included')])
      expect(await rows()).toEqual(before)
      for (const incomplete of [{ data: newArtist('Portishead') }, { meta: {} }, {}]) {
        expectErrors(await post(api, { body: incomplete }), [invalid('')])
      }
    },
  )

  statement(
    'document-operations',
    'operations are a list of at least one operation, in a document without results; anything else is 400',
    async () => {
      const { api, rows } = batchWorld()
      const before = await rows()
      const body = { 'atomic:operations': operations, 'atomic:results': [] }
      expectErrors(await post(api, { body }), [invalid('/atomic:results')])
      for (const none of [[], {}, null, 'add', { 0: operations[0] }]) {
        expectErrors(await post(api, { body: { 'atomic:operations': none } }), [invalid('/atomic:operations')])
      }
      const strange = [null, 'add', 7, operations]
      expectErrors(
        await post(api, { body: { 'atomic:operations': strange } }),
        strange.map((_, index) => invalid(`/atomic:operations/${index}`)),
      )
      expect(await rows()).toEqual(before)
    },
  )

  statement(
    'document-errors',
    'errors in a document with operations are 400; a response has results or errors',
    async () => {
      const { api, send } = batchWorld()
      expectErrors(await post(api, { body: { 'atomic:operations': operations, errors: [] } }), [invalid('/errors')])
      const [done, failed] = [await send(...operations), await send(renaming('99', 'Nobody'))]
      expect(Object.keys(done.document ?? {})).toEqual(['atomic:results', 'jsonapi'])
      expect(Object.keys(failed.document ?? {})).toEqual(['errors', 'jsonapi'])
    },
  )
})

/** https://jsonapi.org/ext/atomic/#operation-objects */
describe('an operation', () => {
  statement('operation-code', 'an operation without op is 400', async () => {
    const { send } = batchWorld()
    const { op: _, ...rest } = renaming('1', 'On a Friday')
    expectErrors(await send(rest, {}, renaming('2', 'Sugarcubes')), [
      invalid('/atomic:operations/0'),
      invalid('/atomic:operations/1'),
    ])
  })

  statement('operation-code-value', 'an op other than add, update and remove is 400; the case matters', async () => {
    const { send, rows } = batchWorld()
    const before = await rows()
    for (const op of ['Add', 'delete', 'replace', '', null, 1, ['add']]) {
      expectErrors(await send({ ...renaming('1', 'On a Friday'), op }), [invalid('/atomic:operations/0/op')])
    }
    expect(await rows()).toEqual(before)
    const response = await send({ op: 'add', data: newArtist('Portishead') }, renaming('1', 'On a Friday'), {
      op: 'remove',
      ref: track('1'),
    })
    expect(response.status).toBe(200)
  })

  statement('operation-target', 'a target is named by ref or href; both together are 400', async () => {
    const { send } = batchWorld()
    const operation = renaming('1', 'On a Friday')
    expectErrors(await send({ ...operation, href: '/artists/1' }), [invalid('/atomic:operations/0')])
    const { ref: _, ...unnamed } = operation
    for (const named of [operation, { ...unnamed, href: '/artists/1' }]) {
      expect((await send(named)).results).toEqual([{ data: expect.objectContaining(artist('1')) }])
    }
  })

  statement(
    'operation-target',
    'an href is an absolute URI, or relative to the endpoint, with a path of the server; anything else is 400',
    async () => {
      const { send } = batchWorld()
      const { ref: _, ...operation } = renaming('1', 'On a Friday')
      for (const href of [
        'http://localhost/artists/1',
        '//localhost/artists/1',
        '/artists/1',
        'artists/1',
        './artists/1',
      ]) {
        expect((await send({ ...operation, href })).status).toBe(200)
      }
      for (const href of ['http://music.example/artists/1', '/producers/1', '/albums/1/artist', 'http://']) {
        expectErrors(await send({ ...operation, href }), [
          { status: 400, code: 'ATOMIC_HREF_UNRESOLVABLE', pointer: '/atomic:operations/0/href' },
        ])
      }
      for (const href of [null, 7, {}]) {
        expectErrors(await send({ ...operation, href }), [invalid('/atomic:operations/0/href')])
      }
    },
  )

  statement(
    'operation-ref',
    'a ref has a type and an id, or the lid of an earlier operation, and may name a relationship',
    async () => {
      const { send } = batchWorld()
      const lid = { type: 'artists', lid: 'new' }
      const { results } = await send(
        { op: 'add', data: { ...newArtist('Portishead'), lid: 'new' } },
        { op: 'update', ref: lid, data: { ...lid, attributes: { name: 'Beth Gibbons' } } },
        { op: 'update', ref: { ...lid, relationship: 'albums' }, data: [album('4')] },
        { op: 'update', ref: { ...album('1'), relationship: 'artist' }, data: lid },
        { op: 'remove', ref: track('2') },
      )
      const [added, updated, albums, owner, removed] = results
      const known = idIn(added)
      expect(updated?.data).toMatchObject({ ...artist(known), attributes: { name: 'Beth Gibbons' } })
      expect([albums, owner, removed]).toEqual([{ data: [album('4')] }, { data: artist(known) }, {}])
    },
  )

  statement('operation-ref', 'a ref of any other form is 400, with the pointer of the wrong member', async () => {
    const { send, rows } = batchWorld()
    const before = await rows()
    const at = '/atomic:operations/0/ref'
    for (const [ref, pointer] of [
      [null, at],
      ['artists/1', at],
      [[artist('1')], at],
      [{}, at],
      [{ type: 'artists' }, at],
      [{ id: '1' }, at],
      [{ ...artist('1'), lid: 'new' }, at],
      [{ type: 7, id: '1' }, `${at}/type`],
      [{ type: 'artists', id: 1 }, `${at}/id`],
      [{ type: 'artists', lid: 1 }, `${at}/lid`],
      [{ type: 'artists', lid: '' }, `${at}/lid`],
      [{ ...artist('1'), relationship: 7 }, `${at}/relationship`],
      [{ ...artist('1'), relationship: '' }, `${at}/relationship`],
    ] as const) {
      const { errors, status } = await send({ op: 'remove', ref })
      expect([status, errors[0]?.code, errors[0]?.source]).toEqual([400, 'ATOMIC_OPERATIONS_INVALID', { pointer }])
    }
    expectErrors(await send({ op: 'remove', ref: { type: 'artists', lid: 'new' } }), [
      { status: 400, code: 'LOCAL_ID_NOT_FOUND', pointer: `${at}/lid` },
    ])
    expect(await rows()).toEqual(before)
  })

  statement('operation-data', 'an operation may have data, and meta, which is an object', async () => {
    const { send } = batchWorld()
    const operation = renaming('1', 'On a Friday')
    expect((await send({ ...operation, meta: { any: ['thing'] } })).status).toBe(200)
    expect((await send({ op: 'remove', ref: track('1') })).status).toBe(204)
    expectErrors(await send({ ...operation, meta: [] }, { ...operation, meta: null }), [
      invalid('/atomic:operations/0/meta'),
      invalid('/atomic:operations/1/meta'),
    ])
  })
})

/** https://jsonapi.org/ext/atomic/#result-objects */
describe('a result', () => {
  statement('result-members', 'a result has data, or is empty', async () => {
    const { send } = batchWorld()
    const { results } = await send(
      renaming('1', 'On a Friday'),
      { op: 'remove', ref: track('1') },
      { op: 'update', ref: { ...album('1'), relationship: 'artist' }, data: null },
    )
    expect(results.map((result) => Object.keys(result))).toEqual([['data'], [], ['data']])
  })

  statement('result-members', 'a result has meta if the response to a single request has only meta', async () => {
    const { send, rows } = labelWorld(id(), { delete: metaResult() })
    const { results, status } = await send({ op: 'remove', ref: { type: 'labels', id: 'ecm' } })
    expect(status).toBe(200)
    expect(results.map((result) => Object.keys(result))).toEqual([['meta']])
    expect(await rows()).toEqual({ labels: [] })
  })
})
