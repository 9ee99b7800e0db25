/** Work that is done step by step, and returns its result after the last step. */
export type Steps<Result> = Generator<void, Result, void>

/** How long a slice takes at most, plus its last step: other requests wait as long. */
const SLICE_MILLISECONDS = 8

/** Does all steps in one go. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Does the same steps as `atOnce()`, and lets other work run in between. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const end = performance.now() + SLICE_MILLISECONDS
    do {
      const { done, value } = steps.next()
      if (done === true) return value
    } while (performance.now() < end)
    await nextTurn()
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** A value that is created when it is needed for the first time: at once, or in slices. */
export interface Sliced<Value> {
  readonly now: () => Value
  readonly soon: () => Promise<Value>
  /** The steps, for other steps that need the value first. */
  readonly steps: () => Steps<Value>
}

/** @param begin returns the steps that create the value */
export function sliced<Value extends object>(begin: () => Steps<Value>): Sliced<Value> {
  let value: Value | null = null
  let pending: Promise<Value> | null = null
  function* steps(): Steps<Value> {
    if (value !== null) return value
    const created = yield* begin()
    // A caller that could not wait may have created the value in the meantime.
    value ??= created
    return value
  }
  return {
    steps,
    now: () => atOnce(steps()),
    soon() {
      if (value !== null) return Promise.resolve(value)
      // Several requests wait for the same steps. After an error, the next request begins again.
      pending ??= inSlices(steps()).finally(() => {
        pending = null
      })
      return pending
    },
  }
}
