import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { FieldSpec } from '../../resource/fields/field-spec.js'
import type { FilterSpecs } from '../../resource/filters/filter-spec.js'
import { isPlainObject } from '../../util/frozen.js'
import { oncePer } from '../../util/once-per.js'

/**
 * Whether no predicate of an author's decides, request by request, what may be named or included: not of the type, and
 * of none that its relations lead to.
 */
export const isVisibilitySettled: (root: ServedType) => boolean = oncePer((root) =>
  reachedFrom(root).every(isSettledType),
)

function reachedFrom(root: ServedType): readonly CompiledType[] {
  const reached = new Set([root])
  // A set is walked to its end, also where that moves on.
  for (const { relations } of reached) {
    for (const { related } of relations.values()) for (const next of related.values()) reached.add(next)
  }
  return [...reached].map(({ type }) => type)
}

function isSettledType({ attributes, relations }: CompiledType): boolean {
  const fields: readonly FieldSpec[] = [
    ...attributes.map(({ spec }) => spec),
    ...relations.flatMap(({ spec }) => [spec, ...Object.values(spec.pivot)]),
  ]
  return (
    fields.every(({ hidden, writeOnly }) => typeof hidden !== 'function' && typeof writeOnly !== 'function') &&
    relations.every(({ spec }) => typeof spec.cannotBeIncluded !== 'function')
  )
}

/**
 * Whether filters ask the same whenever the same is sent: no function of an author's takes part. Those count that were
 * sent, or have a default.
 */
export function areFiltersSettled(filters: FilterSpecs, sent: ReadonlyMap<string, unknown>): boolean {
  const used = Object.entries(filters).filter(([key, spec]) => sent.has(key) || spec.default !== null)
  return used.every(([, spec]) => !holdsCode(spec))
}

function holdsCode(value: unknown): boolean {
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof RegExp) return false
  if (!Array.isArray(value) && !isPlainObject(value)) return true
  return Object.values(value).some(holdsCode)
}
