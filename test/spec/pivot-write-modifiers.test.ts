import { belongsToMany, createServer, defineResource, id, model, type RequestContext } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { linkageWriter, one, pivots } from '../support/linkage-writer.js'
import { storedData } from '../support/stored-data.js'

/** The arguments of `fillUsing()`. */
const filled: unknown[][] = []

const isGuest = ({ request }: RequestContext): boolean => request?.header('x-guest') === 'yes'

const problem = (code: string, pointer: string) => ({ status: 422, code, pointer })

const refused = (at: string) => [
  ...['label', 'addedAt'].map((field) => problem('ATTRIBUTE_UNRECOGNIZED', `${at}/0/meta/pivot/${field}`)),
  ...['nonsense', 'checkedAt', 'secret'].map((field) =>
    problem('ATTRIBUTE_UNRECOGNIZED', `${at}/1/meta/pivot/${field}`),
  ),
  problem('VALIDATION_FAILED', `${at}/1/meta/pivot/place`),
]

describe('modifiers of the fields of join rows', () => {
  const tracks = defineResource('tracks', { model: model<{ id: number }>('tracks'), id: id() })
  const playlists = defineResource('playlists', {
    model: model<{ id: number }>('playlists'),
    id: id(),
    relations: {
      tracks: belongsToMany('tracks')
        .through('entries', { owner: 'playlistId', member: 'trackId' })
        .fields((a) => ({
          place: a.integer().storedAs('position'),
          token: a.string().writeOnly(),
          secret: a.string().hidden(),
          addedAt: a.dateTime().readOnlyOnUpdate(),
          checkedAt: a.date().nullable().readOnlyOnCreate(),
          mood: a.string().readOnly(isGuest),
          label: a.string().computed((row) => `no. ${String(row['position'])}`),
          side: a
            .string()
            .computed()
            .extractUsing((row) => (row['isFlipped'] === true ? 'B' : 'A'))
            .fillUsing(async (row, value, fields, name) => {
              filled.push([row, value, fields, name])
              return { isFlipped: value === 'B' }
            }),
          tempo: a.integer().deserializeUsing((value) => Number(value) * 10),
        })),
    },
  })
  const entries = defineResource('entries', {
    model: model<{ id: number; position: number; token: string; secret: string }>('entries'),
    id: id(),
    attributes: (a) => ({ position: a.integer(), token: a.string(), secret: a.string() }),
  })
  const rows = {
    playlists: [{ id: 1 }],
    tracks: [{ id: 1 }, { id: 2 }],
    entries: [
      { id: 1, playlistId: 1, trackId: 1, position: 3, token: 'a', secret: 's', mood: 'calm', isFlipped: false },
    ],
  }
  const mixtape = () => linkageWriter(createServer({ resources: [tracks, playlists, entries], data: storedData(rows) }))

  test('a read-only field is refused at its pointer if the server rejects unknown members', async () => {
    const api = linkageWriter(
      createServer({ resources: [tracks, playlists, entries], data: storedData(rows), unknownMembers: 'reject' }),
    )
    const before = (await api.get('/entries')).text
    const ignored = one('tracks', '1', { place: 4, label: 'mine', addedAt: '2026-01-01T00:00:00Z', '@note': 1 })
    const added = one('tracks', '2', { nonsense: 1, checkedAt: null, secret: 's', place: 'x' })
    for (const change of [api.add, api.replace]) {
      expectErrors(await change('/playlists/1/tracks', [ignored, added]), refused('/data'))
    }
    const relationships = { tracks: { data: [ignored, added] } }
    const body = { data: { type: 'playlists', id: '1', relationships } }
    expectErrors(await api.patch('/playlists/1', { body }), refused('/data/relationships/tracks/data'))
    expect((await api.get('/entries')).text).toBe(before)
    expect((await api.remove('/playlists/1/tracks', [one('tracks', '1', { label: 'mine' })])).status).toBe(200)
  })

  test('storedAs() names the column, hidden() and computed() ones are never written', async () => {
    const api = mixtape()
    const pivot = { place: 4, token: 'b', secret: 'x', label: 'mine' }
    expect((await api.add('/playlists/1/tracks', [one('tracks', '1', pivot)])).status).toBe(200)
    expect((await api.get('/entries/1')).resource.attributes).toEqual({ position: 4, token: 'b', secret: 's' })
    const [member] = Object.values(await pivots(api, '/playlists/1/tracks'))
    expect(member).toMatchObject({ place: 4, label: 'no. 4' })
    expect(member).not.toHaveProperty('token')
  })

  test('readOnlyOnUpdate() and readOnlyOnCreate() apply to the member, not to its owner', async () => {
    const api = mixtape()
    const pivot = { addedAt: '2024-02-29T10:00:00Z', checkedAt: '2024-03-01' }
    await api.add('/playlists/1/tracks', [one('tracks', '1', pivot), one('tracks', '2', pivot)])
    expect(await pivots(api, '/playlists/1/tracks')).toMatchObject({
      1: { addedAt: null, checkedAt: '2024-03-01' },
      2: { addedAt: '2024-02-29T10:00:00+00:00', checkedAt: null },
    })
  })

  test('readOnly(predicate) is called with the request', async () => {
    const api = mixtape()
    const wild = [one('tracks', '1', { mood: 'wild' })]
    await api.add('/playlists/1/tracks', wild, { headers: { 'X-Guest': 'yes' } })
    expect(await pivots(api, '/playlists/1/tracks')).toMatchObject({ 1: { mood: 'calm' } })
    await api.add('/playlists/1/tracks', wild)
    expect(await pivots(api, '/playlists/1/tracks')).toMatchObject({ 1: { mood: 'wild' } })
  })

  test('fillUsing() returns the columns, and gets the join row, or none for a new one', async () => {
    const api = mixtape()
    filled.length = 0
    await api.add('/playlists/1/tracks', [
      one('tracks', '1', { side: 'B' }),
      one('tracks', '2', { side: 'B', place: 2 }),
    ])
    expect(await pivots(api, '/playlists/1/tracks')).toMatchObject({ 1: { side: 'B' }, 2: { side: 'B' } })
    expect(filled).toEqual([
      [{}, 'B', { side: 'B', place: 2 }, 'side'],
      [expect.objectContaining(rows.entries[0] ?? {}), 'B', { side: 'B' }, 'side'],
    ])
    await api.add('/playlists/1/tracks', [one('tracks', '2', { place: 3 }), one('tracks', '1', { side: 'B' })])
    expect(filled).toHaveLength(2)
  })

  test('deserializeUsing() returns the stored value', async () => {
    const api = mixtape()
    await api.add('/playlists/1/tracks', [one('tracks', '2', { tempo: 12 })])
    expect(await pivots(api, '/playlists/1/tracks')).toMatchObject({ 2: { tempo: 120 } })
  })
})
