import { pointer } from '../../document/json-pointer.js'
import { HttpError } from '../../errors/http-error.js'
import type { Problem } from '../../errors/json-api-error.js'
import { failAll, JsonApiError, problem } from '../../errors/json-api-error.js'
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
type Columns = Record<string, unknown>

export interface Hydration {
  readonly context: RequestContext
  /** The attributes that the client may write here and now. */
  readonly writable: readonly CompiledAttribute[]
  /** What is stored, `null` on create. */
  readonly row: RowObject | null
  /** The same by attribute, as the client reads it. */
  readonly stored: Validation['stored']
  /** The most problems that are told. */
  readonly limit: number
}

/** An owner of members: a row, or one stored value. */
interface StoredOwner extends StoredValue {
  readonly raw: RowObject
}

/** Where a value stands in the body. */
interface Place {
  readonly pointer: string
  /** The attribute; inside a composite the way to it too. */
  readonly name: string
  /** Those of other values too: they are told together. */
  readonly failures: Failure[]
}

/** What is wrong with a value; for logs, what a function of the author's threw at it. */
export interface Failure {
  readonly problem: Problem
  readonly cause?: unknown
}

/** A value that was sent. */
interface SentValue {
  readonly kept: StoredValue
  /** What was sent next to it. */
  readonly siblings: Readonly<Record<string, unknown>>
  readonly place: Place
}

/**
 * The columns that a valid document sets. A hydrator of the author's takes over; else each attribute writes its own. What
 * a client sends back as it read it is not written again: the two may differ in form, and the form that is read may be
 * the poorer one. Only a function that takes over the write is asked whatever was sent. 422 with every value that a
 * function of the author's cannot turn into a stored one.
 */
