import { pointer } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import { problem } from '../../errors/json-api-error.js'
import type { Conflict } from '../../resource/capabilities/store-conflict.js'
import type { DocumentRow } from './document-row.js'

type Refused = Extract<Conflict, { kind: 'null' | 'check' | 'value' }>

/** 422: what the store itself demands of a row does not hold. `null` where nothing in the body can be to blame. */
export function refusedProblem(
  conflict: Refused,
  row: Pick<DocumentRow, 'served' | 'pointers' | 'clientId'>,
): Problem | null {
  const { kind, columns } = conflict
  const { pointers: places, served, clientId } = row
  switch (kind) {
    case 'null':
      return missingProblem(columns, row)
    case 'check': {
      // A rule about several columns may be broken by any of them.
      const at = columns.length === 1 ? places.pointerTo(columns) : whole
      return violation(
        at === whole ? 'This breaks a rule that holds for its values.' : 'This value is not allowed.',
        at,
      )
    }
    case 'value': {
      if (columns.includes(served.type.id.column)) return clientId === null ? null : idProblem
      const at = places.pointerTo(columns)
      return violation(at === whole ? 'This has a value that cannot be stored.' : 'This value cannot be stored.', at)
    }
  }
}

const whole = pointer('data')

const idProblem = violation('This id does not have the required form.', pointer('data', 'id'))

/** What the body does say there, code of the author's has made null of. */
function missingProblem(
  columns: readonly string[],
  { pointers: places }: Pick<DocumentRow, 'pointers'>,
): Problem | null {
  const [place] = columns.flatMap((column) => places.memberAt(column) ?? [])
  if (place === undefined) return null
  if (place.sent === undefined) return violation('This is required.', place.pointer)
  return place.sent === null ? violation('This must not be null.', place.pointer) : null
}

export function violation(message: string, at: string): Problem {
  return problem('VALIDATION_FAILED', { message }, { source: { pointer: at } })
}
