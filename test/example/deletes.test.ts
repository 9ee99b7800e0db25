import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices, rainyDay, roadTrip } from '../support/music-service.js'
import { shown } from '../support/shown.js'
import { musicClient } from './music-client.js'

const inUse = [{ status: 409, code: 'RESOURCE_IN_USE' }]

describe.each(musicServices)('deletes on %s', (_engine, open) => {
  const music = musicClient(open)
  const rowsOf = (table: 'playlistTracks' | 'libraryItems' | 'favorites' | 'plays' | 'tracks') =>
    music.service.storage.db.selectFrom(table).selectAll().execute()

  test('respond with an empty 204; then the resource is gone', async () => {
    const { status, text } = await music.delete(`/playlists/${roadTrip}`)
    expect(status).toBe(204)
    expect(text).toBe('')
    expectErrors(await music.get(`/playlists/${roadTrip}`), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    expectErrors(await music.delete(`/playlists/${roadTrip}`), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })

  test('do not delete an artist who has albums', async () => {
    expectErrors(await music.delete('/artists/1'), inUse)
    expect((await music.get('/artists/1')).status).toBe(200)
  })

  test('do not delete an album that has tracks', async () => {
    expectErrors(await music.delete('/albums/1'), inUse)
    expect((await music.get('/albums/1')).status).toBe(200)
  })

  test('that are refused change nothing, also what only refers to the resource', async () => {
    const [items, favorites] = [await rowsOf('libraryItems'), await rowsOf('favorites')]
    expectErrors(await music.delete('/artists/3'), inUse)
    expectErrors(await music.delete('/albums/4'), inUse)
    expect(await rowsOf('libraryItems')).toEqual(items)
    expect(await rowsOf('favorites')).toEqual(favorites)
  })

  test('delete an album without tracks, and then the artist without albums', async () => {
    for (const id of ['4', '8', '9']) await music.delete(`/tracks/${id}`)
    expect((await music.delete('/albums/3')).status).toBe(204)
    expect((await music.delete('/artists/2')).status).toBe(204)
  })

  test('of a playlist delete its entries, and not the tracks', async () => {
    await music.delete(`/playlists/${roadTrip}`)
    expect((await rowsOf('playlistTracks')).map(({ playlistId }) => playlistId)).toEqual([rainyDay, rainyDay, rainyDay])
    expect(await rowsOf('tracks')).toHaveLength(12)
  })

  test('of a track remove it from playlists, libraries, favorites and charts', async () => {
    expect((await music.delete('/tracks/5')).status).toBe(204)
    expect(shown((await music.get(`/playlists/${roadTrip}/orderedTracks`)).resources)).toEqual(['tracks 1', 'tracks 3'])
    expect(shown((await music.get('/libraries/1/items')).resources)).toEqual(['tracks 1', 'albums 2', 'artists 3'])
    expectErrors(await music.get('/favorites/fav-1d'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    expect((await music.get('/charts/2026-01')).resource.attributes).toMatchObject({ plays: 41 })
  })

  test('of a library remove its items, and do not delete them', async () => {
    expect((await music.delete('/libraries/1')).status).toBe(204)
    expect(await rowsOf('libraryItems')).toEqual([])
    expect((await music.get('/albums/2')).status).toBe(200)
  })

  test('of a product are refused while others are part of it', async () => {
    expectErrors(await music.delete('/products/prod-a0'), inUse)
    expect((await music.delete('/products/prod-b1')).status).toBe(204)
    expect((await music.delete('/products/prod-a0')).status).toBe(204)
  })

  test('of a user delete what only they own', async () => {
    // Users are deleted on the admin server; the database sees to the rest.
    await music.service.storage.db.deleteFrom('users').where('id', '=', 1).execute()
    expect(shown((await music.get('/playlists')).resources)).toEqual([`playlists ${rainyDay}`])
    expect((await music.get('/libraries')).resources).toEqual([])
    expect(shown((await music.get('/favorites')).resources)).toEqual(['favorites fav-1d'])
    expect(await rowsOf('libraryItems')).toEqual([])
  })
})