export function hydrate(
  served: ServedType,
  document: ResourceDocument,
  hydration: Hydration,
): Awaitable<Readonly<Columns>> {
  const { row, context, writable, limit } = hydration
  if (served.hydrator !== null) {
    const attributes = writableOnes(served, document, writable)
    return served.hydrator.hydrate({ id: document.id, attributes }, row, context)
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

/** Whether each of them has a column of its own, and is made by its kind alone: nothing is waited for then, or fails. */
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
  const place = { pointer: pointer('data', 'attributes', name), name, failures }
  if (spec.kind.children === 'columns') {
    return writeMembers(spec.children, value, { owner: { raw: row ?? {}, wire }, place }, columns)
  }
  if (column === null) return
  const sent = { kept: { raw: row?.[column], wire }, siblings: attributes, place }
  return mapAwaitable(storedValue(spec, value, sent), (made) => {
    columns[column] = made
  })
}

/**
 * The columns that fields of a join row set.
 *
 * @param at where they stand in the body
 */
export function hydrateFields(
  fields: ChildSpecs,
  sent: RowObject,
  kept: StoredOwner,
  at: string,
): Awaitable<Readonly<Columns>> {
  const columns: Columns = {}
  const place = { pointer: at, name: '', failures: [] }
  const filled = Object.entries(fields).filter(([, { fill }]) => fill !== null)
  const others = Object.entries(fields).filter(([, { fill }]) => fill === null)
  const written = writeMembers(Object.fromEntries(others), sent, { owner: kept, place }, columns)
  const all = mapAwaitable(written, () => {
    checkFailures(place.failures, Object.keys(fields).length)
    return forEachInOrder(filled, ([name, { fill }]) => {
      if (!Object.hasOwn(sent, name)) return
      return mapAwaitable(fill?.(kept.raw, sent[name], sent, name), (made) => void Object.assign(columns, made))
    })
  })
  return mapAwaitable(all, () => columns)
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
function writeMembers(
  children: ChildSpecs,
  sent: unknown,
  { owner: { raw, wire: read }, place }: { readonly owner: StoredOwner; readonly place: Place },
  columns: Columns,
): Awaitable<void> {
  const cleared = sent === null
  return forEachInOrder(Object.entries(children), ([name, child]) => {
    if (!isWritableChild(child) || (!cleared && !(isPlainObject(sent) && Object.hasOwn(sent, name)))) return
    const value = cleared ? null : (sent as RowObject)[name]
    const member = child.storedAs ?? name
    const wire = isPlainObject(read) && Object.hasOwn(read, name) ? read[name] : undefined
    if (isSentBack(value, wire)) return
    const inner = placeIn(place, name)
    // The children of a map are members of its owner, however deep it stands.
    if (child.kind.children === 'columns') {
      return writeMembers(child.children, value, { owner: { raw, wire }, place: inner }, columns)
    }
    // A null that was there before may be none that a client may send, and none that its function knows.
    if (cleared || (value === null && raw[member] === null)) {
      columns[member] = null
      return
    }
    const kept = { raw: raw[member], wire }
    return mapAwaitable(storedValue(child, value, { kept, siblings: sent, place: inner }), (made) => {
      columns[member] = made
    })
  })
}

/** Wire to stored. Objects are merged over what is stored, so that a PATCH may send some of their members. */
export function storedValue(
  spec: AttributeSpec,
  value: unknown,
  { kept, siblings, place }: SentValue,
): Awaitable<unknown> {
  if (spec.deserialize !== null) return deserialized(spec.deserialize, value, { siblings, place })
  if (!isPlainObject(value)) return plainValue(spec, value)
  switch (spec.kind.children) {
    case 'value':
      return merged(spec.children, value, kept, place)
    case 'variants':
      return mergedVariant(spec, value, kept, place)
    default:
      return plainValue(spec, value)
  }
}

/** Whether a value is made by its kind alone, which cannot fail. */
function isPlain({ deserialize, kind }: AttributeSpec): boolean {
  return deserialize === null && kind.children === 'none'
}

function plainValue({ kind }: AttributeSpec, value: unknown): unknown {
  return value === null ? null : kind.write(value)
}

/**
 * What a function of the author's makes of a value. That it throws says that it cannot use this one: a problem of the
 * client's, who is not shown what was thrown. An error that is meant for the client ends the request as it is.
 */
function deserialized(
  deserialize: WriteValue,
  value: unknown,
  { siblings, place }: Pick<SentValue, 'siblings' | 'place'>,
): Awaitable<unknown> {
  const failed = (thrown: unknown): void => {
    if (JsonApiError.is(thrown) || HttpError.is(thrown)) throw thrown
    const context = { attribute: place.name, reason: 'it cannot be converted' }
    const source = { pointer: place.pointer }
    place.failures.push({ problem: problem('ATTRIBUTE_VALUE_INVALID', context, { source }), cause: thrown })
  }
  return catchAwaitable(() => deserialize(value, siblings), failed)
}

/** 422 with all of them, up to the limit. */
export function checkFailures(failures: readonly Failure[], limit: number): void {
  const [first] = failures
  if (first === undefined) return
  failAll(
    failures.slice(0, limit).map((each) => each.problem),
    { cause: first.cause },
  )
}

function placeIn({ pointer: at, name, failures }: Place, member: string): Place {
  return { pointer: `${at}${pointer(member)}`, name: name === '' ? member : `${name}.${member}`, failures }
}

function merged(children: ChildSpecs, sent: RowObject, { raw, wire }: StoredValue, place: Place): Awaitable<Columns> {
  const kept = isPlainObject(raw) ? raw : {}
  const members: Columns = { ...kept }
  return mapAwaitable(writeMembers(children, sent, { owner: { raw: kept, wire }, place }, members), () => members)
}

/** Another variant starts afresh: the members of the old one mean nothing in it. */
function mergedVariant(spec: AttributeSpec, sent: RowObject, kept: StoredValue, place: Place): Awaitable<Columns> {
  const variant = String(sent[spec.discriminator])
  const { raw } = kept
  const same = isPlainObject(raw) && raw[spec.discriminator] === variant
  const stored = same ? kept : { raw: null, wire: undefined }
  const made = merged(spec.variants[variant] ?? {}, sent, stored, place)
  return mapAwaitable(made, (members) => ({ ...members, [spec.discriminator]: variant }))
}
