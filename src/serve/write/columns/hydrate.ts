import { pointer } from '../../../core/document/json-pointer.js'
import { HttpError } from '../../../core/errors/http-error.js'
import type { Problem } from '../../../core/errors/json-api-error.js'
import { failAll, JsonApiError, problem } from '../../../core/errors/json-api-error.js'
import type { ColumnValues } from '../../../declare/resource/capabilities/persister.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledAttribute, CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { AttributeSpec, ChildSpecs } from '../../../declare/resource/fields/attribute-declaration.js'
import type { RowObject, WriteValue } from '../../../declare/resource/fields/field-spec.js'
import { unchanged } from '../../../declare/resource/fields/value-kind.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import { memoize } from '../../../core/util/memoize.js'
import type { StoredValue } from '../../validation/resulting-value.js'
import { isSentBack } from '../../validation/resulting-value.js'
import type { Validation } from '../../validation/validation.js'
import { nothingStored } from '../../validation/validation.js'
import type { ResourceDocument } from '../document/resource-document.js'
import { isWritableChild } from '../../validation/writable-attributes.js'

/** Columns to set. */
export type Columns = Record<string, unknown>

/** Adds columns in a loop, because a spread takes several times as long. */
export function setAll(columns: Columns, values: ColumnValues | undefined): Columns {
  for (const column in values) if (Object.hasOwn(values, column)) columns[column] = values[column]
  return columns
}

export interface Hydration {
  readonly context: RequestContext
  /** The attributes that the client may write in this request. */
  readonly writable: readonly CompiledAttribute[]
  /** The stored row; `null` on create. */
  readonly row: RowObject | null
  /** Returns a stored attribute as the client reads it. */
  readonly stored: Validation['stored']
  /** The maximum number of problems to report. */
  readonly limit: number
}

/** A stored object whose members are written: a row, or one composite value. */
interface StoredOwner extends StoredValue {
  readonly raw: RowObject
}

/** The position of a value in the body. */
interface ValuePosition {
  readonly pointer: string
  /** The name of the attribute; inside a composite the dotted path. */
  readonly name: string
  /** Collects the failures of all values, which are reported together. */
  readonly failures: Failure[]
}

/** A problem of a value. `cause` is the error that a user-defined function threw, for logs. */
export interface Failure {
  readonly problem: Problem
  readonly cause?: unknown
}

/** A value that was sent. */
interface SentValue {
  readonly stored: StoredValue
  /** The members that were sent next to it. */
  readonly siblings: Readonly<Record<string, unknown>>
  readonly position: ValuePosition
}

/**
 * Returns the columns that a valid document sets, in a new object. A user-defined hydrator computes all of them; else each attribute
 * sets its own. A value that the client sends back unchanged is not written: the wire form may contain less than the
 * stored value. Only user-defined hydrators and `fill` functions are called for unchanged values too. Fails with 422
 * for every value that a user-defined function cannot convert.
 */
export async function hydrate(
  { hydrator, type }: ServedType,
  document: ResourceDocument,
  hydration: Hydration,
): Promise<Columns> {
  const { row, context, writable, limit } = hydration
  if (hydrator !== null) {
    const attributes = attributesForHydrator(type, document, writable)
    return { ...(await hydrator.hydrate({ id: document.id, attributes }, row, context)) }
  }
  const columns: Columns = {}
  const failures: Failure[] = []
  const writing = { columns, failures }
  for (const attribute of writable) {
    if (Object.hasOwn(document.attributes, attribute.name)) {
      await writeAttribute(attribute, document.attributes, hydration, writing)
    }
  }
  checkFailures(failures, limit)
  return columns
}

/** Whether the columns of a row are those of `plainColumns()`: no function and no stored row takes part. */
export function isPlainRow({ hydrator }: ServedType, { row, stored, writable }: Hydration): boolean {
  return row === null && stored === nothingStored && hydrator === null && areAllPlain(writable)
}

