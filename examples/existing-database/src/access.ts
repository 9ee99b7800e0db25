import { authenticate, HttpError, type Policy, rowRules } from 'ashlar'

/** Who calls: an employee of the shop. */
interface Employee {
  readonly id: number
}

/** Tokens for development. In a service of yours, look them up in a table or verify JSON Web Tokens. */
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

const employee = p.signedIn(() => true)

/** Everybody reads, employees write. */
export const catalogue = (): Policy => ({
  viewAny: true,
  view: true,
  create: employee,
  update: employee,
  delete: employee,
})

/** Employees read, and nobody writes. */
export const internal = (): Policy => ({ viewAny: employee, view: employee })

/** An order that the caller has sold. */
const soldByCaller = p.signedIn(({ caller }) => p.eq('soldBy', (caller as Employee).id))

/** Employees read, and change what they have sold. */
export const orderPolicy = (): Policy => ({
  ...internal(),
  create: soldByCaller,
  update: soldByCaller,
  delete: soldByCaller,
})
