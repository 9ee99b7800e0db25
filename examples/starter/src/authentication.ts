import { createHash, timingSafeEqual } from 'node:crypto'
import { authenticate, fail } from 'ashlar'

/**
 * Finds the caller of a request, for policies and hooks. It accepts one token, that of the variable API_TOKEN:
 * `Authorization: Bearer …`. Without the variable, no one can sign in.
 *
 * A token for each person is the next step: `jwtBearer()` of `ashlar/jwt` verifies the tokens of a sign-in service, and `caller` may
 * also find the session of a cookie.
 */
export const authentication = authenticate({
  challenge: 'Bearer realm="api"',
  caller(request) {
    const header = request.header('authorization')
    if (header === undefined) return null
    const [, sent = ''] = /^Bearer +(\S+)$/i.exec(header) ?? []
    const token = process.env['API_TOKEN']
    if (!token || !isSame(sent, token)) fail('UNAUTHENTICATED')
    return { name: 'owner' }
  },
})

/** Takes the same time for all texts, so that no client can find the token piece by piece. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return first !== undefined && second !== undefined && timingSafeEqual(first, second)
}
