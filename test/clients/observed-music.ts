import type { HttpHandle } from '../../src/core/http/response.js'
import type { Listening } from 'ashlar/node'
import { responseProblems } from 'ashlar/testing'
import { afterEach, beforeAll, expect } from 'vitest'
import { testResponse } from '../../src/tools/testing/test-response.js'
import type { MusicService } from '../support/music-service.js'

/** A request as it arrived at the service. */
export interface SeenRequest {
  /** Method and target, the target decoded so that it can be read. */
  readonly line: string
  readonly contentType: string | undefined
  readonly hasBody: boolean
  /** The body that the service read; `null` if there is none, or it was not read. */
  readonly body: string | null
}

/** The music catalogue over HTTP, with its first rows for every test, and a record of the exchanges. */
export interface ObservedMusic {
  readonly url: string
  readonly port: number
  /** Every request of the test so far. */
  readonly seen: readonly SeenRequest[]
  /** The last one. */
  last(): SeenRequest
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] }

/** For a `describe`: opens the catalogue for its tests, and fails those in which a response violates the format. */
export function observedMusic(open: () => MusicService): ObservedMusic {
  const seen: Writable<SeenRequest>[] = []
  const problems: string[] = []
  const service = open()
  let listening: Listening

  beforeAll(async () => {
    listening = await service.listen(observed(service.adminHandle, seen, problems))
  })
  afterEach(() => {
    expect(problems.splice(0)).toEqual([])
    seen.length = 0
  })

  return {
    seen,
    get url() {
      return listening.url
    },
    get port() {
      return listening.port
    },
    last() {
      const last = seen.at(-1)
      if (last === undefined) throw new Error('No request has come yet.')
      return last
    },
  }
}

function observed(handle: HttpHandle, seen: Writable<SeenRequest>[], problems: string[]): HttpHandle {
  return async (request) => {
    const { method, path, query, origin, hasBody } = request
    const target = query === '' ? path : `${path}?${query}`
    const note: Writable<SeenRequest> = {
      line: `${method} ${decodeURIComponent(target)}`,
      contentType: request.header('content-type'),
      hasBody,
      body: null,
    }
    seen.push(note)
    const response = await handle({
      method,
      path,
      query,
      origin,
      hasBody,
      header: (name) => request.header(name),
      async body(limit) {
        const bytes = await request.body(limit)
        note.body = bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : null
        return bytes
      },
      onAbort: (listener) => request.onAbort?.(listener) ?? (() => undefined),
    })
    const found = responseProblems(testResponse(response, method), { method, path: target })
    problems.push(...found.map(({ pointer, problem }) => `${note.line}: ${pointer} ${problem}`))
    return response
  }
}
