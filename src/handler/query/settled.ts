import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { FieldSpec } from '../../resource/fields/field-spec.js'
import type { FilterSpec } from '../../resource/filters/filter-spec.js'
import { isPlainObject } from '../../util/frozen.js'

/** What is known before any request of what queries mean that begin at a type. */
export interface Settled {
  /** Whether no predicate of an author's decides, request by request, what may be named or included. */
  readonly visibility: boolean
  /** Whether no scope decides, request by request, which rows are there. */
  readonly scopes: boolean
}

const known = new WeakMap<object, Settled>()

/** Looks at the type, or the types that a relation leads to, and at all that their relations lead to. */
export function settledFrom(start: ServedType | ServedRelation['related']): Settled {
  const found = known.get(start) ?? lookFrom('type' in start ? [start] : [...start.values()])
  known.set(start, found)
  return found
}

function lookFrom(start: readonly ServedType[]): Settled {
  const reached = new Set(start)
  // A set is walked to its end, also where that moves on.
  for (const { relations } of reached) {
    for (const { related } of relations.values()) for (const next of related.values()) reached.add(next)
  }
  const types = [...reached].map(({ type }) => type)
  return { visibility: types.every(isVisibilitySettled), scopes: types.every(({ scope }) => scope === null) }
}

function isVisibilitySettled({ attributes, relations }: CompiledType): boolean {
  const fields: readonly FieldSpec[] = [
    ...attributes.map(({ spec }) => spec),
    ...relations.flatMap(({ spec }) => [spec, ...Object.values(spec.pivot)]),
  ]
  return (
    fields.every(({ hidden, writeOnly }) => typeof hidden !== 'function' && typeof writeOnly !== 'function') &&
    relations.every(({ spec }) => typeof spec.cannotBeIncluded !== 'function')
  )
}

/** Whether a filter asks the same whenever it is sent the same: no function of an author's takes part. */
export function isSettledFilter(spec: FilterSpec): boolean {
  return !holdsCode(spec)
}

function holdsCode(value: unknown): boolean {
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof RegExp) return false
  if (!Array.isArray(value) && !isPlainObject(value)) return true
  return Object.values(value).some(holdsCode)
}
