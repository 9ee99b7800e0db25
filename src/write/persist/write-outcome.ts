import type { AcceptedAnswer } from '../../resource/answer.js'
import { isAnswer } from '../../resource/answer.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { SuccessResponse } from '../../resource/responses.js'
import type { RowSet } from '../../rows/row-set.js'
import type { ReadContext } from '../../read/read-context.js'
import { checkedRows } from '../../read/rows/checked-rows.js'
import type { AcceptedWork } from '../../hooks/accepted-response.js'
import { acceptedWork } from '../../hooks/accepted-response.js'

/** What a persister made of a write: a row that is there, or work that goes on. */
export type WriteOutcome =
  | { readonly kind: 'row'; readonly rows: RowSet }
  /** Answered with `acceptedResponse()`; hooks after the fact do not run. */
  | { readonly kind: 'accepted'; readonly work: AcceptedWork }

/** What `create` or `update` declare, and the request. */
interface Write extends Pick<ReadContext, 'services' | 'context'> {
  readonly responses: readonly SuccessResponse[]
}

/**
 * Asked inside the transaction: what the persister answers and the declaration does not have is the author's fault, a
 * `TypeError`, and everything is undone.
 */
export function writeOutcome(served: ServedType, answered: object | AcceptedAnswer, write: Write): WriteOutcome {
  const { type } = served.type
  const { responses } = write
  if (isAnswer(answered)) {
    if (answered.kind === 'accepted') {
      return { kind: 'accepted', work: acceptedWork(answered, jobTypeOf(responses), write) }
    }
    throw new TypeError(
      `The persister of '${type}' answered answer.${answered.kind}(): it answers a row, or accepted().`,
    )
  }
  if (responses.every(({ kind }) => kind === 'accepted')) {
    throw new TypeError(`The persister of '${type}' answered a row, where nothing but accepted() is declared.`)
  }
  return { kind: 'row', rows: checkedRows(served, answered) }
}

/** The type of the job that the declared responses tell of; `null` where work is never left for later. */
export function jobTypeOf(responses: readonly SuccessResponse[]): string | null {
  return responses.find((response) => response.kind === 'accepted')?.jobType ?? null
}
