import { keyIn } from '../../../declare/resource/parts/key-columns.js'
import type { AcceptedReply } from '../../../declare/resource/replies/reply.js'
import { isReply } from '../../../declare/resource/replies/reply.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { SuccessResponse } from '../../../declare/resource/replies/responses.js'
import type { RowSet } from '../../../core/rows/row-set.js'
import { rowSetOf } from '../../../core/rows/row-set.js'
import type { ReadContext, RequestServices } from '../../read/read-context.js'
import { checkedRows } from '../../read/rows/checked-rows.js'
import type { AcceptedWork } from '../../hooks/accepted-response.js'
import { acceptedWork } from '../../hooks/accepted-response.js'
import { fail } from '../../../core/errors/json-api-error.js'
import type { ColumnValues, WriteContext } from '../../../declare/resource/capabilities/persister.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { invariant } from '../../../core/util/invariant.js'

/** The result of a write: the stored row, or work that the persister accepted for later. */
export type WriteOutcome =
  | { readonly kind: 'row'; readonly rows: RowSet }
  /** The response is made by `acceptedResponse()`; `after…` hooks do not run. */
  | { readonly kind: 'accepted'; readonly work: AcceptedWork }

/** The request, and the responses that `create` or `update` declare. */
interface Write extends Pick<ReadContext, 'services' | 'context'> {
  readonly responses: readonly SuccessResponse[]
}

/**
 * Converts the return value of a persister. Throws a `TypeError` if the declared responses do not allow it: a fault of
 * the application. It is called inside the transaction, so that the error rolls everything back.
 */
export function writeOutcome(served: ServedType, returned: object | AcceptedReply, write: Write): WriteOutcome {
  const { type } = served.type
  const { responses } = write
  if (isReply(returned)) {
    if (returned.kind === 'accepted') {
      return { kind: 'accepted', work: acceptedWork(returned, jobTypeOf(responses), write) }
    }
    throw new TypeError(
      `The persister of '${type}' returned reply.${returned.kind}(): it must return a row or reply.accepted().`,
    )
  }
  if (responses.every(({ kind }) => kind === 'accepted')) {
    throw new TypeError(`The persister of '${type}' returned a row, but only accepted() is declared.`)
  }
  return { kind: 'row', rows: checkedRows(served, returned) }
}

/** Returns the job type of the declared `accepted()` response; `null` if there is none. */
export function jobTypeOf(responses: readonly SuccessResponse[]): string | null {
  return responses.find((response) => response.kind === 'accepted')?.jobType ?? null
}

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
