import { pointer } from '../../document/json-pointer.js'
import { HttpError } from '../../errors/http-error.js'
import type { Problem } from '../../errors/json-api-error.js'
import { failAll, JsonApiError, problem } from '../../errors/json-api-error.js'
import type { ColumnValues } from '../../resource/capabilities/persister.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../resource/compiled-type.js'
import type { AttributeSpec, ChildSpecs } from '../../resource/fields/attribute-declaration.js'
import type { RowObject, WriteValue } from '../../resource/fields/field-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
import { isPlainObject } from '../../util/deep-freeze.js'
import { memoize } from '../../util/memoize.js'
import type { Awaitable } from '../../util/types.js'
import { forEachInOrder, catchAwaitable, mapAwaitable } from '../../util/awaitable.js'
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
export function hydrate(served: ServedType, document: ResourceDocument, hydration: Hydration): Awaitable<Columns> {
  const { row, context, writable, limit } = hydration
  if (served.hydrator !== null) {
    const attributes = attributesForHydrator(served, document, writable)
    const hydrated = served.hydrator.hydrate({ id: document.id, attributes }, row, context)
    return mapAwaitable(hydrated, (columns) => ({ ...columns }))
  }
  const columns: Columns = {}
  if (row === null && hydration.stored === nothingStored && areAllPlain(writable)) {
    for (const attribute of writable) setPlain(columns, attribute, document.attributes)
    return columns
  }
  const failures: Failure[] = []
  const writing = { columns, failures }
  const written = forEachInOrder(writable, (attribute) => {
    return writeAttribute(attribute, document.attributes, hydration, writing)
  })
  return mapAwaitable(written, () => {
    checkFailures(failures, limit)
    return columns
  })
}

/**
 * Whether each attribute has its own column and is converted only by its kind. Then the conversion is synchronous and
 * cannot fail, and `hydrate()` takes a fast path.
 */
const areAllPlain = memoize((attributes: readonly CompiledAttribute[]): boolean =>
  attributes.every(({ spec, column }) => spec.fill === null && column !== null && isPlain(spec)),
)

function setPlain(
  columns: Columns,
  { name, spec, column }: CompiledAttribute,
  sent: Readonly<Record<string, unknown>>,
): void {
  if (column !== null && Object.hasOwn(sent, name)) columns[column] = plainValue(spec, sent[name])
}

interface Writing {
  readonly columns: Columns
  readonly failures: Failure[]
}

function writeAttribute(
  { name, spec, column }: CompiledAttribute,
  attributes: Readonly<Record<string, unknown>>,
  { row, stored }: Hydration,
  { columns, failures }: Writing,
): Awaitable<void> {
  if (!Object.hasOwn(attributes, name)) return
  const value = attributes[name]
  const wire = stored(name)
  if (spec.fill !== null) {
    return mapAwaitable(spec.fill(row ?? {}, value, attributes, name), (filled) => void Object.assign(columns, filled))
  }
  if (isSentBack(value, wire)) return
  if (column !== null && isPlain(spec)) {
    columns[column] = plainValue(spec, value)
    return
  }
  const position = { pointer: pointer('data', 'attributes', name), name, failures }
  if (spec.kind.children === 'columns') {
    return writeMembers(spec.children, value, { owner: { raw: row ?? {}, wire }, position }, columns)
  }
  if (column === null) return
  const sent = { stored: { raw: row?.[column], wire }, siblings: attributes, position }
  return mapAwaitable(storedValue(spec, value, sent), (made) => {
    columns[column] = made
  })
}

/**
 * Returns the columns that the fields of a join row set.
 *
 * @param at the JSON pointer to the fields in the body
 */
export function hydrateFields(
  fields: ChildSpecs,
  sent: RowObject,
  stored: StoredOwner,
  at: string,
): Awaitable<Readonly<Columns>> {
  const columns: Columns = {}
  const position = { pointer: at, name: '', failures: [] }
  const filled = Object.entries(fields).filter(([, { fill }]) => fill !== null)
  const others = Object.entries(fields).filter(([, { fill }]) => fill === null)
  const written = writeMembers(Object.fromEntries(others), sent, { owner: stored, position }, columns)
  const all = mapAwaitable(written, () => {
    checkFailures(position.failures, Object.keys(fields).length)
    return forEachInOrder(filled, ([name, { fill }]) => {
      if (!Object.hasOwn(sent, name)) return
      return mapAwaitable(fill?.(stored.raw, sent[name], sent, name), (made) => void Object.assign(columns, made))
    })
  })
  return mapAwaitable(all, () => columns)
}

