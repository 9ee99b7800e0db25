import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../resource/compiled-type.js'
import type { AttributeSpec, ChildSpecs } from '../../resource/fields/attribute-declaration.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
import { isPlainObject } from '../../util/frozen.js'
import type { StoredValue } from '../validation/resulting-value.js'
import { isRepeated } from '../validation/resulting-value.js'
import type { Validation } from '../validation/validation.js'
import type { ResourceDocument } from './resource-document.js'
import { isWritableChild } from './writable-attributes.js'

/** Columns to set. */
type Columns = Record<string, unknown>

export interface Hydration {
  readonly context: RequestContext
  /** The attributes that the client may write here and now. */
  readonly writable: readonly CompiledAttribute[]
  /** What is stored, `null` on create. */
  readonly row: RowObject | null
  /** The same by attribute, as the client reads it. */
  readonly stored: Validation['stored']
}

/** An owner of members: a row, or one stored value. */
interface StoredOwner extends StoredValue {
  readonly raw: RowObject
}

/**
 * The columns that a valid document sets. A hydrator of the author's takes over; else each attribute writes its own. What
 * a client sends back as it read it is not written again: the two may differ in form, and the form that is read may be
 * the poorer one. Only a function that takes over the write is asked whatever was sent.
 */
export async function hydrate(
  served: ServedType,
  document: ResourceDocument,
  hydration: Hydration,
): Promise<Readonly<Columns>> {
  const { row, context, writable, stored } = hydration
  if (served.hydrator !== null) {
    const attributes = writableOnes(served, document, writable)
    return served.hydrator.hydrate({ id: document.id, attributes }, row, context)
  }
  const { attributes } = document
  const columns: Columns = {}
  for (const { name, spec, column } of writable) {
    if (!Object.hasOwn(attributes, name)) continue
    const value = attributes[name]
    const wire = stored(name)
    if (spec.fill !== null) Object.assign(columns, await spec.fill(row ?? {}, value, attributes, name))
    else if (isRepeated(value, wire)) continue
    else if (spec.kind.children === 'columns') {
      await writeMembers(spec.children, value, { raw: row ?? {}, wire }, columns)
    } else if (column !== null) {
      columns[column] = await storedValue(spec, value, { raw: row?.[column], wire }, attributes)
    }
  }
  return columns
}

/** The columns that fields of a join row set. */
export async function hydrateFields(
  fields: ChildSpecs,
  sent: RowObject,
  kept: StoredOwner,
): Promise<Readonly<Columns>> {
  const columns: Columns = {}
  const filled = Object.entries(fields).filter(([, { fill }]) => fill !== null)
  const others = Object.entries(fields).filter(([, { fill }]) => fill === null)
  await writeMembers(Object.fromEntries(others), sent, kept, columns)
  for (const [name, { fill }] of filled) {
    if (Object.hasOwn(sent, name)) Object.assign(columns, await fill?.(kept.raw, sent[name], sent, name))
  }
  return columns
}

/** What a hydrator is shown: of the declared attributes only the writable ones, and those that only it knows. */
function writableOnes(
  { type }: ServedType,
  { attributes }: ResourceDocument,
  writable: readonly CompiledAttribute[],
): Readonly<Record<string, unknown>> {
  const names = new Set(writable.map(({ name }) => name))
  const shown = Object.entries(attributes).filter(([name]) => names.has(name) || !type.attributeNamed.has(name))
  return Object.fromEntries(shown)
}

/**
 * Writes the members that were sent to the owner that holds them: a row, or one stored value. `null` clears all of them;
 * what is not sent stays.
 */
async function writeMembers(
  children: ChildSpecs,
  sent: unknown,
  { raw, wire: read }: StoredOwner,
  owner: Columns,
): Promise<void> {
  for (const [name, child] of Object.entries(children)) {
    const cleared = sent === null
    if (!isWritableChild(child) || (!cleared && !(isPlainObject(sent) && Object.hasOwn(sent, name)))) continue
    const value = cleared ? null : (sent as RowObject)[name]
    const member = child.storedAs ?? name
    const wire = isPlainObject(read) && Object.hasOwn(read, name) ? read[name] : undefined
    if (isRepeated(value, wire)) continue
    // The children of a map are members of its owner, however deep it stands.
    if (child.kind.children === 'columns') await writeMembers(child.children, value, { raw, wire }, owner)
    // A null that was there before may be none that a client may send, and none that its function knows.
    else if (value === null && raw[member] === null) owner[member] = null
    else owner[member] = cleared ? null : await storedValue(child, value, { raw: raw[member], wire }, sent)
  }
}

/** Wire to stored. Objects are merged over what is stored, so that a PATCH may send some of their members. */
export async function storedValue(
  spec: AttributeSpec,
  value: unknown,
  kept: StoredValue,
  siblings: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (spec.deserialize !== null) return spec.deserialize(value, siblings)
  if (value === null) return null
  if (!isPlainObject(value)) return spec.kind.write(value)
  switch (spec.kind.children) {
    case 'value':
      return merged(spec.children, value, kept)
    case 'variants':
      return mergedVariant(spec, value, kept)
    default:
      return spec.kind.write(value)
  }
}

async function merged(children: ChildSpecs, sent: RowObject, { raw, wire }: StoredValue): Promise<Columns> {
  const kept = isPlainObject(raw) ? raw : {}
  const members: Columns = { ...kept }
  await writeMembers(children, sent, { raw: kept, wire }, members)
  return members
}

/** Another variant starts afresh: the members of the old one mean nothing in it. */
async function mergedVariant(spec: AttributeSpec, sent: RowObject, kept: StoredValue): Promise<Columns> {
  const variant = String(sent[spec.discriminator])
  const { raw } = kept
  const same = isPlainObject(raw) && raw[spec.discriminator] === variant
  const members = await merged(spec.variants[variant] ?? {}, sent, same ? kept : { raw: null, wire: undefined })
  return { ...members, [spec.discriminator]: variant }
}
