import { expect } from 'vitest'
import { cpuTime } from './cpu-time.js'

/** Prepares work of a size, and returns the part of it that is measured. */
export type Sized = (size: number) => (() => unknown) | Promise<() => unknown>

interface GrowthOptions {
  readonly small: number
  /** How many times as large the large one is. */
  readonly times?: number
  /** Returns the time that was used so far, in milliseconds. */
  readonly clock?: () => number
}

/** Differences below this are chance, and no concern: in milliseconds. */
const negligible = 2

/** How often work that looks too expensive is measured again: chance only ever adds to the CPU time. */
const attempts = 5

/**
 * Expects the CPU time of some work to grow no faster than its size. Eight times the size must stay under 24 times the
 * time: linear work takes about 8 times as long, quadratic work 64 times.
 */
export async function expectLinear(work: Sized, { small, times = 8, clock = cpuTime }: GrowthOptions): Promise<void> {
  // The first run compiles.
  await measured(work, small, clock)
  let [less, more] = [Infinity, Infinity]
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    less = Math.min(less, await measured(work, small, clock))
    more = Math.min(more, await measured(work, small * times, clock))
    if (growth(less, more) < times * 3) return
  }
  expect(growth(less, more), `the growth of the CPU time from ${less} to ${more} ms`).toBeLessThan(times * 3)
}

function growth(less: number, more: number): number {
  return more / Math.max(less, negligible)
}

async function measured(work: Sized, size: number, clock: () => number): Promise<number> {
  const run = await work(size)
  const start = clock()
  await run()
  return clock() - start
}
