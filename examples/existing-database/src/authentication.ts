import { authenticate, fail } from 'ashlar'

/** The caller of a request: an employee of the shop. */
export interface Employee {
  readonly id: number
}

/** Tokens for development. In your service, look them up in a table or verify JSON Web Tokens. */
const tokens: ReadonlyMap<string, Employee> = new Map([
  ['dev-adams', { id: 1 }],
  ['dev-edwards', { id: 2 }],
])

/** Finds the caller of a request by its token. */
export const authentication = authenticate({
  challenge: 'Bearer realm="shop"',
  caller(request) {
    const header = request.header('authorization')
    if (header === undefined) return null
    const caller = tokens.get(header.replace(/^Bearer +/i, ''))
    if (caller === undefined) fail('UNAUTHENTICATED')
    return caller
  },
})
