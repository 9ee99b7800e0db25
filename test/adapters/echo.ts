import type { HttpRequest } from '../../src/core/http/request.js'
import type { HttpHandle, HttpResponse } from '../../src/core/http/response.js'

/** The request as the echo returns it in its JSON body. */
export interface Echo {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly origin: string
  readonly accept: string | null
  readonly hasBody: boolean
  readonly body: string | null
}

export const BODY_LIMIT = 1000

/**
 * A minimal server. `/status/204` responds with that status and no body, `/slow` is slow, `/throws` and `/rejects` violate the contract
 * of a handler, `/bad-header` responds with a header that no host can send, `/ignores-body` does not read the body.
 */
export const echo: HttpHandle = (request) => {
  if (request.path === '/throws') throw new Error('secret')
  return reply(request)
}

async function reply(request: HttpRequest): Promise<HttpResponse> {
  const { path } = request
  if (path.startsWith('/status/')) return { status: Number(path.slice(8)), headers: ['X-Echo', 'yes'], body: null }
  if (path === '/rejects') throw new Error('secret')
  if (path === '/bad-header') return { status: 200, headers: ['X-Bad', 'a\r\nb'], body: 'x' }
  if (path === '/bytes') return { status: 200, headers: [], body: Uint8Array.from([0, 255, 1]) }
  if (path === '/cookies') return { status: 200, headers: ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'], body: 'å' }
  if (path === '/ignores-body') return { status: 404, headers: [], body: 'no' }
  if (path === '/slow') await new Promise((resolve) => setTimeout(resolve, 150))
  const bytes = await request.body(BODY_LIMIT)
  if (bytes === 'too-large') return { status: 413, headers: [], body: 'too large' }
  const document: Echo = {
    method: request.method,
    path,
    query: request.query,
    origin: request.origin,
    accept: request.header('accept') ?? null,
    hasBody: request.hasBody,
    body: bytes === null ? null : new TextDecoder().decode(bytes),
  }
  return { status: 200, headers: ['Content-Type', 'application/vnd.api+json'], body: JSON.stringify(document) }
}
