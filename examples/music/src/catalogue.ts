import { createServer, type HttpHandle } from 'ashlar'
import { catalogueData } from './data.js'
import { albums } from './types/albums.js'
import { artists } from './types/artists.js'
import { devices } from './types/devices.js'
import { genres } from './types/genres.js'
import { tracks } from './types/tracks.js'

/** The music catalogue: every type, over rows in memory. */
export function catalogue(): HttpHandle {
  return createServer({ resources: [artists, albums, tracks, devices, genres], data: catalogueData() }).handle
}

/** Requests to try, from the address of a running catalogue on. */
export function requestsToTry(url: string): readonly string[] {
  const created = JSON.stringify({ data: { type: 'artists', attributes: { name: 'Portishead' } } })
  return [
    `curl '${url}/albums/1'`,
    `curl -g '${url}/tracks?fields[tracks]=displayTitle,durationSeconds'`,
    `curl -i '${url}/artists' -H 'Content-Type: application/vnd.api+json' -d '${created}'`,
  ]
}
