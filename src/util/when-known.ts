import type { Awaitable } from './types.js'

/**
 * Goes on with a value: at once where it is known, else when it is. What only rarely has to be waited for costs no promise
 * the other times; whoever awaits the answer cannot tell the difference.
 */
export function whenKnown<Value, Answer>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Answer>,
): Awaitable<Answer> {
  return isLater(value) ? Promise.resolve(value).then(next) : next(value)
}

/** What a function answers, or what is made of that which it throws, now or later. */
export function orElse<Value, Other>(
  answer: () => Awaitable<Value>,
  other: (thrown: unknown) => Other,
): Awaitable<Value | Other> {
  try {
    const value = answer()
    return isLater(value) ? Promise.resolve(value).catch(other) : value
  } catch (thrown) {
    return other(thrown)
  }
}

/** Takes the items one after the other, each when the step before it is done: at once, as far as nothing is waited for. */
export function inTurn<Item>(
  items: readonly Item[],
  step: (item: Item, index: number) => Awaitable<void>,
): Awaitable<void> {
  for (let index = 0; index < items.length; index += 1) {
    const done = step(items[index] as Item, index)
    if (isLater(done)) return restInTurn(done, { items, from: index + 1, step })
  }
}

/**
 * What all the items have to say, asked one after the other. Once that is as much as the limit, no further one is asked.
 */
export function gathered<Item, Found>(
  items: readonly Item[],
  limit: number,
  ask: (item: Item, index: number) => Awaitable<readonly Found[]>,
): Awaitable<readonly Found[]> {
  const found: Found[] = []
  const add = (more: readonly Found[]): void => {
    if (more.length > 0) found.push(...more)
  }
  const done = inTurn(items, (item, index) => {
    if (found.length < limit) return whenKnown(ask(item, index), add)
  })
  return whenKnown(done, () => found)
}

interface Turns<Item> {
  readonly items: readonly Item[]
  readonly from: number
  readonly step: (item: Item, index: number) => Awaitable<void>
}

async function restInTurn<Item>(done: Promise<void>, { items, from, step }: Turns<Item>): Promise<void> {
  await done
  for (let index = from; index < items.length; index += 1) {
    const next = step(items[index] as Item, index)
    if (isLater(next)) await next
  }
}

/** Whether `await` would wait for it: functions of authors may answer promises of other libraries. */
function isLater<Value>(value: Awaitable<Value>): value is Promise<Value> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false
  return typeof (value as { readonly then?: unknown }).then === 'function'
}
