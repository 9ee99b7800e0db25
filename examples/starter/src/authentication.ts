import { createHash, timingSafeEqual } from 'node:crypto'
import { authenticate, HttpError } from 'ashlar'

/** The token of the only caller. Without the variable, no one can sign in. */
const token = process.env['API_TOKEN']

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Sets the caller of a request by its header: `Authorization: Bearer <API_TOKEN>`. For several callers, verify JSON Web Tokens with jwtBearer()
 * of ashlar/jwt, or find the session or the key of the request in a table.
 */
export const authentication = authenticate({
  challenge: 'Bearer',
  caller(request) {
    const header = request.header('authorization')
    if (header === undefined) return null
    const sent = digest(header.replace(/^Bearer +/i, ''))
    if (token === undefined || !timingSafeEqual(sent, digest(token)))
      throw new HttpError(401, 'The token is not valid.')
    return { name: 'API_TOKEN' }
  },
})
