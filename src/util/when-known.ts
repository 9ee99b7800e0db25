import type { Awaitable } from './types.js'

/**
 * Goes on with a value: at once where it is known, else when it is. What only rarely has to be waited for costs no promise
 * the other times; whoever awaits the answer cannot tell the difference.
 */
export function whenKnown<Value, Answer>(
  value: Awaitable<Value>,
  goOn: (value: Value) => Awaitable<Answer>,
): Awaitable<Answer> {
  return isLater(value) ? Promise.resolve(value).then(goOn) : goOn(value)
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
export function inTurn<Item>(items: readonly Item[], step: (item: Item) => Awaitable<void>): Awaitable<void> {
  for (const [index, item] of items.entries()) {
    const done = step(item)
    if (isLater(done)) return restInTurn(done, items.slice(index + 1), step)
  }
}

async function restInTurn<Item>(
  done: Promise<void>,
  rest: readonly Item[],
  step: (item: Item) => Awaitable<void>,
): Promise<void> {
  await done
  for (const item of rest) await step(item)
}

/** Finds out what there is to say of an item, the index of which is told too. */
type Ask<Item, Found> = (item: Item, index: number) => Awaitable<readonly Found[]>

/**
 * What there is to say of all the items, asked one after the other. Once that is as much as the limit, no further one is
 * asked.
 */
export function gathered<Item, Found>(
  items: readonly Item[],
  limit: number,
  ask: Ask<Item, Found>,
): Awaitable<readonly Found[]> {
  const found: Found[] = []
  for (let index = 0; index < items.length && found.length < limit; index += 1) {
    const more = ask(items[index] as Item, index)
    if (isLater(more)) return restGathered(found, more, { items, from: index + 1, limit, ask })
    if (more.length > 0) found.push(...more)
  }
  return found
}

interface Rest<Item, Found> {
  readonly items: readonly Item[]
  readonly from: number
  readonly limit: number
  readonly ask: Ask<Item, Found>
}

async function restGathered<Item, Found>(
  found: Found[],
  pending: Promise<readonly Found[]>,
  { items, from, limit, ask }: Rest<Item, Found>,
): Promise<readonly Found[]> {
  found.push(...(await pending))
  for (let index = from; index < items.length && found.length < limit; index += 1) {
    found.push(...(await ask(items[index] as Item, index)))
  }
  return found
}

/** Whether `await` would wait for it: functions of authors may answer promises of other libraries. */
export function isLater<Value>(value: Awaitable<Value>): value is Promise<Value> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false
  return typeof (value as { readonly then?: unknown }).then === 'function'
}
