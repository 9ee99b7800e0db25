import type { Row } from '../../../core/rows/row-set.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { CompiledAttribute } from '../compiled/compiled-type.js'
import type { AttributeSpec, ChildSpecs } from '../fields/attribute-declaration.js'
import { guardHides, isGuarded } from '../fields/field-guard.js'
import type { FieldSpec, RowObject } from '../fields/field-spec.js'
import type { RequestContext } from '../request/request-context.js'

/** Returned instead of a value if a predicate hides the attribute. */
export const absent: unique symbol = Symbol('absent')

/** Reads the wire value of one attribute. `object` is `null` unless `needsRowObject` returns true. */
export type AttributeReader = (row: Row, object: RowObject | null, context: RequestContext) => unknown

/** Returns whether reading the attribute needs the row as an object, for user-defined functions or child columns. */
export function needsRowObject({ spec }: CompiledAttribute): boolean {
  return (
    spec.serialize !== null ||
    spec.extract !== null ||
    typeof spec.hidden === 'function' ||
    isGuarded(spec) ||
    spec.kind.children === 'columns'
  )
}

/** Returns whether the attribute is always the value of one column, converted only by the kind of the attribute. */
export function readsPlainColumn(attribute: CompiledAttribute): boolean {
  const { spec } = attribute
  return (
    typeof spec.writeOnly !== 'function' &&
    !needsRowObject(attribute) &&
    spec.kind.children === 'none' &&
    spec.sorted === 'none'
  )
}

/** Returns the reader of an attribute for rows with these columns. */
export function attributeReader(attribute: CompiledAttribute, columns: readonly string[]): AttributeReader {
  const { name, spec, valueColumn } = attribute
  const read = valueReader(name, spec, valueColumn === null ? -1 : columns.indexOf(valueColumn))
  const mayBeHidden = typeof spec.hidden === 'function' || typeof spec.writeOnly === 'function' || isGuarded(spec)
  if (!mayBeHidden) return read
  return (row, object, context) => (isHiddenFrom(spec, object ?? {}, context) ? absent : read(row, object, context))
}

/** Returns whether a predicate or a guard hides a field of this row in this request. */
export function isHiddenFrom(spec: FieldSpec, object: RowObject, context: RequestContext): boolean {
  const { hidden, writeOnly } = spec
  if (guardHides(spec, object) || (typeof hidden === 'function' && hidden(object, context))) return true
  return typeof writeOnly === 'function' && writeOnly(context)
}

/**
 * Precedence: `serializeUsing`, then `extractUsing` with the conversion of the kind, then the column with that
 * conversion.
 */
function valueReader(name: string, spec: AttributeSpec, position: number): AttributeReader {
  const { serialize, extract, kind } = spec
  if (serialize !== null) return (_row, object, context) => serialize(object ?? {}, context, name) ?? null
  if (extract !== null)
    return (_row, object, context) => wireValue(spec, kind.returned(extract(object ?? {}, context, name)), context)
  if (kind.children === 'columns') return (_row, object, context) => childValues(spec.children, object ?? {}, context)
  return (row, _object, context) => wireValue(spec, row[position], context)
}

/** Converts a stored value to its wire value, including the children of composite attributes. */
function wireValue(spec: AttributeSpec, stored: unknown, context: RequestContext): unknown {
  if (stored === null || stored === undefined) return null
  const value = spec.kind.read(stored)
  switch (spec.kind.children) {
    case 'none':
      return sorted(spec, value)
    case 'variants':
      return isPlainObject(value) ? variantValues(spec, value, context) : value
    default:
      return isPlainObject(value) ? childValues(spec.children, value, context) : value
  }
}

function childValues(
  children: ChildSpecs,
  owner: RowObject,
  context: RequestContext,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const [name, child] of Object.entries(children)) {
    if (child.writeOnly === true || child.hidden === true) continue
    values[name] =
      child.serialize !== null
        ? (child.serialize(owner, context, name) ?? null)
        : child.kind.children === 'columns'
          ? childValues(child.children, owner, context)
          : wireValue(
              child,
              child.extract === null
                ? owner[child.storedAs ?? name]
                : child.kind.returned(child.extract(owner, context, name)),
              context,
            )
  }
  return values
}

/** Returns the children of the stored variant. A value of an undeclared variant is returned unchanged. */
function variantValues(spec: AttributeSpec, stored: RowObject, context: RequestContext): unknown {
  const variant = stored[spec.discriminator]
  const children = typeof variant === 'string' ? spec.variants[variant] : undefined
  if (children === undefined) return stored
  return { [spec.discriminator]: variant, ...childValues(children, stored, context) }
}

function sorted(spec: AttributeSpec, value: unknown): unknown {
  if (spec.sorted === 'none') return value
  if (Array.isArray(value)) return value.toSorted(ascending)
  if (!isPlainObject(value)) return value
  const index = spec.sorted === 'keys' ? 0 : 1
  return Object.fromEntries(Object.entries(value).toSorted((a, b) => ascending(a[index], b[index])))
}

function ascending(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [String(a), String(b)]
  return left < right ? -1 : left > right ? 1 : 0
}
