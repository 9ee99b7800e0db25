import { authenticate, HttpError, type Policy, rowRules } from 'ashlar'

/** The caller of a request: an employee of the shop. */
interface Employee {
  readonly id: number
}

/** Tokens for development. In your service, look them up in a table or verify JSON Web Tokens. */
const tokens: ReadonlyMap<string, Employee> = new Map([
  ['dev-adams', { id: 1 }],
  ['dev-edwards', { id: 2 }],
])

/** Middleware that sets the caller of every request with a token. */
export const byToken = authenticate({
  challenge: 'Bearer realm="shop"',
  caller(request) {
    const header = request.header('authorization')
    if (header === undefined) return null
    const caller = tokens.get(header.replace(/^Bearer +/i, ''))
    if (caller === undefined) throw new HttpError(401, 'The token is not valid.')
    return caller
  },
})

const p = rowRules<{ readonly soldBy: number | null }>()

const employee = p.signedIn()

/** Everyone may read. Only employees may write. */
export const catalogue = (): Policy => ({
  viewAny: true,
  view: true,
  create: employee,
  update: employee,
  delete: employee,
})

/** Employees may read. No one may write. */
export const internal = (): Policy => ({ viewAny: employee, view: employee })

/** Matches orders that the caller has sold. */
const soldByCaller = p.signedIn(({ caller }) => p.eq('soldBy', (caller as Employee).id))

/** Employees may read all orders, and write the orders that they have sold. */
export const orderPolicy = (): Policy => ({
  ...internal(),
  create: soldByCaller,
  update: soldByCaller,
  delete: soldByCaller,
})
