import { fail } from '../../errors/json-api-error.js'
import { isPlainObject } from '../../util/frozen.js'
import type { ActionDeclaration } from '../../resource/actions/action-kit.js'
import { actionKit } from '../../resource/actions/action-kit.js'
import type { CompiledAction } from '../../resource/actions/compiled-action.js'
import { answer } from '../../resource/answer.js'
import { bodilessWrite } from '../../resource/capabilities/bodiless-write.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { ResourceOperation } from '../../resource/responses.js'
import { noContent } from '../../resource/responses.js'
import type { CompiledSoftDeletes } from '../../resource/soft-deletes.js'
import { compileAction } from './compile-actions.js'

interface OfType {
  readonly type: string
  /** The column of the key. */
  readonly key: string
  readonly operations: ReadonlySet<ResourceOperation>
}

interface ReadSoftDeletes {
  readonly softDeletes: CompiledSoftDeletes | null
  /** Those that bring rows back, and delete them for good. */
  readonly actions: readonly CompiledAction[]
}

/** Reads `softDeletes`. What is wrong with it, a build rule says. */
export function readSoftDeletes(given: unknown, { type, key, operations }: OfType): ReadSoftDeletes {
  if (given === undefined || given === null) return { softDeletes: null, actions: [] }
  const options = isPlainObject(given) ? given : {}
  const text = (option: string, usual: string): string => {
    const value = options[option]
    return typeof value === 'string' ? value : usual
  }
  const column = text('column', 'deletedAt')
  const serves = (option: string): boolean => (options[option] ?? operations.has('Delete')) === true
  const trashing = (path: string, action: ActionDeclaration, removes: boolean): CompiledAction =>
    Object.freeze({ ...compileAction(path, action, type), linkColumns: [column], reachesTrashed: true, removes })
  return {
    softDeletes: Object.freeze<CompiledSoftDeletes>({ column, as: options['as'] === 'text' ? 'text' : 'date' }),
    actions: [
      ...(serves('restore') ? [trashing(text('restorePath', 'restore'), restore(column, key), false)] : []),
      ...(serves('forceDelete') ? [trashing(text('forcePath', 'force-delete'), forceDelete(key), true)] : []),
    ],
  }
}

/** A row that is not deleted is answered as it is: who asks twice gets the same. */
function restore(column: string, key: string): ActionDeclaration {
  return actionKit<RowObject>().resource({
    asLink: true,
    linkedWhen: (row) => isTrashed(row, column),
    handle: async ({ entity, context }) => {
      if (!isTrashed(entity, column)) return answer.resource(entity)
      const rows = context.rows(context.type)
      const restored = await bodilessWrite(context.type, () => rows.update(entity[key], { [column]: null }))
      return restored === null ? fail('RESOURCE_NOT_FOUND') : answer.resource(restored)
    },
  })
}

function forceDelete(key: string): ActionDeclaration {
  return actionKit<RowObject>().resource({
    responds: noContent(),
    handle: async ({ entity, context }) => {
      const deleted = await bodilessWrite(context.type, () => context.rows(context.type).delete(entity[key]))
      return deleted ? answer.noContent() : fail('RESOURCE_NOT_FOUND')
    },
  })
}

function isTrashed(row: RowObject, column: string): boolean {
  return row[column] !== null && row[column] !== undefined
}
