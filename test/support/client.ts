import { env } from 'node:process'
import type { HttpHandle } from '../../src/core/http/response.js'
import { testClient, type TestClient } from 'ashlar/testing'
import { queryRequest, type TestClientOptions } from '../../src/tools/testing/test-client.js'
import { expect } from 'vitest'
import { checkExchange, describesItself, isInSample } from './described-exchange.js'
import { recordProvoked } from './provoked.js'

interface ClientOptions extends TestClientOptions {
  /**
   * Whether requests and responses are held to the OpenAPI document of the server. `false` is for servers of which code of the test
   * replaces responses; say why. `always` checks all of them, `true` one of each kind in each file for a few servers, and all of them if the
   * variable `ASHLAR_DESCRIBED` is `all`. Default: true, unless the variable is 0.
   */
  readonly isDescribed?: boolean | 'always'
}

/**
 * The client of every test of this project: it notes the error codes it sees, for the check that every code occurs, and holds
 * requests and responses to the OpenAPI document of their server.
 */
export function client(
  server: { readonly handle: HttpHandle },
  { isDescribed = env['ASHLAR_DESCRIBED'] !== '0', ...options }: ClientOptions = {},
): TestClient {
  const inner = testClient(server, {
    ...options,
    onResponse(response, request) {
      // Only an HttpError of an application has an empty detail, and it has no code.
      const empty = response.errors.filter(({ code, detail }) => code !== undefined && detail === '')
      // There are many responses: an expectation for each takes longer than some of them.
      if (empty.length > 0) expect(empty).toEqual([])
      recordProvoked(response.errors.flatMap(({ code }) => (code === undefined ? [] : [code])))
      options.onResponse?.(response, request)
    },
  })
  if (!isDescribed || !describesItself(server)) return inner
  const { origin = 'http://localhost' } = options
  const host = origin.slice(origin.indexOf('://') + 3)
  const request: TestClient['request'] = async (method, target, sent = {}) => {
    const response = await inner.request(method, target, sent)
    const exchange = { method, target, host, sent, response }
    if (isDescribed === 'always' || isInSample(server, exchange)) checkExchange(server, exchange)
    return response
  }
  return Object.freeze<TestClient>({
    request,
    get: (path, sent) => request('GET', path, sent),
    query: (path, query, sent) => request(...queryRequest(path, query, sent)),
    post: (path, sent) => request('POST', path, sent),
    patch: (path, sent) => request('PATCH', path, sent),
    put: (path, sent) => request('PUT', path, sent),
    delete: (path, sent) => request('DELETE', path, sent),
  })
}

/** A document with one resource object, as a client sends it. */
export function resourceBody(
  type: string,
  attributes: Readonly<Record<string, unknown>> = {},
  id?: unknown,
): { readonly data: object } {
  return { data: { type, ...(id === undefined ? {} : { id }), attributes } }
}
