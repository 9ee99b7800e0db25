import { fail } from '../../errors/json-api-error.js'
import type { ColumnValues, WriteContext } from '../../resource/capabilities/persister.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { rowSetOf } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import type { RequestServices } from '../../read/request-services.js'
import type { WriteOutcome } from './write-outcome.js'
import { writeOutcome } from './write-outcome.js'

interface Occasion {
  readonly write: WriteContext
  readonly services: RequestServices
}

/** Sets columns of a stored row. Nothing to set is nothing to write, unless work may be put off: then it is one's to say. */
export async function setColumns(
  served: ServedType,
  row: RowObject,
  columns: ColumnValues,
  { write, services }: Occasion,
): Promise<WriteOutcome> {
  const { type, persister } = served
  const { update: responses } = type.responses
  invariant(persister !== null, `'${type.type}' is updated, but has no persister`)
  const isIdle = Object.keys(columns).length === 0 && responses.every(({ kind }) => kind !== 'accepted')
  if (isIdle) return { kind: 'row', rows: rowSetOf([row]) }
  const answered = await persister.update(type, row[type.id.column], columns, write)
  if (answered === null) fail('RESOURCE_NOT_FOUND')
  return writeOutcome(served, answered, { responses, services, context: write.context })
}
