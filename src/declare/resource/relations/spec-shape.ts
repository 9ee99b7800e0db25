import type { AttributeSpec } from '../fields/attribute-declaration.js'
import { isAttribute } from '../fields/attribute-declaration.js'
import type { IdSpec } from '../fields/id-declaration.js'
import type { FilterSpec } from '../filters/filter-spec.js'
import type { SortSpec } from '../sorts/sort-spec.js'
import type { RelationSpec } from './relation-spec.js'

/** The specification of a field: an id, an attribute or a relation. */
export type AnySpec = IdSpec | AttributeSpec | RelationSpec

/** An object whose members are not verified yet. */
type UncheckedObject = Readonly<Record<string, unknown>>

/**
 * Returns the specification of a declaration, or `null` if the value is not a declaration. Checks the shape instead of
 * the class, so that two copies of the package in one process accept each other's declarations.
 */
export function specOf(declared: unknown): AnySpec | null {
  if (isAttribute(declared)) return declared.spec
  if (!isObject(declared) || !isObject(declared['spec'])) return null
  const { spec } = declared
  const isSpec = Array.isArray(spec['constraints']) && Array.isArray(spec['faults']) && hasRoleMembers(spec)
  return isSpec ? (spec as unknown as AnySpec) : null
}

function hasRoleMembers({ role, fallback, traits, targets, pivot, filters, sorts }: UncheckedObject): boolean {
  if (role === 'id') return isObject(fallback)
  const objects = [traits, pivot, filters, sorts]
  return role === 'relation' && objects.every(isObject) && Array.isArray(targets)
}

/** Returns the specification of a filter, or `null` if the value is not a filter. */
export function filterSpecOf(declared: unknown): FilterSpec | null {
  return isObject(declared) && isFilterSpec(declared['spec']) ? declared['spec'] : null
}

export function isFilterSpec(spec: unknown): spec is FilterSpec {
  return (
    isObject(spec) &&
    isObject(spec['test']) &&
    typeof spec['test']['kind'] === 'string' &&
    (!['all', 'any'].includes(spec['test']['kind']) || isObject(spec['test']['filters'])) &&
    Array.isArray(spec['constraints']) &&
    Array.isArray(spec['faults'])
  )
}

/** Returns the specification of a sort, or `null` if the value is not a sort. */
export function sortSpecOf(declared: unknown): SortSpec | null {
  if (!isObject(declared) || !isObject(declared['spec'])) return null
  return typeof declared['spec']['kind'] === 'string' ? (declared['spec'] as unknown as SortSpec) : null
}

function isObject(value: unknown): value is UncheckedObject {
  return typeof value === 'object' && value !== null
}
