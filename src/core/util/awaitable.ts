import type { Awaitable } from './types.js'

/**
 * Applies a function to a value, or to the result of a promise. It creates no promise for a value that is not one,
 * which saves the promise for work that is rarely asynchronous. Callers that await the result see no difference.
 */
export function mapAwaitable<Value, Result>(
  value: Awaitable<Value>,
  map: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return isPromise(value) ? Promise.resolve(value).then(map) : map(value)
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

/** Converts the results for one item. */
type Convert<Item, Found, Result> = (found: readonly Found[], item: Item, index: number) => readonly Result[]

/**
 * Collects the results of all items, in order and one item at a time. It stops when it has as many results as the
 * limit. The results of the last item may exceed the limit.
 */
export function collectUpTo<Item, Found, Result = Found>(
  items: readonly Item[],
  limit: number,
  collect: Collect<Item, Found>,
  convert: Convert<Item, Found, Result> = unchanged,
): Awaitable<readonly Result[]> {
  const results: Result[] = []
  for (let index = 0; index < items.length && results.length < limit; index += 1) {
    const item = items[index] as Item
    const found = collect(item, index)
    if (isPromise(found)) return finishCollecting(results, found, { items, from: index, limit, collect, convert })
    if (found.length > 0 || convert !== unchanged) results.push(...convert(found, item, index))
  }
  return results
}

function unchanged<Found>(found: readonly Found[]): readonly never[] {
  return found as readonly never[]
}

/** Runs steps in order, and joins their results. */
export function joinInOrder<Result>(
  ...steps: readonly (() => Awaitable<readonly Result[]>)[]
): Awaitable<readonly Result[]> {
  return collectUpTo(steps, Infinity, (step) => step())
}

interface RemainingItems<Item, Found, Result> {
  readonly items: readonly Item[]
  readonly from: number
  readonly limit: number
  readonly collect: Collect<Item, Found>
  readonly convert: Convert<Item, Found, Result>
}

async function finishCollecting<Item, Found, Result>(
  results: Result[],
  pending: Promise<readonly Found[]>,
  { items, from, limit, collect, convert }: RemainingItems<Item, Found, Result>,
): Promise<readonly Result[]> {
  results.push(...convert(await pending, items[from] as Item, from))
  for (let index = from + 1; index < items.length && results.length < limit; index += 1) {
    const item = items[index] as Item
    results.push(...convert(await collect(item, index), item, index))
  }
  return results
}

/** Runs work, and calls a function when it is done, whether it has failed or not. */
export function untilDone<Result>(work: () => Result, end: () => void): Result {
  let result: Result
  try {
    result = work()
  } catch (thrown) {
    end()
    throw thrown
  }
  if (isPromise(result)) result.then(end, end)
  else end()
  return result
}

/** Returns whether a value has a `then` method. User-defined functions may return promises of other libraries. */
export function isPromise<Value>(value: Awaitable<Value>): value is Promise<Value> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false
  return typeof (value as { readonly then?: unknown }).then === 'function'
}
