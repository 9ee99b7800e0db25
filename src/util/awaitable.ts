import type { Awaitable } from './types.js'

/**
 * Applies a function to a value, or to the result of a promise. It creates no promise for a value that is not one,
 * which saves the promise for work that is rarely asynchronous. Callers that await the result see no difference.
 */
export function mapAwaitable<Value, Result>(
  value: Awaitable<Value>,
  map: (value: Value) => Promise<Result>,
): Promise<Result>
export function mapAwaitable<Value, Result>(
  value: Awaitable<Value>,
  map: (value: Value) => Awaitable<Result>,
): Awaitable<Result>
export function mapAwaitable<Value, Result>(
  value: Awaitable<Value>,
  map: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return isPromise(value) ? Promise.resolve(value).then(map) : map(value)
}

/** Runs a function that may be asynchronous. If it throws or rejects, returns the result of the handler. */
export function catchAwaitable<Value, Other>(
  run: () => Awaitable<Value>,
  handle: (thrown: unknown) => Other,
): Awaitable<Value | Other> {
  try {
    const value = run()
    return isPromise(value) ? Promise.resolve(value).catch(handle) : value
  } catch (thrown) {
    return handle(thrown)
  }
}

/** Runs a step for each item in order, each after the step before has finished. It is synchronous if every step is. */
export function forEachInOrder<Item>(items: readonly Item[], step: (item: Item) => Awaitable<void>): Awaitable<void> {
  for (const [index, item] of items.entries()) {
    const done = step(item)
    if (isPromise(done)) return finishInOrder(done, items.slice(index + 1), step)
  }
}

async function finishInOrder<Item>(
  done: Promise<void>,
  rest: readonly Item[],
  step: (item: Item) => Awaitable<void>,
): Promise<void> {
  await done
  for (const item of rest) await step(item)
}

/** Returns the results for one item. */
type Collect<Item, Result> = (item: Item, index: number) => Awaitable<readonly Result[]>

/**
 * Collects the results of all items, in order and one item at a time. It stops when it has as many results as the
 * limit. The results of the last item may exceed the limit.
 */
export function collectUpTo<Item, Result>(
  items: readonly Item[],
  limit: number,
  collect: Collect<Item, Result>,
): Awaitable<readonly Result[]> {
  const results: Result[] = []
  for (let index = 0; index < items.length && results.length < limit; index += 1) {
    const more = collect(items[index] as Item, index)
    if (isPromise(more)) return finishCollecting(results, more, { items, from: index + 1, limit, collect })
    if (more.length > 0) results.push(...more)
  }
  return results
}

/** The results of steps that may be asynchronous, in their order. */
type Results<Steps extends readonly (() => unknown)[]> = {
  -readonly [Position in keyof Steps]: Awaited<ReturnType<Steps[Position]>>
}

/** Runs steps in order, each after the step before has finished, and returns their results. It is synchronous if every step is. */
export function inOrder<const Steps extends readonly (() => unknown)[]>(...steps: Steps): Awaitable<Results<Steps>> {
  return collectUpTo(steps, Infinity, (step) => mapAwaitable(step(), (result) => [result])) as Awaitable<Results<Steps>>
}

/** Runs steps in order, and joins their results. */
export function joinInOrder<Result>(
  ...steps: readonly (() => Awaitable<readonly Result[]>)[]
): Awaitable<readonly Result[]> {
  return collectUpTo(steps, Infinity, (step) => step())
}

interface RemainingItems<Item, Result> {
  readonly items: readonly Item[]
  readonly from: number
  readonly limit: number
  readonly collect: Collect<Item, Result>
}

async function finishCollecting<Item, Result>(
  results: Result[],
  pending: Promise<readonly Result[]>,
  { items, from, limit, collect }: RemainingItems<Item, Result>,
): Promise<readonly Result[]> {
  results.push(...(await pending))
  for (let index = from; index < items.length && results.length < limit; index += 1) {
    results.push(...(await collect(items[index] as Item, index)))
  }
  return results
}

/** Returns whether a value has a `then` method. User-defined functions may return promises of other libraries. */
export function isPromise<Value>(value: Awaitable<Value>): value is Promise<Value> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false
  return typeof (value as { readonly then?: unknown }).then === 'function'
}