/**
 * Returns the attributes for a user-defined hydrator: the writable ones of the declared attributes, and all undeclared
 * ones.
 */
function attributesForHydrator(
  { type }: ServedType,
  { attributes }: ResourceDocument,
  writable: readonly CompiledAttribute[],
): Readonly<Record<string, unknown>> {
  const names = new Set(writable.map(({ name }) => name))
  const visible = Object.entries(attributes).filter(([name]) => names.has(name) || !type.attributeNamed.has(name))
  return Object.fromEntries(visible)
}

/**
 * Sets the members that were sent in their owner: a row, or one composite value. A sent `null` clears all members.
 * Members that were not sent stay as they are.
 */
function writeMembers(
  children: ChildSpecs,
  sent: unknown,
  { owner: { raw, wire: read }, position }: { readonly owner: StoredOwner; readonly position: ValuePosition },
  columns: Columns,
): Awaitable<void> {
  const isCleared = sent === null
  return forEachInOrder(Object.entries(children), ([name, child]) => {
    if (!isWritableChild(child) || (!isCleared && !(isPlainObject(sent) && Object.hasOwn(sent, name)))) return
    const value = isCleared ? null : (sent as RowObject)[name]
    const member = child.storedAs ?? name
    const wire = isPlainObject(read) && Object.hasOwn(read, name) ? read[name] : undefined
    if (isSentBack(value, wire)) return
    const inner = memberPosition(position, name)
    // The children of a map are columns of its owner, even if maps are nested.
    if (child.kind.children === 'columns') {
      return writeMembers(child.children, value, { owner: { raw, wire }, position: inner }, columns)
    }
    // A null that is already stored is not converted: clients may not be allowed to send it, and the user-defined
    // function may not accept it.
    if (isCleared || (value === null && raw[member] === null)) {
      columns[member] = null
      return
    }
    const stored = { raw: raw[member], wire }
    return mapAwaitable(storedValue(child, value, { stored, siblings: sent, position: inner }), (made) => {
      columns[member] = made
    })
  })
}

/**
 * Converts a wire value to the stored value. Objects are merged over the stored ones, so that a PATCH may send only
 * some members.
 */
export function storedValue(
  spec: AttributeSpec,
  value: unknown,
  { stored, siblings, position }: SentValue,
): Awaitable<unknown> {
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
  return value === null ? null : kind.write(value)
}

/**
 * Converts a value by a user-defined function. If that throws, the value is invalid: the client gets a validation error
 * without the thrown message. A thrown `JsonApiError` or `HttpError` is an error for the client, and is rethrown.
 */
function deserialized(
  deserialize: WriteValue,
  value: unknown,
  { siblings, position }: Pick<SentValue, 'siblings' | 'position'>,
): Awaitable<unknown> {
  const failed = (thrown: unknown): void => {
    if (JsonApiError.is(thrown) || HttpError.is(thrown)) throw thrown
    const context = { attribute: position.name, reason: 'it cannot be converted' }
    const source = { pointer: position.pointer }
    position.failures.push({ problem: problem('ATTRIBUTE_VALUE_INVALID', context, { source }), cause: thrown })
  }
  return catchAwaitable(() => deserialize(value, siblings), failed)
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

function merged(
  children: ChildSpecs,
  sent: RowObject,
  { raw, wire }: StoredValue,
  position: ValuePosition,
): Awaitable<Columns> {
  const stored = isPlainObject(raw) ? raw : {}
  const members: Columns = { ...stored }
  return mapAwaitable(writeMembers(children, sent, { owner: { raw: stored, wire }, position }, members), () => members)
}

/** Merges a value over the stored one if both are of the same variant. Another variant replaces the stored value. */
function mergedVariant(
  spec: AttributeSpec,
  sent: RowObject,
  stored: StoredValue,
  position: ValuePosition,
): Awaitable<Columns> {
  const variant = String(sent[spec.discriminator])
  const { raw } = stored
  const same = isPlainObject(raw) && raw[spec.discriminator] === variant
  const base = same ? stored : { raw: null, wire: undefined }
  const made = merged(spec.variants[variant] ?? {}, sent, base, position)
  return mapAwaitable(made, (members) => ({ ...members, [spec.discriminator]: variant }))
}
