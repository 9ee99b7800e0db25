import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { linkageWriter, one, relationshipPath, some } from '../support/linkage-writer.js'
import { scopedMusic, scopedRows, staff } from '../support/scoped-music.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

/** Staff see all; others neither the second artist, nor the third album, nor the second portrait. */

const music = () => linkageWriter(scopedMusic(storedData(scopedRows())))
const missing = (pointer: string) => ({ status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer })
const notFound = [{ status: 404, code: 'RESOURCE_NOT_FOUND' }]

async function all(api: ReturnType<typeof music>, relation: string): Promise<readonly string[]> {
  return shown((await api.get(relationshipPath(relation), staff)).document?.data ?? [])
}

describe('a resource outside the scope of the caller', () => {
  test.each(['replace', 'add', 'remove'] as const)('has no relationships to write: %s', async (verb) => {
    const api = music()
    expectErrors(await api[verb]('/albums/3/tracks', some('tracks', '1')), notFound)
    expectErrors(await api[verb]('/albums/3/tracks', 'nonsense'), notFound)
    expect(await all(api, '/albums/3/tracks')).toEqual(['tracks 3'])
  })

  test.each([
    ['/tracks/1/album', one('albums', '3'), '/data'],
    ['/albums/1/artist', one('artists', '2'), '/data'],
    ['/artists/1/portrait', one('portraits', '2'), '/data'],
    ['/artists/1/albums', some('albums', '1', '3'), '/data/1'],
    ['/playlists/2/albums', [one('albums', '1', { place: 1 }), one('albums', '3')], '/data/1'],
    ['/playlists/2/items', [one('albums', '1'), one('artists', '2')], '/data/1'],
    ['/playlists/3/dedicatedTo', one('artists', '2'), '/data'],
  ] as const)('cannot be linked: %s', async (relation, data, pointer) => {
    const api = music()
    const before = await all(api, relation)
    expectErrors(await api.replace(relation, data), [missing(pointer)])
    if (Array.isArray(data)) expectErrors(await api.add(relation, data), [missing(pointer)])
    expect(await all(api, relation)).toEqual(before)
    const own = relation.slice(relation.lastIndexOf('/') + 1)
    const at = `/data/relationships/${own}${pointer}`
    expectErrors(await api.update(relation.slice(0, relation.lastIndexOf('/')), { [own]: data }), [missing(at)])
    // Callers who see it can.
    expect((await api.replace(relation, data, staff)).status).toBe(200)
  })
})

describe('members outside the scope of the caller', () => {
  test.each([
    ['hasMany', '/artists/1/albums', some('albums', '4'), ['albums 3', 'albums 4']],
    ['hasMany, emptied', '/artists/1/albums', [], ['albums 3']],
    ['belongsToMany', '/playlists/1/albums', some('albums', '4'), ['albums 3', 'albums 4']],
    ['morphToMany', '/playlists/1/items', [one('albums', '4')], ['artists 2', 'albums 3', 'albums 4']],
  ] as const)('are not removed by a replacement: %s', async (_kind, relation, data, expected) => {
    const api = music()
    const { status, document } = await api.replace(relation, data)
    expect(status).toBe(200)
    // The response does not reveal them either.
    expect(shown(document?.data)).toEqual(shown(data))
    expect(await all(api, relation)).toEqual(expected)
  })

  test.each([
    ['/artists/1/albums', some('albums', '3')],
    ['/playlists/1/albums', some('albums', '3')],
    ['/playlists/1/items', [one('artists', '2')]],
  ] as const)('are not removed by a removal, which ignores them: %s', async (relation, data) => {
    const api = music()
    const before = await all(api, relation)
    expect((await api.remove(relation, data)).status).toBe(200)
    expect(await all(api, relation)).toEqual(before)
    expect((await api.remove(relation, data, staff)).status).toBe(200)
    expect(await all(api, relation)).toEqual(before.filter((member) => !shown(data).includes(member)))
  })

  test('do not prevent a repeated set', async () => {
    const api = music()
    const { document } = await api.get('/playlists/1/relationships/albums')
    expect(shown(document?.data)).toEqual(['albums 1', 'albums 2'])
    expect((await api.replace('/playlists/1/albums', document?.data)).document?.data).toEqual(document?.data)
    expect(await all(api, '/playlists/1/albums')).toEqual(['albums 1', 'albums 2', 'albums 3'])
  })

  test('are not restored with a member that the caller adds', async () => {
    const api = music()
    expect(shown((await api.add('/artists/1/albums', some('albums', '4'))).document?.data)).toEqual([
      'albums 1',
      'albums 4',
    ])
    expect(await all(api, '/artists/1/albums')).toEqual(['albums 1', 'albums 3', 'albums 4'])
  })
})

describe('a to-one whose resource the caller does not see', () => {
  test.each([
    ['/albums/2', 'artist', ['artists 2']],
    ['/playlists/1', 'dedicatedTo', ['artists 2']],
    ['/artists/3', 'portrait', ['portraits 2']],
    ['/tracks/3', 'album', ['albums 3']],
  ] as const)('does not change in a round trip: %s %s', async (owner, name, stored) => {
    const api = music()
    const relation = `${owner}/${name}`
    expect((await api.get(relationshipPath(relation))).document?.data).toBeNull()
    expect((await api.replace(relation, null)).document?.data).toBeNull()
    const read = await api.get(`${owner}?include=${name}`)
    expect(read.resource.relationships?.[name]?.data).toBeNull()
    const sent = await api.patch(`${owner}?include=${name}`, { body: { data: read.resource } })
    expect(sent.text).toBe(read.text)
    expect(await all(api, relation)).toEqual(stored)
  })

  test.each([
    ['/albums/2/artist', one('artists', '1')],
    ['/playlists/1/dedicatedTo', one('albums', '1')],
    ['/tracks/3/album', one('albums', '1')],
  ] as const)('is replaced by one that the caller links: %s', async (relation, data) => {
    const api = music()
    expect((await api.replace(relation, data)).document?.data).toEqual(data)
    expect(await all(api, relation)).toEqual(shown(data))
  })
})

test('a write that moves a resource out of the scope of its caller is refused', async () => {
  const api = music()
  const response = await api.update('/albums/1', { tracks: some('tracks', '1') }, { released: false })
  expectErrors(response, [{ status: 403, code: 'RESOURCE_OUT_OF_SCOPE', pointer: '/data' }])
  expect((await api.get('/albums/1')).status).toBe(200)
})
