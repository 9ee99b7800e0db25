import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type BodyMemory, bodyMemory, type MeteredBody } from '../../src/core/http/body-memory.js'
import { signal } from '../support/signal.js'

const refusal = new Error('refused')
const LIMIT = 1000

let now = 0
beforeEach(() => {
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => void vi.restoreAllMocks())

/** A body of which some bytes have arrived, and the error that has ended it. */
function begun(memory: BodyMemory, bytes: number): MeteredBody & { readonly endedBy: () => unknown } {
  const body = memory.open(true)
  let reason: unknown = null
  body.onEnd = (thrown) => {
    reason = thrown
  }
  if (bytes > 0) body.add(bytes)
  return Object.assign(body, { endedBy: () => reason })
}

const counts = (memory: BodyMemory) => {
  const { held, receiving, refused, ended } = memory.state()
  return { held, receiving, refused, ended }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Starts decoders of a size. Returns those that run, and a function that ends one. */
function decoders(memory: BodyMemory, count: number, bytes: number) {
  const running: (() => void)[] = []
  const all = Array.from({ length: count }, () =>
    memory.decode(bytes, () => {
      const end = signal()
      running.push(() => end.give())
      return end.given
    }),
  )
  return { running, all: Promise.all(all), endOne: () => (running.shift()?.(), settle()) }
}

describe('The memory of bodies', () => {
  it('is held until a body is released', () => {
    const memory = bodyMemory(LIMIT, refusal)
    const body = begun(memory, 300)
    expect(counts(memory)).toEqual({ held: 300, receiving: 1, refused: 0, ended: 0 })
    body.add(100)
    body.received(400)
    expect(counts(memory)).toEqual({ held: 400, receiving: 0, refused: 0, ended: 0 })
    body.release()
    body.release()
    expect(counts(memory)).toEqual({ held: 0, receiving: 0, refused: 0, ended: 0 })
  })

  it('counts bodies when they are complete if their parts were not reported', () => {
    const memory = bodyMemory(LIMIT, refusal)
    memory.open(true).received(700)
    expect(memory.state().held).toBe(700)
    expect(() => memory.open(true).received(700)).toThrow(refusal)
    expect(counts(memory)).toEqual({ held: 700, receiving: 0, refused: 0, ended: 1 })
  })

  it('refuses new bodies while all others make progress', () => {
    const memory = bodyMemory(LIMIT, refusal)
    const bodies = [begun(memory, 500), begun(memory, 500)]
    expect(() => memory.open(true)).toThrow(refusal)
    // A request without a body needs no memory.
    memory.open(false).received(0)
    expect(counts(memory)).toEqual({ held: 1000, receiving: 2, refused: 1, ended: 0 })
    expect(bodies.map((body) => body.endedBy())).toEqual([null, null])
  })

  it('ends a body that has stopped, instead of refusing a new one', () => {
    const memory = bodyMemory(LIMIT, refusal)
    const stopped = begun(memory, 500)
    now = 500
    const later = begun(memory, 500)
    now = 1000
    begun(memory, 400)
    expect([stopped.endedBy(), later.endedBy()]).toEqual([refusal, null])
    expect(counts(memory)).toEqual({ held: 900, receiving: 2, refused: 0, ended: 1 })
  })

  it('does not mistake the speed of the beginning for the speed of now', () => {
    const memory = bodyMemory(80_000, refusal)
    const stopped = begun(memory, 40_000)
    const steady = begun(memory, 20_000)
    now = 1000
    const third = begun(memory, 20_000)
    // None is slower than 16 KiB a second until now.
    expect(() => memory.open(true)).toThrow(refusal)
    now = 2000
    steady.add(20_000)
    expect([stopped.endedBy(), steady.endedBy(), third.endedBy()]).toEqual([refusal, null, null])
  })

  it('ends the slowest body if one that makes progress needs more', () => {
    const memory = bodyMemory(LIMIT, refusal)
    const slow = begun(memory, 100)
    now = 100
    const fast = begun(memory, 600)
    now = 110
    fast.add(350)
    expect([slow.endedBy(), fast.endedBy()]).toEqual([refusal, null])
    expect(memory.state().held).toBe(950)
    slow.add(50)
    expect(memory.state().held).toBe(950)
    expect(() => slow.received(150)).toThrow(refusal)
  })

  it('ends as many as necessary, and the one that needs more if it is the slowest', () => {
    const memory = bodyMemory(LIMIT, refusal)
    const small = Array.from({ length: 19 }, () => begun(memory, 50))
    now = 10
    const large = begun(memory, 240)
    expect(small.filter((body) => body.endedBy() !== null)).toHaveLength(4)
    expect([large.endedBy(), memory.state().held]).toEqual([null, 990])
    const alone = bodyMemory(LIMIT, refusal)
    expect(begun(alone, 1001).endedBy()).toBe(refusal)
    expect(alone.state().held).toBe(0)
  })

  it('finds slow bodies behind many that are fast, in a few tries', () => {
    const bytes = 20_000
    const memory = bodyMemory(21 * bytes, refusal)
    const fast = Array.from({ length: 20 }, () => begun(memory, bytes))
    const slow = begun(memory, 10)
    fast[0]?.add(bytes - 10)
    now = 1000
    for (let tries = 0; slow.endedBy() === null && tries < 5; tries += 1) {
      try {
        memory.open(true)
      } catch (thrown) {
        expect(thrown).toBe(refusal)
      }
    }
    expect(slow.endedBy()).toBe(refusal)
    expect(fast.filter((body) => body.endedBy() !== null)).toEqual([])
  })

  it('is not affected by bodies of which nothing has arrived', () => {
    const memory = bodyMemory(LIMIT, refusal)
    const empty = Array.from({ length: 50 }, () => begun(memory, 0))
    const stopped = begun(memory, 1000)
    now = 1000
    begun(memory, 1000)
    expect(stopped.endedBy()).toBe(refusal)
    expect(empty.filter((body) => body.endedBy() !== null)).toEqual([])
  })
})

describe('Decoders', () => {
  it('run four at a time', async () => {
    const memory = bodyMemory(LIMIT, refusal)
    const { running, all, endOne } = decoders(memory, 300, 10)
    for (let left = 300; left > 0; left -= 1) {
      expect([running.length, memory.state().decoding]).toEqual([Math.min(4, left), 10 * Math.min(4, left)])
      await endOne()
    }
    await all
    expect(memory.state().decoding).toBe(0)
  })

  it('wait for memory, but one always runs', async () => {
    const memory = bodyMemory(LIMIT, refusal)
    for (const [bytes, atOnce] of [
      [300, 3],
      [501, 1],
      [5000, 1],
    ] as const) {
      const { running, all, endOne } = decoders(memory, 8, bytes)
      for (let left = 8; left > 0; left -= 1) {
        expect(running.length).toBe(Math.min(atOnce, left))
        await endOne()
      }
      await all
    }
    expect(memory.state()).toMatchObject({ held: 0, decoding: 0 })
  })

  it('leave the memory of bodies to bodies', async () => {
    const memory = bodyMemory(LIMIT, refusal)
    const { all, endOne } = decoders(memory, 1, 5000)
    expect(begun(memory, 1000).endedBy()).toBe(null)
    await endOne()
    await all
  })

  it('free their memory if they fail', async () => {
    const memory = bodyMemory(LIMIT, refusal)
    await expect(memory.decode(10, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(memory.state().decoding).toBe(0)
  })
})
