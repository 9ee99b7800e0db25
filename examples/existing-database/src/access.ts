import { type Policy, rowRules } from 'ashlar'
import type { Employee } from './authentication.js'

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
