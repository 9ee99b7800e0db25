import type { HttpHandle } from 'ashlar'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.js'

/** A route of our own beside those of the service: the pictures that albums name as their `artwork`. */
export function withArtwork(handle: HttpHandle, db: Kysely<Tables>): HttpHandle {
  return async (request) => {
    const [, albumId] = /^\/artwork\/(\d{1,9})$/.exec(request.path) ?? []
    if (albumId === undefined || !['GET', 'HEAD'].includes(request.method)) return handle(request)
    const picture = await db
      .selectFrom('artworks')
      .select(['mediaType', 'content'])
      .where('albumId', '=', Number(albumId))
      .executeTakeFirst()
    if (picture === undefined) return { status: 404, headers: ['Content-Type', 'text/plain'], body: 'No such picture.' }
    const headers = ['Content-Type', picture.mediaType, 'X-Content-Type-Options', 'nosniff']
    return { status: 200, headers, body: picture.content }
  }
}