/** Whether each attribute has its own column and is converted only by its kind. Then the conversion cannot fail. */
const areAllPlain = memoize((attributes: readonly CompiledAttribute[]): boolean =>
  attributes.every(({ spec, column }) => spec.fill === null && column !== null && isPlain(spec)),
)

/** Fast path of `hydrate()`, for plain rows. */
export function plainColumns({ attributes: sent }: ResourceDocument, writable: readonly CompiledAttribute[]): Columns {
  const columns: Columns = {}
  for (const { name, spec, column } of writable) {
    if (column !== null && Object.hasOwn(sent, name)) columns[column] = plainValue(spec, sent[name])
  }
  return columns
}

interface Writing {
  readonly columns: Columns
  readonly failures: Failure[]
}

async function writeAttribute(
  { name, spec, column }: CompiledAttribute,
  attributes: Readonly<Record<string, unknown>>,
  { row, stored }: Hydration,
  { columns, failures }: Writing,
): Promise<void> {
  const value = attributes[name]
  const wire = stored(name)
  if (spec.fill !== null) {
    Object.assign(columns, await spec.fill(row ?? {}, value, attributes, name))
    return
  }
  if (isSentBack(value, wire)) return
  if (column !== null && isPlain(spec)) {
    columns[column] = plainValue(spec, value)
    return
  }
  const position = { pointer: pointer('data', 'attributes', name), name, failures }
  if (spec.kind.children === 'columns') {
    await writeMembers(spec.children, value, { owner: { raw: row ?? {}, wire }, position }, columns)
    return
  }
  if (column === null) return
  const sent = { stored: { raw: row?.[column], wire }, siblings: attributes, position }
  columns[column] = await storedValue(spec, value, sent)
}

/**
 * Returns the columns that the fields of a join row set.
 *
 * @param at the JSON pointer to the fields in the body
 */
export async function hydrateFields(
  fields: ChildSpecs,
  sent: RowObject,
  stored: StoredOwner,
  at: string,
): Promise<Readonly<Columns>> {
  const columns: Columns = {}
  const position = { pointer: at, name: '', failures: [] }
  const filled = Object.entries(fields).filter(([, { fill }]) => fill !== null)
  const others = Object.entries(fields).filter(([, { fill }]) => fill === null)
  await writeMembers(Object.fromEntries(others), sent, { owner: stored, position }, columns)
  checkFailures(position.failures, Object.keys(fields).length)
  for (const [name, { fill }] of filled) {
    if (Object.hasOwn(sent, name)) Object.assign(columns, await fill?.(stored.raw, sent[name], sent, name))
  }
  return columns
}

/**
 * Returns the attributes for a user-defined hydrator: the writable ones of the declared attributes, and all undeclared
 * ones.
 */
function attributesForHydrator(
  { attributeNamed }: CompiledType,
  { attributes }: ResourceDocument,
  writable: readonly CompiledAttribute[],
): Readonly<Record<string, unknown>> {
  const names = new Set(writable.map(({ name }) => name))
  const visible = Object.entries(attributes).filter(([name]) => names.has(name) || !attributeNamed.has(name))
  return Object.fromEntries(visible)
}

/**
 * Sets the members that were sent in their owner: a row, or one composite value. A sent `null` clears all members.
 * Members that were not sent stay as they are.
 */
async function writeMembers(
  children: ChildSpecs,
  sent: unknown,
  { owner: { raw, wire: read }, position }: { readonly owner: StoredOwner; readonly position: ValuePosition },
  columns: Columns,
): Promise<void> {
  const isCleared = sent === null
  for (const [name, child] of Object.entries(children)) {
    if (!isWritableChild(child) || (!isCleared && !(isPlainObject(sent) && Object.hasOwn(sent, name)))) continue
    const value = isCleared ? null : (sent as RowObject)[name]
    const member = child.storedAs ?? name
    const wire = isPlainObject(read) && Object.hasOwn(read, name) ? read[name] : undefined
    if (isSentBack(value, wire)) continue
    const inner = memberPosition(position, name)
    // The children of a map are columns of its owner, even if maps are nested.
    if (child.kind.children === 'columns') {
      await writeMembers(child.children, value, { owner: { raw, wire }, position: inner }, columns)
      continue
    }
    // A null that is already stored is not converted: clients may not be allowed to send it, and the user-defined
    // function may not accept it.
    if (isCleared || (value === null && raw[member] === null)) {
      columns[member] = null
      continue
    }
    const stored = { raw: raw[member], wire }
    columns[member] = await storedValue(child, value, { stored, siblings: sent, position: inner })
  }
}

