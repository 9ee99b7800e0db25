import { isDeepStrictEqual } from 'node:util'
import type { Reply } from '../../declare/resource/replies/reply.js'
import { isReply } from '../../declare/resource/replies/reply.js'
import type { ColumnValues } from '../../declare/resource/capabilities/persister.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { WorkContext } from '../../declare/resource/events/stored-rows.js'
import type { TypeEventName, TypeEvents } from '../../declare/resource/events/type-events.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'

/*
 * The only file that calls the listeners of a type. Its hooks are the first listeners.
 */

/** The members of an event besides those that all events have. */
type Payload<Name extends TypeEventName> = Omit<TypeEvents[Name], keyof TypeEvents['BeforeFetchCollection']>

/** Creates the context of an event, if there is a listener. */
type ContextOf<Name extends TypeEventName> = () => TypeEvents[Name]['context']

/** Runs the listeners of an event, one after the other. One that throws ends the request. */
export async function fire<Name extends TypeEventName>(
  { listeners }: ServedType,
  name: Name,
  payload: Payload<Name>,
  contextOf: ContextOf<Name>,
): Promise<void> {
  if (!listeners.has(name)) return
  const event = eventOf(payload, contextOf())
  for (const listener of listeners.of(name)) await listener(event)
}

/** A listener that runs after a commit. Returns the reply that replaces the response; `null` to leave the response unchanged. */
export type AfterStep = () => Promise<Reply | null>

/** Returns the listeners of an event as steps, in the order in which they run. The reply of the last one takes precedence. */
export function stepsAfter<Name extends TypeEventName>(
  { listeners }: ServedType,
  name: Name,
  payload: Payload<Name>,
  contextOf: ContextOf<Name>,
): readonly AfterStep[] {
  if (!listeners.has(name)) return []
  const event = eventOf(payload, contextOf())
  return listeners.of(name).map((listener) => async () => checkedReply(await listener(event)))
}

/** Runs the listeners of an event that fires after a read. Returns the reply that replaces the response; `null` if there is none. */
export async function replyAfter<Name extends TypeEventName>(
  served: ServedType,
  name: Name,
  payload: Payload<Name>,
  contextOf: ContextOf<Name>,
): Promise<Reply | null> {
  let reply: Reply | null = null
  for (const step of stepsAfter(served, name, payload, contextOf)) reply = (await step()) ?? reply
  return reply
}

function eventOf<Name extends TypeEventName>(
  payload: Payload<Name>,
  context: TypeEvents[Name]['context'],
): TypeEvents[Name] {
  return { ...payload, server: context.server, type: context.type, context } as unknown as TypeEvents[Name]
}

/** Fires the events before a create. Returns the columns of the new row. */
export async function beforeCreate(
  served: ServedType,
  values: ColumnValues,
  context: WorkContext,
): Promise<ColumnValues> {
  if (!served.listeners.has('BeforeSave') && !served.listeners.has('BeforeCreate')) return values
  const draft = draftOf(values)
  await fire(served, 'BeforeSave', { draft, creating: true, original: null }, () => context)
  await fire(served, 'BeforeCreate', { draft }, () => context)
  return draft
}

/**
 * Fires the events before an update. Returns the columns to set: those of the client, and those that listeners changed.
 */
export async function beforeUpdate(
  served: ServedType,
  original: RowObject,
  columns: ColumnValues,
  context: WorkContext,
): Promise<ColumnValues> {
  if (!served.listeners.has('BeforeSave') && !served.listeners.has('BeforeUpdate')) return columns
  const draft = draftOf({ ...original, ...columns })
  await fire(served, 'BeforeSave', { draft, creating: false, original }, () => context)
  await fire(served, 'BeforeUpdate', { draft, original }, () => context)
  const isSet = (column: string): boolean =>
    Object.hasOwn(columns, column) || !isDeepStrictEqual(draft[column], original[column])
  return Object.fromEntries(Object.entries(draft).filter(([column]) => isSet(column)))
}

/** Returns the steps after a create or an update, in the order in which they run. */
export function stepsAfterSave(
  served: ServedType,
  row: RowObject,
  creating: boolean,
  context: WorkContext,
): readonly AfterStep[] {
  return [
    ...stepsAfter(served, creating ? 'AfterCreate' : 'AfterUpdate', { row }, () => context),
    ...stepsAfter(served, 'AfterSave', { row, creating }, () => context),
  ]
}

/** Checks the result of a listener. Returns `null` if it returned nothing, which leaves the response unchanged. */
function checkedReply(result: unknown): Reply | null {
  if (result === undefined || result === null) return null
  if (!isReply(result))
    throw new TypeError(
      'A hook or a listener returned a value that is not a reply: create it with reply.resource() or another function of reply.',
    )
  if (result.kind === 'bytes')
    throw new TypeError('A hook or a listener returned reply.bytes(), which is only for actions.')
  return result
}

/**
 * Copies values for listeners, including nested lists and objects, so that a listener changes neither the stored row nor the
 * values of a retry.
 */
function draftOf(values: RowObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([column, value]) => [column, copyOf(value)]))
}

function copyOf(value: unknown): unknown {
  return Array.isArray(value) || isPlainObject(value) ? structuredClone(value) : value
}
