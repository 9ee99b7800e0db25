import type { Awaitable } from './types.js'

/** How long work may run before other requests get a turn, in milliseconds. */
const SLICE_MILLISECONDS = 8

/** The number of items after which the time is checked. */
const ITEMS_PER_CHECK = 32

type Step<Item> = (item: Item, index: number) => void

/**
 * Runs a step for each item in order. If that takes long, it lets the event loop serve other requests in between, and
 * returns a promise. Short lists are done synchronously, and their time is not measured.
 */
export function forEachInSlices<Item>(items: readonly Item[], step: Step<Item>): Awaitable<void> {
  const next = items.length <= ITEMS_PER_CHECK ? runItems(items, 0, step) : runSlice(items, 0, step)
  if (next < items.length) return continueInSlices(items, next, step)
}

async function continueInSlices<Item>(items: readonly Item[], from: number, step: Step<Item>): Promise<void> {
  for (let next = from; next < items.length; ) {
    await nextTurn()
    next = runSlice(items, next, step)
  }
}

/** Runs steps until the time is over. Returns the index of the next item. */
function runSlice<Item>(items: readonly Item[], from: number, step: Step<Item>): number {
  const end = performance.now() + SLICE_MILLISECONDS
  let next = from
  while (next < items.length) {
    next = runItems(items, next, step)
    if (performance.now() >= end) break
  }
  return next
}

function runItems<Item>(items: readonly Item[], from: number, step: Step<Item>): number {
  const end = Math.min(items.length, from + ITEMS_PER_CHECK)
  for (let index = from; index < end; index += 1) step(items[index] as Item, index)
  return end
}

/**
 * Returns a function to call between the steps of long work. It lets other requests run if the steps since the last time
 * took long, and otherwise returns nothing to wait for.
 */
export function pauses(): () => Awaitable<void> {
  let end = performance.now() + SLICE_MILLISECONDS
  return () => {
    if (performance.now() < end) return
    return pause()
  }
  async function pause(): Promise<void> {
    await nextTurn()
    end = performance.now() + SLICE_MILLISECONDS
  }
}

/** Returns a result after other requests had a turn. */
export async function pausedAfter<Result>(result: Awaitable<Result>): Promise<Result> {
  const value = await result
  await nextTurn()
  return value
}

/** A request needs some turns of the event loop, from its first byte to its response. Without other work, they follow each other immediately. */
const TURNS = 4

/** Lets other requests go on between two steps of long work, from their first byte to their response. */
export async function turnsOfOthers(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn()
}

/** Lets the event loop read sockets and serve other requests. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
