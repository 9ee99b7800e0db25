import type { Role } from '../model/contract.js'

/** Returns whether clients read the values of a role. Otherwise they send them. */
export function isResponse(role: Role): boolean {
  return role === 'read' || role === 'response'
}

export function isSent(role: Role): boolean {
  return !isResponse(role)
}

const roleNames: Readonly<Record<Role, string>> = Object.freeze({
  read: 'responses',
  create: 'requests that create',
  update: 'requests that update',
  input: 'documents of actions',
  change: 'requests that change the relationship',
  query: 'requests',
  request: 'requests',
  response: 'responses',
})

/** Returns roles as text: `requests that create and responses`. */
export function rolesText(roles: readonly Role[]): string {
  const isAnyRequest = roles.includes('create') && roles.includes('update')
  const texts = roles.map((role) => (isAnyRequest && !isResponse(role) ? 'requests' : roleNames[role]))
  // Responses come first.
  return [...new Set(texts)].toSorted((a, b) => Number(b === 'responses') - Number(a === 'responses')).join(' and ')
}