/**
 * Converts a wire value to the stored value. Objects are merged over the stored ones, so that a PATCH may send only
 * some members.
 */
export async function storedValue(
  spec: AttributeSpec,
  value: unknown,
  { stored, siblings, position }: SentValue,
): Promise<unknown> {
  if (spec.deserialize !== null) return deserialized(spec.deserialize, value, { siblings, position })
  if (!isPlainObject(value)) return plainValue(spec, value)
  switch (spec.kind.children) {
    case 'value':
      return merged(spec.children, value, stored, position)
    case 'variants':
      return mergedVariant(spec, value, stored, position)
    default:
      return plainValue(spec, value)
  }
}

/** Whether a value is converted only by its kind, which cannot fail. */
function isPlain({ deserialize, kind }: AttributeSpec): boolean {
  return deserialize === null && kind.children === 'none'
}

function plainValue({ kind }: AttributeSpec, value: unknown): unknown {
  return value === null || kind.write === unchanged ? value : kind.write(value)
}

/**
 * Converts a value by a user-defined function. If that throws, the value is invalid: the client gets a validation error
 * without the thrown message. A thrown `JsonApiError` or `HttpError` is an error for the client, and is rethrown.
 */
async function deserialized(
  deserialize: WriteValue,
  value: unknown,
  { siblings, position }: Pick<SentValue, 'siblings' | 'position'>,
): Promise<unknown> {
  try {
    return await deserialize(value, siblings)
  } catch (thrown) {
    if (JsonApiError.is(thrown) || HttpError.is(thrown)) throw thrown
    const context = { attribute: position.name, reason: 'it cannot be converted' }
    const source = { pointer: position.pointer }
    position.failures.push({ problem: problem('ATTRIBUTE_VALUE_INVALID', context, { source }), cause: thrown })
    return undefined
  }
}

/** Fails with 422 if there are failures, and reports them up to the limit. */
export function checkFailures(failures: readonly Failure[], limit: number): void {
  const [first] = failures
  if (first === undefined) return
  failAll(
    failures.slice(0, limit).map((each) => each.problem),
    { cause: first.cause },
  )
}

function memberPosition({ pointer: at, name, failures }: ValuePosition, member: string): ValuePosition {
  return { pointer: `${at}${pointer(member)}`, name: name === '' ? member : `${name}.${member}`, failures }
}

async function merged(
  children: ChildSpecs,
  sent: RowObject,
  { raw, wire }: StoredValue,
  position: ValuePosition,
): Promise<Columns> {
  const stored = isPlainObject(raw) ? raw : {}
  const members: Columns = { ...stored }
  await writeMembers(children, sent, { owner: { raw: stored, wire }, position }, members)
  return members
}

/** Merges a value over the stored one if both are of the same variant. Another variant replaces the stored value. */
async function mergedVariant(
  spec: AttributeSpec,
  sent: RowObject,
  stored: StoredValue,
  position: ValuePosition,
): Promise<Columns> {
  const variant = String(sent[spec.discriminator])
  const { raw } = stored
  const same = isPlainObject(raw) && raw[spec.discriminator] === variant
  const base = same ? stored : { raw: null, wire: undefined }
  const members = await merged(spec.variants[variant] ?? {}, sent, base, position)
  return { ...members, [spec.discriminator]: variant }
}
