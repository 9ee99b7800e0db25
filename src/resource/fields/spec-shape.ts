import type { AttributeSpec } from './attribute-declaration.js'
import { isAttribute } from './attribute-declaration.js'
import type { IdSpec } from './id-declaration.js'
import type { FilterSpec } from '../filters/filter-spec.js'
import type { RelationSpec } from '../relations/relation-spec.js'

/** A field's specification, whichever role it plays. */
export type AnySpec = IdSpec | AttributeSpec | RelationSpec

/** Members by name that no one vouches for. */
type Loose = Readonly<Record<string, unknown>>

/**
 * The specification that a declaration holds; `null` for what is none. Asks for the shape instead of the class, so that
 * two copies of the package in one process agree.
 */
export function specOf(declared: unknown): AnySpec | null {
  if (isAttribute(declared)) return declared.spec
  if (!isObject(declared) || !isObject(declared['spec'])) return null
  const { spec } = declared
  const sound = Array.isArray(spec['constraints']) && Array.isArray(spec['faults']) && hasParts(spec)
  return sound ? (spec as unknown as AnySpec) : null
}

function hasParts({ role, fallback, traits, targets, pivot, filters, sorts }: Loose): boolean {
  if (role === 'id') return isObject(fallback)
  const objects = [traits, pivot, filters, sorts]
  return role === 'relation' && objects.every(isObject) && Array.isArray(targets)
}

/** The specification of a filter; `null` for what is none. */
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

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null
}
