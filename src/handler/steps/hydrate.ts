import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { AttributeSpec, ChildSpecs } from '../../resource/fields/attribute-declaration.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
import { isPlainObject } from '../../util/frozen.js'
import { isWritable } from './is-writable.js'
import type { ResourceDocument } from './resource-document.js'

/** Columns to set. */
type Columns = Record<string, unknown>

export interface Hydration {
  readonly mode: 'create' | 'update'
  readonly context: RequestContext
  /** What is stored, `null` on create. */
  readonly row: RowObject | null
}

/** The columns that a valid document sets. A hydrator of the author's takes over; else each attribute writes its own. */
export async function hydrate(
  { type, hydrator }: ServedType,
  document: ResourceDocument,
  hydration: Hydration,
): Promise<Readonly<Columns>> {
  const { id, attributes } = document
  if (hydrator !== null) return hydrator.hydrate({ id, attributes }, hydration.row, hydration.context)
  const columns: Columns = {}
  for (const attribute of type.attributes) {
    const { name, spec, column } = attribute
    if (!Object.hasOwn(attributes, name) || !isWritable(attribute, hydration.mode, hydration.context)) continue
    const value = attributes[name]
    if (spec.fill !== null) Object.assign(columns, spec.fill(hydration.row ?? {}, value, attributes, name))
    else if (spec.kind.children === 'columns') Object.assign(columns, mapColumns(spec.children, value, hydration.row))
    else if (column !== null) columns[column] = storedValue(spec, value, hydration.row?.[column], attributes)
  }
  return columns
}

/** `null` clears every column of a map; what is not sent keeps its column. */
function mapColumns(children: ChildSpecs, value: unknown, row: RowObject | null): Columns {
  const columns: Columns = {}
  for (const [name, child] of Object.entries(children)) {
    if (isReadOnly(child)) continue
    const column = child.storedAs ?? name
    if (value === null) columns[column] = null
    else if (isPlainObject(value) && Object.hasOwn(value, name)) {
      columns[column] = storedValue(child, value[name], row?.[column], value)
    }
  }
  return columns
}

/** Wire to stored. Objects are merged over what is stored, so that a PATCH may send some of their members. */
function storedValue(
  spec: AttributeSpec,
  value: unknown,
  stored: unknown,
  siblings: Readonly<Record<string, unknown>>,
): unknown {
  if (spec.deserialize !== null) return spec.deserialize(value, siblings)
  if (value === null || !isPlainObject(value)) return value === null ? null : spec.kind.write(value)
  switch (spec.kind.children) {
    case 'value':
      return mergedMembers(spec.children, value, stored)
    case 'variants':
      return variantMembers(spec, value, stored)
    default:
      return spec.kind.write(value)
  }
}

function mergedMembers(children: ChildSpecs, sent: RowObject, stored: unknown): Columns {
  const old = isPlainObject(stored) ? stored : {}
  const members: Columns = { ...old }
  for (const [name, child] of Object.entries(children)) {
    if (isReadOnly(child) || !Object.hasOwn(sent, name)) continue
    const member = child.storedAs ?? name
    members[member] = storedValue(child, sent[name], old[member], sent)
  }
  return members
}

/** Another variant starts afresh: the members of the old one mean nothing in it. */
function variantMembers(spec: AttributeSpec, sent: RowObject, stored: unknown): Columns {
  const variant = String(sent[spec.discriminator])
  const same = isPlainObject(stored) && stored[spec.discriminator] === variant
  return { ...mergedMembers(spec.variants[variant] ?? {}, sent, same ? stored : null), [spec.discriminator]: variant }
}

function isReadOnly(child: AttributeSpec): boolean {
  return child.readOnlyOnCreate === true && child.readOnlyOnUpdate === true
}
