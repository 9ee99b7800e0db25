import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../errors/json-api-error.js'
import { failAll } from '../../errors/json-api-error.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { StoreConflict } from '../../resource/capabilities/store-conflict.js'
import type { Awaitable } from '../../util/types.js'
import type { ReadContext } from '../../read/read-context.js'
import { declaredOrder } from './taken-problems.js'

/** What a client is to be told of a conflict. */
type Telling = (reading: ReadContext) => Awaitable<readonly Problem[]>

/** A store's refusal of what a body writes, on its way out of the transactions. */
export class StoreRefusal extends Error {
  readonly conflict: StoreConflict
  readonly tell: Telling

  constructor(conflict: StoreConflict, tell: Telling) {
    super(conflict.message, { cause: conflict })
    this.conflict = conflict
    this.tell = tell
  }
}

/**
 * Answers what was thrown out of the transactions: a refusal by what is wrong with the body. Everything is undone by now,
 * so that what the store did not get to say can be looked up.
 *
 * @param served the type of the document
 */
export async function reportRefusal(thrown: unknown, { type }: ServedType, reading: ReadContext): Promise<never> {
  if (!(thrown instanceof StoreRefusal)) throw thrown
  const { conflict, tell } = thrown
  const problems = declaredOrder(type, await tell(reading))
  const distinct = problems.filter((each, index) => index === problems.findIndex((other) => isSame(each, other)))
  failAll(distinct.slice(0, reading.services.maxErrors), { cause: conflict })
}

/** Several sets of columns may say the same of one member of the body. */
function isSame(one: Problem, other: Problem): boolean {
  return isDeepStrictEqual([one.context, one.source], [other.context, other.source])
}
