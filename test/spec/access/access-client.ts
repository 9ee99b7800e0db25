import { authenticate, HttpError } from 'ashlar'
import type { HttpHandle } from '../../../src/core/http/response.js'
import type { TestClient, TestResponse } from 'ashlar/testing'
import { client } from '../../support/client.js'

/** The caller is a number, which a request sends as its credentials. */
export const byNumber = authenticate({
  challenge: 'Number',
  caller(request) {
    const sent = request.header('authorization')
    if (sent === undefined) return null
    if (!/^[0-9]+$/.test(sent)) throw new HttpError(401)
    return { id: Number(sent) }
  },
})

export const idOf = (caller: unknown): number => (caller as { readonly id: number }).id

type Send = (
  method: string,
  path: string,
  sent?: { readonly as?: number; readonly body?: object; readonly type?: string },
) => Promise<TestResponse>

/** Sends requests as a caller; without `as`, anonymously. `type` is the media type, if it is not the usual one. */
export function sender(server: { readonly handle: HttpHandle }): Send {
  const api: TestClient = client(server)
  return (method, path, { as, body, type } = {}) =>
    api.request(method, path, {
      headers: {
        ...(as === undefined ? {} : { Authorization: String(as) }),
        ...(type === undefined ? {} : { Accept: type, 'Content-Type': type }),
      },
      ...(body === undefined ? {} : { body }),
    })
}

/** The ids of the resources of a response. */
export const idsIn = ({ resources }: TestResponse): readonly string[] => resources.map(({ id }) => id ?? '')
