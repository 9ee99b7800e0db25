import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../resource/compiled-type.js'
import type { AttributeSpec, ChildSpecs } from '../../resource/fields/attribute-declaration.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
import { isPlainObject } from '../../util/frozen.js'
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
}

/** The columns that a valid document sets. A hydrator of the author's takes over; else each attribute writes its own. */
export async function hydrate(
  served: ServedType,
  document: ResourceDocument,
  hydration: Hydration,
): Promise<Readonly<Columns>> {
  const { row, context, writable } = hydration
  if (served.hydrator !== null) {
    const attributes = writableOnes(served, document, writable)
    return served.hydrator.hydrate({ id: document.id, attributes }, row, context)
  }
  const { attributes } = document
  const columns: Columns = {}
  for (const { name, spec, column } of writable) {
    if (!Object.hasOwn(attributes, name)) continue
    const value = attributes[name]
    if (spec.fill !== null) Object.assign(columns, await spec.fill(row ?? {}, value, attributes, name))
    else if (spec.kind.children === 'columns') await writeMembers(spec.children, value, row ?? {}, columns)
    else if (column !== null) columns[column] = await storedValue(spec, value, row?.[column], attributes)
  }
  return columns
}

/** The columns that fields of a join row set. */
export async function hydrateFields(
  fields: ChildSpecs,
  sent: RowObject,
  stored: RowObject,
): Promise<Readonly<Columns>> {
  const columns: Columns = {}
  await writeMembers(fields, sent, stored, columns)
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
async function writeMembers(children: ChildSpecs, sent: unknown, stored: RowObject, owner: Columns): Promise<void> {
  for (const [name, child] of Object.entries(children)) {
    const cleared = sent === null
    if (!isWritableChild(child) || (!cleared && !(isPlainObject(sent) && Object.hasOwn(sent, name)))) continue
    const value = cleared ? null : (sent as RowObject)[name]
    const member = child.storedAs ?? name
    // The children of a map are members of its owner, however deep it stands.
    if (child.kind.children === 'columns') await writeMembers(child.children, value, stored, owner)
    // A null that was there before may be none that a client may send, and none that its function knows.
    else if (value === null && stored[member] === null) owner[member] = null
    else owner[member] = cleared ? null : await storedValue(child, value, stored[member], sent)
  }
}

/** Wire to stored. Objects are merged over what is stored, so that a PATCH may send some of their members. */
export async function storedValue(
  spec: AttributeSpec,
  value: unknown,
  stored: unknown,
  siblings: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (spec.deserialize !== null) return spec.deserialize(value, siblings)
  if (value === null) return null
  if (!isPlainObject(value)) return spec.kind.write(value)
  switch (spec.kind.children) {
    case 'value':
      return merged(spec.children, value, stored)
    case 'variants':
      return mergedVariant(spec, value, stored)
    default:
      return spec.kind.write(value)
  }
}

async function merged(children: ChildSpecs, sent: RowObject, stored: unknown): Promise<Columns> {
  const kept = isPlainObject(stored) ? stored : {}
  const members: Columns = { ...kept }
  await writeMembers(children, sent, kept, members)
  return members
}

/** Another variant starts afresh: the members of the old one mean nothing in it. */
async function mergedVariant(spec: AttributeSpec, sent: RowObject, stored: unknown): Promise<Columns> {
  const variant = String(sent[spec.discriminator])
  const same = isPlainObject(stored) && stored[spec.discriminator] === variant
  const members = await merged(spec.variants[variant] ?? {}, sent, same ? stored : null)
  return { ...members, [spec.discriminator]: variant }
}
