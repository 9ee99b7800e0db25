import { pointer } from '../../../core/document/json-pointer.js'
import type { Problem } from '../../../core/errors/json-api-error.js'
import { sentence } from '../../../core/errors/sentence.js'
import { fail, problem } from '../../../core/errors/json-api-error.js'
import type { CompiledType, CompiledId } from '../../../declare/resource/compiled/compiled-type.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { Awaitable } from '../../../core/util/types.js'

/** The resource object of a body. Its structure is checked, its values are not. */
export interface ResourceDocument {
  readonly id: string | null
  /** The local id of a resource to be created; `null` if there is none. */
  readonly lid: string | null
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: Readonly<Record<string, unknown>>
}

const none: Readonly<Record<string, unknown>> = Object.freeze({})

/**
 * Reads the resource object of a request body, and checks its structure, its type and the number of items in its attributes.
 *
 * https://jsonapi.org/format/1.1/#crud
 */
export function readResourceDocument(
  document: unknown,
  type: CompiledType,
  { mode, maxItems }: { readonly mode: 'create' | 'update'; readonly maxItems: number },
): ResourceDocument {
  if (!isPlainObject(document) || !Object.hasOwn(document, 'data'))
    fail('DATA_MEMBER_MISSING', {}, { source: { pointer: '' } })
  const { data } = document
  if (!isPlainObject(data)) return malformed('the data of this request is a resource object', '/data')
  checkType(data, type)
  const lid = lidIn(data, mode)
  const id = idIn(data, mode)
  const attributes = objectIn(data, 'attributes')
  checkAttributeItems(attributes, maxItems)
  return { id, lid, attributes, relationships: objectIn(data, 'relationships') }
}

function checkType(data: Readonly<Record<string, unknown>>, type: CompiledType): void {
  if (!Object.hasOwn(data, 'type')) fail('RESOURCE_TYPE_MISSING', {}, { source: { pointer: '/data' } })
  if (data['type'] === type.type) return
  const sent = typeof data['type'] === 'string' ? data['type'] : JSON.stringify(data['type'])
  fail('RESOURCE_TYPE_UNACCEPTABLE', { type: sent, accepted: type.type }, { source: { pointer: '/data/type' } })
}

/** Returns the local id of a new resource, which its own linkage may name. Refuses one of an existing resource. */
function lidIn({ lid }: Readonly<Record<string, unknown>>, mode: 'create' | 'update'): string | null {
  if (lid === undefined || lid === '') return null
  if (typeof lid === 'string' && mode === 'create') return lid
  const shown = typeof lid === 'string' ? lid : JSON.stringify(lid)
  fail('LOCAL_ID_NOT_SUPPORTED', { lid: shown }, { source: { pointer: '/data/lid' } })
}

/** Returns the id. On a create, null means that there is none: some clients send it. */
function idIn({ id }: Readonly<Record<string, unknown>>, mode: 'create' | 'update'): string | null {
  if (id === undefined || (id === null && mode === 'create')) return null
  if (typeof id !== 'string') fail('RESOURCE_ID_INVALID', {}, { source: { pointer: '/data/id' } })
  return id
}

function objectIn(data: Readonly<Record<string, unknown>>, member: string): Readonly<Record<string, unknown>> {
  const value = data[member]
  if (value === undefined) return none
  return isPlainObject(value) ? withoutAtMembers(value) : malformed(`'${member}' is an object`, `/data/${member}`)
}

/** The first character of members that must be ignored: https://jsonapi.org/format/1.1/#document-member-names-at-members */
const AT = '@'

/** Returns whether a member must be ignored. */
export function isAtMember(name: string): boolean {
  return name.startsWith(AT)
}

/** Removes @-members: a server must ignore them. */
function withoutAtMembers(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let hasAtMember = false
  for (const name in members) hasAtMember ||= name.startsWith(AT)
  if (!hasAtMember) return members
  return Object.fromEntries(Object.entries(members).filter(([name]) => !isAtMember(name)))
}

function malformed(message: string, at: string): never {
  fail('REQUEST_BODY_INVALID_JSON_API', { message }, { source: { pointer: at } })
}

const atId = { source: { pointer: '/data/id' } } as const

/** Fails with 403 if the client sends an id that it may not choose, or no id where one is required. */
export function checkClientId({ spec: { clientIds } }: CompiledId, sent: string | null): void {
  if (sent === null && clientIds === 'required') fail('CLIENT_GENERATED_ID_REQUIRED', {}, atId)
  if (sent !== null && clientIds === 'forbidden') fail('CLIENT_GENERATED_ID_NOT_SUPPORTED', { id: sent }, atId)
}

/** Returns the problems of a client-generated id. The format is checked before the id is decoded. */
export function clientIdProblems(id: CompiledId, sent: string | null): readonly Problem[] {
  if (sent === null) return []
  if (!id.hasFormat(sent)) {
    return [problem('VALIDATION_FAILED', { message: sentence('id') }, atId)]
  }
  return id.decode(sent) === null ? [problem('RESOURCE_ID_UNDECODABLE', { id: sent }, atId)] : []
}

/**
 * Returns the key of a new row: the client's, or one that the server generates, or `undefined` if the store generates
 * it.
 */
export function newKey(id: CompiledId, sent: string | null): Awaitable<unknown> {
  return sent === null ? id.mint() : id.decode(sent)
}

/**
 * Fails if the lists and objects in the attributes of a resource have more items than the limit, at any depth. Each item
 * is checked and stored in one slice of the event loop, so that their number limits how long other requests wait.
 */
function checkAttributeItems(attributes: Readonly<Record<string, unknown>>, limit: number): void {
  let room = limit
  for (const name in attributes) {
    const value = attributes[name]
    if (typeof value !== 'object' || value === null) continue
    room -= countItems(value, room)
    if (room >= 0) continue
    const source = { pointer: `/data/attributes${pointer(name)}` }
    fail('LIMIT_EXCEEDED', { limit, subject: 'items of lists and objects in the attributes of a resource' }, { source })
  }
}

/** Counts the items of a list or of an object, and those inside them. Stops soon after the maximum is exceeded. */
function countItems(value: object, maximum: number): number {
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  let count = items.length
  for (const item of items) {
    if (count > maximum) break
    if (typeof item === 'object' && item !== null) count += countItems(item, maximum - count)
  }
  return count
}
