import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '../resource/answer.js'
import { isAnswer } from '../resource/answer.js'
import type { ColumnValues } from '../resource/capabilities/persister.js'
import type { WorkContext } from '../resource/capabilities/stored-rows.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import { isPlainObject } from '../util/deep-freeze.js'

/** The columns of a new row, after the author's steps before. */
export async function beforeCreate(
  { hooks }: CompiledType,
  values: ColumnValues,
  context: WorkContext,
): Promise<ColumnValues> {
  if (hooks?.beforeSave === undefined && hooks?.beforeCreate === undefined) return values
  const draft = draftOf(values)
  await hooks.beforeSave?.(draft, true, context)
  await hooks.beforeCreate?.(draft, context)
  return draft
}

/** The columns to set on a row, after the author's steps before: those of the client, and those that the steps changed. */
export async function beforeUpdate(
  { hooks }: CompiledType,
  original: RowObject,
  columns: ColumnValues,
  context: WorkContext,
): Promise<ColumnValues> {
  if (hooks?.beforeSave === undefined && hooks?.beforeUpdate === undefined) return columns
  const draft = draftOf({ ...original, ...columns })
  await hooks.beforeSave?.(draft, false, context)
  await hooks.beforeUpdate?.(draft, original, context)
  const isSet = (column: string): boolean =>
    Object.hasOwn(columns, column) || !isDeepStrictEqual(draft[column], original[column])
  return Object.fromEntries(Object.entries(draft).filter(([column]) => isSet(column)))
}

/** Whether the author has steps after such a write. */
export function hasAfterHooks({ hooks }: CompiledType, mode: 'create' | 'update'): boolean {
  if (hooks === null) return false
  const hasOwn = mode === 'create' ? hooks.afterCreate !== undefined : hooks.afterUpdate !== undefined
  return hasOwn || hooks.afterSave !== undefined
}

/** What the author's steps after a write answer in place of the service; `afterSave` has the last word. */
export async function runAfterHooks(
  { hooks }: CompiledType,
  row: RowObject,
  creating: boolean,
  context: WorkContext,
): Promise<Answer | null> {
  const own = creating ? await hooks?.afterCreate?.(row, context) : await hooks?.afterUpdate?.(row, context)
  const saved = await hooks?.afterSave?.(row, creating, context)
  return hookAnswer(saved) ?? hookAnswer(own)
}

/** Nothing leaves the answer as it is; anything else has to be one. */
export function hookAnswer(answered: unknown): Answer | null {
  if (answered === undefined || answered === null) return null
  if (!isAnswer(answered))
    throw new TypeError('What a hook answered is no answer: make it with answer.resource() and others.')
  return answered
}

/** What a hook does to a draft, down into its values, it does to nothing else: neither to the stored row, nor to another run. */
function draftOf(values: RowObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([column, value]) => [column, ownCopy(value)]))
}

function ownCopy(value: unknown): unknown {
  return Array.isArray(value) || isPlainObject(value) ? structuredClone(value) : value
}
