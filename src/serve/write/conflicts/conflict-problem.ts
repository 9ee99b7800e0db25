import type { Problem } from '../../../core/errors/json-api-error.js'
import { problem } from '../../../core/errors/json-api-error.js'
import type { Sentence } from '../../../core/errors/sentence.js'
import { sentence } from '../../../core/errors/sentence.js'
import type { UniqueSet } from '../../../declare/resource/compiled/unique-sets.js'
import { pointer } from '../../../core/document/json-pointer.js'
import type { Conflict } from '../../../declare/resource/capabilities/store-conflict.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import type { DocumentRow } from './document-row.js'

/**
 * Returns the 422 problem of a value that another row has. The rule is `null` for an index of the store that is not
 * declared.
 */
export function takenProblem(rule: UniqueSet['rule'] | null, at: string): Problem {
  return violation(rule?.message ?? sentence('unique'), at)
}

type ConstraintConflict = Extract<Conflict, { kind: 'null' | 'check' | 'value' }>

/** Returns the 422 problem of a constraint of the store; `null` if no member of the body can be the cause. */
export function constraintProblem(
  conflict: ConstraintConflict,
  row: Pick<DocumentRow, 'served' | 'pointers' | 'clientId'>,
): Problem | null {
  const { kind, columns, allowed } = conflict
  const { pointers, served, clientId } = row
  switch (kind) {
    case 'null':
      return missingProblem(columns, row)
    case 'check': {
      // A constraint on several columns may be violated by any of them.
      const at = columns.length === 1 ? pointers.pointerTo(columns) : resourcePointer
      if (at === resourcePointer) return violation(sentence('check'), at)
      return violation(allowed ?? sentence('allowed'), at)
    }
    case 'value': {
      if (clientId === null && columns.includes(served.type.id.column)) return null
      if (clientId !== null && keyColumns(served.type.id.column).some((name) => columns.includes(name)))
        return idProblem
      const at = pointers.pointerTo(columns)
      if (at === resourcePointer) return violation(sentence('storableValues'), at)
      return violation(allowed ?? sentence('storable'), at)
    }
  }
}

const resourcePointer = pointer('data')

const idProblem = violation(sentence('id'), pointer('data', 'id'))

/** Returns the 422 problem of a missing value; `null` if the body has one: then user-defined code has set the column to null. */
function missingProblem(columns: readonly string[], { pointers }: Pick<DocumentRow, 'pointers'>): Problem | null {
  const [member] = columns.flatMap((column) => pointers.memberAt(column) ?? [])
  if (member === undefined) return null
  if (member.sent === undefined) return violation(sentence('required'), member.pointer)
  return member.sent === null ? violation(sentence('notNull'), member.pointer) : null
}

export function violation(message: Sentence | string, at: string): Problem {
  return problem('VALIDATION_FAILED', { message }, { source: { pointer: at } })
}
