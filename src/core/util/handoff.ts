import { invariant } from './invariant.js'

/** Passes values from work that runs to a reader, one at a time: the work waits until the reader wants the next one. */
export interface Handoff<Value> extends AsyncIterableIterator<Value> {
  return(): Promise<IteratorResult<Value>>
}

export interface HandoffOptions {
  /** How long the work waits for the reader, in milliseconds. */
  readonly idleTime: number
  /** Creates the error with which the work ends if the reader does not come. */
  readonly idleError: () => Error
}

/** A promise with the functions that settle it. */
interface Deferred<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
  readonly reject: (thrown: unknown) => void
}

function deferred<Value>(): Deferred<Value> {
  let settle: Omit<Deferred<Value>, 'promise'> | null = null
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject }
  })
  invariant(settle !== null, 'the executor of a promise runs immediately')
  return { promise, ...(settle as Omit<Deferred<Value>, 'promise'>) }
}

/** The end of work whose reader has left. */
class ReaderHasLeft extends Error {}

/**
 * Starts work that gives values to a reader. Returns them as an iterator, which fails if the work fails. `give` rejects if the reader has
 * left, or does not come in time: the work then ends, and frees what it holds.
 */
export function handoff<Value>(
  run: (give: (value: Value) => Promise<void>) => Promise<void>,
  { idleTime, idleError }: HandoffOptions,
): Handoff<Value> {
  let taker: Deferred<IteratorResult<Value>> | null = null
  let giver: (Deferred<void> & { readonly value: Value }) | null = null
  let hasLeft = false
  let outcome: { readonly thrown: unknown } | 'done' | null = null

  async function give(value: Value): Promise<void> {
    if (hasLeft) throw new ReaderHasLeft()
    if (taker !== null) {
      const { resolve } = taker
      taker = null
      resolve({ done: false, value })
      return
    }
    const waiting = { ...deferred<void>(), value }
    giver = waiting
    const timer = setTimeout(() => {
      if (giver === waiting) giver = null
      waiting.reject(idleError())
    }, idleTime)
    await waiting.promise.finally(() => clearTimeout(timer))
  }

  const ended = (result: { readonly thrown: unknown } | 'done'): void => {
    outcome = result
    if (taker === null) return
    if (result === 'done' || hasLeft) taker.resolve({ done: true, value: undefined })
    else taker.reject(result.thrown)
    taker = null
  }
  const work = run(give).then(
    () => ended('done'),
    (thrown: unknown) => ended({ thrown }),
  )

  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      if (giver !== null) {
        const { resolve, value } = giver
        giver = null
        resolve()
        return { done: false, value }
      }
      if (outcome === 'done' || hasLeft) return { done: true, value: undefined }
      if (outcome !== null) throw outcome.thrown
      taker = deferred<IteratorResult<Value>>()
      return taker.promise
    },
    async return() {
      hasLeft = true
      giver?.reject(new ReaderHasLeft())
      giver = null
      await work
      return { done: true, value: undefined }
    },
  }
}
