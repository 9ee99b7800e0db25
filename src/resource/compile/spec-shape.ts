import type { AttributeSpec } from '../fields/attribute-declaration.js'
import type { IdSpec } from '../fields/id-declaration.js'
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
  if (!isObject(declared) || !isObject(declared['spec'])) return null
  const { spec } = declared
  const sound = Array.isArray(spec['constraints']) && Array.isArray(spec['faults']) && hasParts(spec)
  return sound ? (spec as unknown as AnySpec) : null
}

function hasParts(spec: Loose): boolean {
  switch (spec['role']) {
    case 'id':
      return isObject(spec['fallback'])
    case 'attribute':
      return isKind(spec['kind']) && isObject(spec['children']) && isObject(spec['variants'])
    case 'relation':
      return isObject(spec['traits']) && Array.isArray(spec['targets']) && isObject(spec['pivot'])
    default:
      return false
  }
}

function isKind(kind: unknown): boolean {
  return isObject(kind) && isObject(kind['schema']) && Array.isArray(kind['families'])
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
