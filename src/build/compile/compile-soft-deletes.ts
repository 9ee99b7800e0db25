import { fail } from '../../errors/json-api-error.js'
import { isPlainObject } from '../../util/deep-freeze.js'
import type { ActionDeclaration } from '../../resource/actions/action-kit.js'
import { actionKit } from '../../resource/actions/action-kit.js'
import type { CompiledAction } from '../../resource/actions/compiled-action.js'
import { answer } from '../../resource/answer.js'
import { writeWithoutDocument } from '../../resource/capabilities/write-without-document.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { ResourceOperation } from '../../resource/responses.js'
import { noContent } from '../../resource/responses.js'
import type { CompiledSoftDeletes } from '../../resource/soft-deletes.js'
import { compileAction } from './compile-actions.js'

interface TypeParts {
  readonly type: string
  /** The key column. */
  readonly key: string
  readonly operations: ReadonlySet<ResourceOperation>
}

interface ReadSoftDeletes {
  readonly softDeletes: CompiledSoftDeletes | null
  /** The actions that restore rows, and that delete them permanently. */
  readonly actions: readonly CompiledAction[]
}

/** Reads `softDeletes`. The rule softDeletes reports its faults. */
export function readSoftDeletes(declared: unknown, { type, key, operations }: TypeParts): ReadSoftDeletes {
  if (declared === undefined || declared === null) return { softDeletes: null, actions: [] }
  const options = isPlainObject(declared) ? declared : {}
  const text = (option: string, fallback: string): string => {
    const value = options[option]
    return typeof value === 'string' ? value : fallback
  }
  const column = text('column', 'deletedAt')
  const isServed = (option: string): boolean => (options[option] ?? operations.has('Delete')) === true
  const trashAction = (path: string, action: ActionDeclaration, removes: boolean): CompiledAction =>
    Object.freeze({ ...compileAction(path, action, type), linkColumns: [column], reachesTrashed: true, removes })
  return {
    softDeletes: Object.freeze<CompiledSoftDeletes>({ column, as: options['as'] === 'text' ? 'text' : 'date' }),
    actions: [
      ...(isServed('restore') ? [trashAction(text('restorePath', 'restore'), restore(column, key), false)] : []),
      ...(isServed('forceDelete') ? [trashAction(text('forcePath', 'force-delete'), forceDelete(key), true)] : []),
    ],
  }
}

/** Returns a row that is not deleted unchanged, so that a repeated request has the same result. */
function restore(column: string, key: string): ActionDeclaration {
  return actionKit<RowObject>().resource({
    asLink: true,
    linkedWhen: (row) => isTrashed(row, column),
    handle: async ({ entity, context }) => {
      if (!isTrashed(entity, column)) return answer.resource(entity)
      const rows = context.rows(context.type)
      const restored = await writeWithoutDocument(context.type, () => rows.update(entity[key], { [column]: null }))
      return restored === null ? fail('RESOURCE_NOT_FOUND') : answer.resource(restored)
    },
  })
}

function forceDelete(key: string): ActionDeclaration {
  return actionKit<RowObject>().resource({
    responds: noContent(),
    handle: async ({ entity, context }) => {
      const deleted = await writeWithoutDocument(context.type, () => context.rows(context.type).delete(entity[key]))
      return deleted ? answer.noContent() : fail('RESOURCE_NOT_FOUND')
    },
  })
}

function isTrashed(row: RowObject, column: string): boolean {
  return row[column] !== null && row[column] !== undefined
}
