import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '../resource/answer.js'
import { isAnswer } from '../resource/answer.js'
import type { ColumnValues } from '../resource/capabilities/persister.js'
import type { WorkContext } from '../resource/capabilities/stored-rows.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import { isPlainObject } from '../util/deep-freeze.js'

/** Runs the hooks before a create. Returns the columns of the new row. */
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

/**
 * Runs the hooks before an update. Returns the columns to set: those of the client, and those that the hooks changed.
 */
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

/** Whether the type has hooks after a write of this mode. */
export function hasAfterHooks({ hooks }: CompiledType, mode: 'create' | 'update'): boolean {
  if (hooks === null) return false
  const hasModeHook = mode === 'create' ? hooks.afterCreate !== undefined : hooks.afterUpdate !== undefined
  return hasModeHook || hooks.afterSave !== undefined
}

/** A hook after a write. Returns the answer that replaces the response; `null` to leave the response unchanged. */
export type AfterStep = () => Promise<Answer | null>

/** Returns the hooks after a write, in the order in which they run. The answer of the last one takes precedence. */
export function afterSteps(
  { hooks }: CompiledType,
  row: RowObject,
  creating: boolean,
  context: WorkContext,
): readonly AfterStep[] {
  if (hooks === null) return []
  const steps: AfterStep[] = []
  if (creating && hooks.afterCreate !== undefined) {
    steps.push(async () => hookAnswer(await hooks.afterCreate?.(row, context)))
  }
  if (!creating && hooks.afterUpdate !== undefined) {
    steps.push(async () => hookAnswer(await hooks.afterUpdate?.(row, context)))
  }
  if (hooks.afterSave !== undefined) {
    steps.push(async () => hookAnswer(await hooks.afterSave?.(row, creating, context)))
  }
  return steps
}

/** Checks the result of a hook. Returns `null` if the hook returned nothing, which leaves the response unchanged. */
export function hookAnswer(result: unknown): Answer | null {
  if (result === undefined || result === null) return null
  if (!isAnswer(result))
    throw new TypeError(
      'A hook returned a value that is not an answer: create it with answer.resource() or another function of answer.',
    )
  return result
}

/**
 * Copies values for hooks, including nested lists and objects, so that a hook changes neither the stored row nor the
 * values of a retry.
 */
function draftOf(values: RowObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([column, value]) => [column, copyOf(value)]))
}

function copyOf(value: unknown): unknown {
  return Array.isArray(value) || isPlainObject(value) ? structuredClone(value) : value
}
