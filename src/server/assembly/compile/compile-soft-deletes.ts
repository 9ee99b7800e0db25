import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { ActionDeclaration } from '../../../declare/resource/define/action-kit.js'
import type { CompiledAction } from '../../../declare/resource/actions/compiled-action.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { ServedOperation } from '../../../declare/resource/replies/responses.js'
import { noContent } from '../../../declare/resource/replies/responses.js'
import type { CompiledSoftDeletes } from '../../../declare/resource/parts/soft-deletes.js'
import { compileAction } from './compile-actions.js'

interface TypeParts {
  readonly type: string
  readonly operations: ReadonlySet<ServedOperation>
}

interface ReadSoftDeletes {
  readonly softDeletes: CompiledSoftDeletes | null
  /** The actions that restore rows, and that delete them permanently. */
  readonly actions: readonly CompiledAction[]
}

/** Reads `softDeletes`. The rule softDeletes reports its faults. */
export function readSoftDeletes(declared: unknown, { type, operations }: TypeParts): ReadSoftDeletes {
  if (declared === undefined || declared === null) return { softDeletes: null, actions: [] }
  const options = isPlainObject(declared) ? declared : {}
  const text = (option: string, fallback: string): string => {
    const value = options[option]
    return typeof value === 'string' ? value : fallback
  }
  const column = text('column', 'deletedAt')
  const abilities = {
    restore: options['restoreAbility'] === false ? (false as const) : text('restoreAbility', 'restore'),
    forceDelete: options['forceDeleteAbility'] === false ? (false as const) : text('forceDeleteAbility', 'forceDelete'),
  }
  const isServed = (option: string): boolean => (options[option] ?? operations.has('Delete')) === true
  const builtInAction = (
    builtIn: NonNullable<CompiledAction['builtIn']>,
    path: string,
    actionOptions: ActionDeclaration['options'],
  ): CompiledAction => {
    const compiled = compileAction(
      path,
      { role: 'action', scope: 'resource', options: { ...actionOptions, handle } },
      type,
    )
    return Object.freeze({ ...compiled, ability: abilities[builtIn], linkColumns: [column], builtIn })
  }
  return {
    softDeletes: Object.freeze<CompiledSoftDeletes>({
      column,
      as: options['as'] === 'text' ? 'text' : 'date',
      abilities,
    }),
    actions: [
      ...(isServed('restore') ? [builtInAction('restore', text('restorePath', 'restore'), linkOf(column))] : []),
      ...(isServed('forceDelete')
        ? [builtInAction('forceDelete', text('forcePath', 'force-delete'), { responds: noContent() })]
        : []),
    ],
  }
}

/** Only a deleted resource has a link to the action that restores it. */
function linkOf(column: string): ActionDeclaration['options'] {
  return { asLink: true, linkedWhen: (row: RowObject) => row[column] !== null && row[column] !== undefined }
}

/** The placeholder for the user-defined function of other actions. */
function handle(): never {
  throw new Error('A built-in action is run by its own handler.')
}
