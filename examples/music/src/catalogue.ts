import { atomic, createServer, type HttpHandle } from 'ashlar'
import { catalogueData } from './data.js'
import { seeds } from './seeds.js'
import { albums } from './types/albums.js'
import { artists } from './types/artists.js'
import { devices } from './types/devices.js'
import { genres } from './types/genres.js'
import { playlists } from './types/playlists.js'
import { tracks } from './types/tracks.js'

/** The music catalogue: every type, over rows in memory. */
export function catalogue(): HttpHandle {
  const resources = [artists, albums, tracks, playlists, devices, genres] as const
  return createServer({ resources, data: catalogueData(), maxIncludeDepth: 3, extensions: [atomic()] }).handle
}

/** Requests to try, from the address of a running catalogue on. */
export function requestsToTry(url: string): readonly string[] {
  const created = JSON.stringify({ data: { type: 'artists', attributes: { name: 'Portishead' } } })
  return [
    `curl '${url}/albums/1?include=artist,tracks'`,
    `curl -g '${url}/tracks?filter[genres]=jazz,electronic&sort=-title&page[size]=3&fields[tracks]=displayTitle'`,
    `curl '${url}/playlists/${seeds.playlists[0].id}/orderedTracks'`,
    `curl -i '${url}/artists' -H 'Content-Type: application/vnd.api+json' -d '${created}'`,
  ]
}
