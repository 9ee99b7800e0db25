import type { TestIdentifier } from '../../src/tools/testing/test-response.js'
import { describe, expect, test } from 'vitest'
import { musicServices, roadTrip } from '../support/music-service.js'
import { musicClient } from './music-client.js'

/** The identifiers of tracks anywhere in a document, and the resources that are tracks. */
function tracksIn(value: unknown): readonly TestIdentifier[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(tracksIn)
  return 'type' in value && value.type === 'tracks' ? [value as TestIdentifier, ...inside] : inside
}

describe.each(musicServices)('every track has the name of its server, on %s', (_engine, open) => {
  const music = musicClient(open)

  test.each([
    ['a track', '/tracks/1', 1],
    ['a list of tracks', '/tracks', 12],
    ['the tracks of an album', '/albums/1/tracks', 3],
    ['the identifiers of the tracks of an album', '/albums/1/relationships/tracks', 3],
    ['an album with its tracks: identifiers and resources', '/albums/1?include=tracks', 6],
    ['the tracks of a playlist', `/playlists/${roadTrip}/tracks`, 3],
    ['their identifiers', `/playlists/${roadTrip}/relationships/tracks`, 3],
    ['the ordered tracks of a playlist', `/playlists/${roadTrip}/orderedTracks`, 3],
    ['their identifiers, next to the fields of the join row', `/playlists/${roadTrip}/relationships/orderedTracks`, 3],
    ['a playlist with both, whose tracks are included once', `/playlists/${roadTrip}?include=tracks,orderedTracks`, 9],
    ['the items of a library that are tracks', '/libraries/1/items', 2],
    ['their identifiers', '/libraries/1/relationships/items', 2],
    ['a favorite that is a track: identifier and resource', '/favorites/fav-1d', 2],
  ])('%s: %s', async (_what, path, count) => {
    const tracks = tracksIn((await music.get(path)).document)
    expect(tracks).toHaveLength(count)
    for (const { meta } of tracks) expect(meta).toMatchObject({ served_by: 'music' })
  })

  test('other resources do not have it', async () => {
    const { document } = await music.get('/libraries/1/relationships/items')
    expect(document?.data).toContainEqual({ type: 'albums', id: '2' })
    expect(document?.data).toContainEqual({ type: 'artists', id: '3' })
    expect((await music.get('/albums/1')).resource).not.toHaveProperty('meta')
  })
})
