import { atomic, type Handler, metaResult, noContent, ok } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { type LinkedMusic, linkedMusic, linkedRows } from '../support/linked-music.js'
import { storedData } from '../support/stored-data.js'
import { storedRows } from '../support/stored-rows.js'
import { add, atomicUri, batchClient, type BatchClient, linked, remove, type Result, update } from './batch-client.js'

function shop(settings: LinkedMusic = {}): BatchClient {
  return batchClient(linkedMusic({ extensions: [atomic()], ...settings }))
}

const retitled = (text: string) => update('albums', '1', { title: text })

const change = (op: string, id: string, track: string) => ({
  op,
  ref: { type: 'playlists', id, relationship: 'tracks' },
  data: [{ type: 'tracks', id: track }],
})

const counts = (results: readonly Result[]) => results.map(({ data }) => (Array.isArray(data) ? data.length : null))

describe('the results of a batch', () => {
  test('are those of single requests, and nothing else', async () => {
    const [batched, single] = [shop(), shop()]
    const resource = {
      type: 'albums',
      attributes: { title: 'New' },
      relationships: { artist: linked({ type: 'artists', id: '1' }) },
    }
    const response = await batched.batch([{ op: 'add', data: resource }])
    const created = await single.post('/albums', { body: { data: resource } })
    expect(JSON.parse(response.text)).toEqual({
      'atomic:results': [{ data: created.document?.data }],
      jsonapi: { version: '1.1', ext: [atomicUri] },
    })
    expect([response.status, response.headers.has('Location')]).toEqual([200, false])
  })

  test('are empty for removed resources', async () => {
    expect(await shop().results([remove('albums', '1'), add('albums', { title: 'x' }), remove('albums', '2')])).toEqual(
      [{}, { data: expect.objectContaining({ type: 'albums' }) }, {}],
    )
  })

  test('have the meta that is declared', async () => {
    const members = { albums: { delete: metaResult(), update: noContent() } }
    const operations = [remove('albums', '1'), update('albums', '2', { title: 'x' }), remove('tracks', '4')]
    expect(await shop({ members }).results(operations)).toEqual([{ meta: {} }, {}, {}])
  })

  test('are an empty body if no operation has a result', async () => {
    const members = { albums: { create: noContent(), update: [noContent(), ok()] } }
    const operations = [add('albums', { title: 'x' }), remove('albums', '1'), remove('tracks', '4')]
    const response = await shop({ members }).batch(operations)
    expect([response.status, response.text]).toEqual([204, ''])
    expect((await shop().batch(operations.slice(1))).status).toBe(204)
  })

  test('show the state after each operation', async () => {
    expect(await shop().results([retitled('a'), retitled('b'), retitled('a'), remove('albums', '1')])).toMatchObject([
      { data: { attributes: { title: 'a' } } },
      { data: { attributes: { title: 'b' } } },
      { data: { attributes: { title: 'a' } } },
      {},
    ])
  })

  test('have the linkage of each relationship operation; beyond the limit of identifiers, only of the last ones', async () => {
    const operations = [
      change('add', '1', '3'),
      change('add', '1', '4'),
      change('add', '2', '2'),
      change('remove', '1', '4'),
      change('add', '2', '3'),
    ]
    expect(counts(await shop().results(operations))).toEqual([3, 4, 2, 3, 3])
    const tight = shop({ limits: { linkage: 5 } })
    expect(counts(await tight.results(operations))).toEqual([3, 4, null, 3, 3])
    expect(await tight.results([...operations.slice(0, 1), ...operations.slice(3), ...operations.slice(3)])).toEqual([
      { data: expect.objectContaining({ length: 3 }) },
      { data: expect.objectContaining({ length: 3 }) },
      {},
      { data: expect.objectContaining({ length: 3 }) },
      { data: expect.objectContaining({ length: 3 }) },
    ])
  })

  test('include nothing, even if a type has default includes', async () => {
    const response = await shop({ members: { albums: { defaultIncludes: ['artist'] } } }).batch([
      update('albums', '1', { title: 'x' }),
    ])
    expect(response.document).not.toHaveProperty('included')
    expect(response.text).not.toContain('included')
  })
})

const silent =
  (builtIn: Handler): Handler =>
  async (operation) =>
    operation.kind === 'CreateResource' ? { kind: 'noContent', status: 204, headers: [] } : builtIn(operation)

describe('a handler that returns nothing for an addition', () => {
  test('leaves its local id undefined', async () => {
    const api = shop({ handler: silent })
    const lid = { type: 'albums', lid: 'a' }
    expect((await api.batch([add('albums', {}, { lid: 'a' })])).status).toBe(204)
    expectErrors(await api.batch([add('albums', {}, { lid: 'a' }), { op: 'remove', ref: lid }]), [
      { status: 400, code: 'LOCAL_ID_NOT_FOUND', pointer: '/atomic:operations/1' },
    ])
  })
})

describe('concurrent batches', () => {
  test('lose no update, and are atomic', async () => {
    const data = storedData(linkedRows())
    const hooks = {
      beforeUpdate(draft: { title: string }, { title }: { title: string }) {
        draft.title = `${title}+`
      },
    }
    const api = shop({ data, members: { albums: { hooks } } })
    const touch = [
      update('albums', '1', { title: '' }),
      add('artists', { title: 'x' }),
      update('albums', '2', { title: '' }),
    ]
    const failing = [...touch, remove('albums', '99')]
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_each, index) => api.batch(index % 3 === 2 ? failing : touch)),
    )
    expect(responses.map(({ status }) => status)).toEqual(
      responses.map((_each, index) => (index % 3 === 2 ? 404 : 200)),
    )
    const { resources } = await api.get('/albums')
    expect(resources.slice(0, 2).map(({ attributes }) => attributes?.['title'])).toEqual([
      'OK Computer++++++++',
      'Kid A++++++++',
    ])
    expect((await storedRows(data, Object.keys(linkedRows())))['artists']).toHaveLength(11)
  })
})
