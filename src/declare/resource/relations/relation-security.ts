import type { RelationSpec } from './relation-spec.js'

type Secured = Pick<RelationSpec, 'security'>

/** Returns whether the endpoints that read a relation need the ability that reads of the owner need. */
export function inheritsRead({ security }: Secured): boolean {
  const read = security?.read
  return read !== false && typeof read !== 'string'
}

/** Returns the ability that a change of a relation needs; `null` if it needs none. */
export function mutateAbility({ security }: Secured): string | null {
  const mutate = security?.mutate
  if (mutate === false) return null
  return typeof mutate === 'string' ? mutate : 'update'
}

/** Returns whether a relation declares the ability that changes need. Then statements that write whole resources cannot check it. */
export function hasOwnMutateAbility({ security }: Secured): boolean {
  return security?.mutate === false || typeof security?.mutate === 'string'
}
