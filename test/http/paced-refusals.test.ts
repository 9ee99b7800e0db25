import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pacedRefusals } from '../../src/core/http/paced-refusals.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
const time = () => performance.now()
afterEach(() => void vi.useRealTimers())

/** Refuses some requests. Returns how many were refused until now. */
function refusals(count: number): () => number {
  const paced = pacedRefusals(time)
  let refused = 0
  for (let index = 0; index < count; index += 1) void paced(() => (refused += 1))
  return () => refused
}

describe('Refusals', () => {
  it('are sent immediately if there are few', () => {
    expect(refusals(100)()).toBe(100)
  })

  it('wait if there are many, and are then sent at a steady rate', () => {
    const refused = refusals(400)
    expect(refused()).toBe(100)
    vi.advanceTimersByTime(400)
    expect(refused()).toBe(160)
    vi.advanceTimersByTime(400)
    expect(refused()).toBe(220)
  })

  it('wait for a second at most', () => {
    const refused = refusals(50_000)
    vi.advanceTimersByTime(980)
    expect(refused()).toBe(100 + 147)
    vi.advanceTimersByTime(40)
    expect(refused()).toBe(50_000)
  })

  it('do not count the time in which other processes run', () => {
    let available = 0
    const paced = pacedRefusals(() => available)
    let refused = 0
    for (let index = 0; index < 1000; index += 1) void paced(() => (refused += 1))
    vi.advanceTimersByTime(60_000)
    expect(refused).toBe(100)
    available = 100
    vi.advanceTimersByTime(20)
    expect(refused).toBe(115)
  })

  it('are sent in their order, and return the response', async () => {
    const paced = pacedRefusals(time)
    const sent: number[] = []
    const all = Array.from({ length: 120 }, (_, index) => paced(() => (sent.push(index), index)))
    vi.advanceTimersByTime(1000)
    expect(await Promise.all(all)).toEqual(sent)
    expect(sent).toEqual(Array.from({ length: 120 }, (_, index) => index))
  })
})
