import type { HttpHandle } from 'ashlar'
import { testClient, type TestClient, type TestClientOptions } from 'ashlar/testing'
import { recordProvoked } from './provoked.js'

/** The client of every test of this project: it notes the error codes it sees, for the check that every code occurs. */
export function client(server: { readonly handle: HttpHandle }, options: TestClientOptions = {}): TestClient {
  return testClient(server, {
    ...options,
    onResponse(response, request) {
      recordProvoked(response.errors.flatMap(({ code }) => (code === undefined ? [] : [code])))
      options.onResponse?.(response, request)
    },
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
