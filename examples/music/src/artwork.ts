import { type HttpRequest, type HttpResponse, JsonApiError, type ServerHandle } from 'ashlar'
import type { Kysely } from 'kysely'
import { callerOf, challenge } from './access/tokens.js'
import type { Tables } from './tables.js'

/** Adds a custom route to the routes of the service: the pictures to which the attribute `artwork` of albums refers. */
export function withArtwork(handle: ServerHandle, db: Kysely<Tables>): ServerHandle {
  return async (request, options) => {
    const [, albumId] = /^\/artwork\/(\d{1,9})$/.exec(request.path) ?? []
    if (albumId === undefined || !['GET', 'HEAD'].includes(request.method)) return handle(request, options)
    // No middleware runs for a custom route, so it checks the token itself.
    const isSignedIn = options?.caller === undefined ? await hasToken(request, db) : options.caller !== null
    if (!isSignedIn) return text(401, 'A picture needs a token.', 'WWW-Authenticate', challenge)
    const picture = await db
      .selectFrom('artworks')
      .select(['mediaType', 'content'])
      .where('albumId', '=', Number(albumId))
      .executeTakeFirst()
    if (picture === undefined) return text(404, 'No such picture.')
    const headers = ['Content-Type', picture.mediaType, 'X-Content-Type-Options', 'nosniff']
    return { status: 200, headers, body: picture.content }
  }
}

async function hasToken(request: HttpRequest, db: Kysely<Tables>): Promise<boolean> {
  try {
    return (await callerOf(request, db)) !== null
  } catch (error) {
    if (error instanceof JsonApiError && error.status === 401) return false
    throw error
  }
}

function text(status: number, body: string, ...headers: readonly string[]): HttpResponse {
  return { status, headers: ['Content-Type', 'text/plain', ...headers], body }
}
