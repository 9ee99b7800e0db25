import { belongsTo, cursorPage, hasMany, numberPage } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { linkageWriter, one, some } from '../support/linkage-writer.js'
import { linkedMusic, linkedRows } from '../support/linked-music.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

describe('the URL of a relationship', () => {
  test('has the segment of withUriFieldName()', async () => {
    const over = { albums: { tracks: hasMany('tracks').withUriFieldName('songs') } }
    const api = linkageWriter(linkedMusic({ over }))
    const { document } = await api.add('/albums/1/songs', some('tracks', '3'))
    expect(document?.data).toEqual(some('tracks', '1', '2', '3'))
    expect(document?.links).toEqual({
      self: 'http://localhost/albums/1/relationships/songs',
      related: 'http://localhost/albums/1/songs',
    })
    // In a resource it has its name.
    expect((await api.update('/albums/1', { tracks: [], songs: some('tracks', '4') })).status).toBe(200)
    expect((await api.get('/albums/1/songs')).resources).toEqual([])
  })

  test('serves the methods that change it', async () => {
    const { status, headers } = await linkageWriter(linkedMusic()).request('OPTIONS', '/albums/1/relationships/tracks')
    expect(status).toBe(204)
    expect(headers.get('Allow')).toBe('GET, HEAD, QUERY, PATCH, POST, DELETE, OPTIONS')
  })

  test('accepts writes if the type itself cannot be read', async () => {
    const members = { albums: { operations: ['FetchCollection', 'Update'] } }
    const api = linkageWriter(linkedMusic({ members }))
    const { status, document } = await api.add('/albums/1/tracks', some('tracks', '3'))
    expect(status).toBe(200)
    expect(document?.data).toEqual(some('tracks', '1', '2', '3'))
    expect(document?.links).toEqual({ self: 'http://localhost/albums/1/relationships/tracks' })
    expectErrors(await api.get('/albums/1/relationships/tracks'), [{ status: 405 }])
  })

  test('of a named server accepts types that only another server shows', async () => {
    const api = linkageWriter(catalogueServer())
    const { document } = await api.replace('/admin/users/2/library', one('libraries', '1'))
    expect(document?.data).toEqual(one('libraries', '1'))
    expect((await api.get('/libraries/1')).resource.relationships?.['owner']?.data).toEqual(one('users', '2'))
    expectErrors(await api.replace('/libraries/1/owner', one('users', '99')), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data' },
    ])
  })
})

test.each([numberPage({ size: 1 }), cursorPage({ size: 1 })])(
  'a relation that is shown in pages is replaced as a whole %#',
  async (paginator) => {
    const api = linkageWriter(linkedMusic({ over: { albums: { tracks: hasMany('tracks').paginate(paginator) } } }))
    const { document } = await api.replace('/albums/1/tracks', some('tracks', '3', '4'))
    expect(document?.data).toEqual(some('tracks', '3', '4'))
    expect((await api.get('/tracks/2/relationships/album')).document?.data).toBeNull()
    expect((await api.get('/tracks/4/relationships/album')).document?.data).toEqual(one('albums', '1'))
  },
)

describe('an application that dispatches writes of linkage', () => {
  const target = { type: 'albums', id: '1', relationship: 'tracks' } as const

  test('gets the linkage if it requests it, and no content otherwise', async () => {
    const server = linkedMusic()
    const written = [
      await server.dispatch({
        ...target,
        returns: 'representation',
        kind: 'AddToRelationship',
        document: { data: some('tracks', '3') },
      }),
      await server.dispatch({
        ...target,
        returns: 'representation',
        kind: 'RemoveFromRelationship',
        document: { data: some('tracks', '1') },
      }),
      await server.dispatch({
        ...target,
        returns: 'representation',
        kind: 'UpdateRelationship',
        document: { data: some('tracks', '4') },
      }),
    ]
    expect(written.map(({ kind }) => kind)).toEqual(['identifier', 'identifier', 'identifier'])
    expect(written.map((value) => (value.kind === 'identifier' ? shown(value.data) : null))).toEqual([
      ['tracks 1', 'tracks 2', 'tracks 3'],
      ['tracks 2', 'tracks 3'],
      ['tracks 4'],
    ])
    const silent = await server.dispatch({
      ...target,
      kind: 'AddToRelationship',
      document: { data: some('tracks', '1') },
    })
    expect(silent).toMatchObject({ kind: 'noContent', status: 204 })
  })

  test('gets the same errors', async () => {
    const server = linkedMusic({ over: { albums: { tracks: hasMany('tracks').cannotAdd() } } })
    const adding = server.dispatch({ ...target, kind: 'AddToRelationship', document: { data: [] } })
    await expect(adding).rejects.toMatchObject({ problems: [{ code: 'ADDITION_PROHIBITED' }] })
    const empty = server.dispatch({ ...target, kind: 'UpdateRelationship', document: undefined })
    await expect(empty).rejects.toMatchObject({ problems: [{ code: 'DATA_MEMBER_MISSING' }] })
  })
})

describe('resources that are softly deleted', () => {
  const deletedAt = new Date('2024-02-29T00:00:00Z')

  function music() {
    const rows = linkedRows()
    const data = storedData({
      ...rows,
      albums: rows.albums.map((album) => ({ ...album, deletedAt: album.id === 4 ? deletedAt : null })),
      tracks: rows.tracks.map((track) => ({ ...track, deletedAt: track.id === 2 ? deletedAt : null })),
    })
    const members = { albums: { softDeletes: true }, tracks: { softDeletes: true } }
    return linkageWriter(linkedMusic({ data, members }))
  }

  test('cannot be linked, and have no relationships to write', async () => {
    const api = music()
    expectErrors(await api.add('/albums/2/tracks', some('tracks', '2')), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data/0' },
    ])
    expectErrors(await api.replace('/tracks/1/album', one('albums', '4')), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data' },
    ])
    expectErrors(await api.add('/albums/4/tracks', some('tracks', '1')), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })

  test('stay members, and are shown again after they are restored', async () => {
    const api = music()
    expect((await api.replace('/playlists/1/tracks', some('tracks', '3'))).document?.data).toEqual(some('tracks', '3'))
    expect((await api.replace('/albums/1/tracks', [])).document?.data).toEqual([])
    await api.post('/tracks/2/-actions/restore')
    expect(await api.members('/playlists/1/tracks')).toEqual(['tracks 2', 'tracks 3'])
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 2'])
  })
})

test('a relation without links responds with the requested URL', async () => {
  const over = { albums: { artist: belongsTo('artists').withoutLinks() } }
  const { document } = await linkageWriter(linkedMusic({ over })).replace('/albums/1/artist', one('artists', '2'))
  expect(document?.data).toEqual(one('artists', '2'))
  expect(document?.links).toMatchObject({ self: 'http://localhost/albums/1/relationships/artist' })
})
