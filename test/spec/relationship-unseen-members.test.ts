import { createServer, hasMany, type RequestContext } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { typeWith } from '../support/linkage-reader.js'
import { linkageWriter, relationshipPath, some } from '../support/linkage-writer.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

const staff = { headers: { 'X-Staff': 'yes' } } as const

interface Filters {
  idIn(): { fixed(ids: readonly string[]): unknown }
}

/** Tracks 1 to 4 are visible to everybody, 5 and 6 to staff. */
const tracks = typeWith(
  'tracks',
  {},
  {
    scope: ({ request }: RequestContext, f: Filters) =>
      request?.header('x-staff') === 'yes' ? null : f.idIn().fixed(['1', '2', '3', '4']),
  },
)

/** An album with the track 1, and the tracks 5 and 6 that not everybody sees. */
function album(relation: unknown) {
  const data = storedData({
    albums: [{ id: 1, trackIds: [1, 5, 6] }],
    tracks: [1, 2, 3, 4, 5, 6].map((key) => ({ id: key, albumId: [1, 5, 6].includes(key) ? 1 : null })),
  })
  return linkageWriter(createServer({ resources: [typeWith('albums', { tracks: relation }), tracks], data }))
}

async function all(api: ReturnType<typeof album>): Promise<readonly string[]> {
  return shown((await api.get(relationshipPath('/albums/1/tracks'), staff)).document?.data)
}

const invalid = (detail: string) => [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data', detail }]

describe('members that the caller does not see', () => {
  test('count for maxItems', async () => {
    const api = album(hasMany('tracks').via('albumId').maxItems(4))
    expectErrors(
      await api.add('/albums/1/tracks', some('tracks', '2', '3')),
      invalid('This must have at most 4 items.'),
    )
    expectErrors(
      await api.replace('/albums/1/tracks', some('tracks', '2', '3', '4')),
      invalid('This must have at most 4 items.'),
    )
    expect((await api.replace('/albums/1/tracks', some('tracks', '2', '3'))).status).toBe(200)
    expect(await all(api)).toEqual(['tracks 2', 'tracks 3', 'tracks 5', 'tracks 6'])
  })

  test('count for minItems', async () => {
    const api = album(hasMany('tracks').via('albumId').minItems(2))
    expect((await api.remove('/albums/1/tracks', some('tracks', '1'))).document?.data).toEqual([])
    expect(await all(api)).toEqual(['tracks 5', 'tracks 6'])
    const required = album(hasMany('tracks').via('albumId').required())
    expect((await required.replace('/albums/1/tracks', [])).document?.data).toEqual([])
    expectErrors(await required.replace('/albums/1/tracks', [], staff), invalid('This must not be empty.'))
  })

  test('are passed to the function of fillUsing(), which would lose them', async () => {
    const api = album(
      hasMany('tracks')
        .extractUsing((row) => (row['trackIds'] as readonly number[]).map((key) => ({ id: key })))
        .fillUsing((_row, value) => {
          return { trackIds: (value as readonly { id: string }[]).map(({ id }) => Number(id)) }
        }),
    )
    expect((await api.replace('/albums/1/tracks', some('tracks', '2'))).document?.data).toEqual(some('tracks', '2'))
    expect(await all(api)).toEqual(['tracks 2', 'tracks 5', 'tracks 6'])
    expect((await api.remove('/albums/1/tracks', some('tracks', '2', '5'))).document?.data).toEqual([])
    expect(await all(api)).toEqual(['tracks 5', 'tracks 6'])
    expect((await api.update('/albums/1', { tracks: some('tracks', '3') })).status).toBe(200)
    expect(await all(api)).toEqual(['tracks 3', 'tracks 5', 'tracks 6'])
  })

  test('do not count after a soft delete', async () => {
    const rows = [1, 2, 3].map((key) => ({
      id: key,
      albumId: key === 3 ? null : 1,
      deletedAt: key === 2 ? new Date() : null,
    }))
    const resources = [
      typeWith('albums', { tracks: hasMany('tracks').via('albumId').minItems(1).maxItems(2) }),
      typeWith('tracks', {}, { softDeletes: true }),
    ]
    const api = linkageWriter(createServer({ resources, data: storedData({ albums: [{ id: 1 }], tracks: rows }) }))
    expectErrors(await api.remove('/albums/1/tracks', some('tracks', '1')), invalid('This must have at least 1 item.'))
    expect((await api.add('/albums/1/tracks', some('tracks', '3'))).status).toBe(200)
  })
})
