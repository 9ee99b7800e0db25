import { fail } from '../../errors/json-api-error.js'
import type { ColumnValues, WriteContext } from '../../resource/capabilities/persister.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import { keyIn } from '../../resource/key-columns.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { rowSetOf } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import type { RequestServices } from '../../read/request-services.js'
import type { WriteOutcome } from './write-outcome.js'
import { writeOutcome } from './write-outcome.js'

interface SetOptions {
  readonly write: WriteContext
  readonly services: RequestServices
}

/**
 * Sets columns of a stored row. Without columns nothing is written, unless the type may respond with `accepted()`: then
 * the persister decides.
 */
export async function setColumns(
  served: ServedType,
  row: RowObject,
  columns: ColumnValues,
  { write, services }: SetOptions,
): Promise<WriteOutcome> {
  const { type, persister } = served
  const { update: responses } = type.responses
  invariant(persister !== null, `'${type.type}' is updated, but has no persister`)
  const isUnchanged = Object.keys(columns).length === 0 && responses.every(({ kind }) => kind !== 'accepted')
  if (isUnchanged) return { kind: 'row', rows: rowSetOf([row]) }
  const returned = await persister.update(type, keyIn(row, type.id.column), columns, write)
  if (returned === null) fail('RESOURCE_NOT_FOUND')
  return writeOutcome(served, returned, { responses, services, context: write.context })
}
