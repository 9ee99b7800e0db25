import { describe, expect, test } from 'vitest'
import { collectUpTo, forEachInOrder, mapAwaitable } from '../../src/core/util/awaitable.js'

const later = <Value>(value: Value): Promise<Value> => new Promise((resolve) => setImmediate(() => resolve(value)))
const refuse = (message: string) => (): never => {
  throw new Error(message)
}
/** A promise of another library: only the part that `await` needs. */
const foreign = (value: number): Promise<number> => withThen((resolve: (known: number) => void) => resolve(value))
// oxlint-disable-next-line unicorn/no-thenable -- what `await` makes of such objects is the question
const withThen = <Value>(member: unknown): Value => Object.fromEntries([['then', member]]) as Value
const twice = (item: number, index: number): readonly string[] => [`${index}: ${item}`, `${index}: ${item} again`]

describe('a continuation of a value', () => {
  test('runs immediately if the value is known, whatever it is', () => {
    const values = [0, '', null, undefined, [], withThen('no function'), () => 1]
    expect(values.map((value) => mapAwaitable(value, (known) => [known]))).toEqual(values.map((value) => [value]))
  })

  test('waits for a promise, also for one of another library', async () => {
    const results = [later(1), foreign(2)].map((value) => mapAwaitable(value, (known) => known + 1))
    expect(results.every((response) => response instanceof Promise)).toBe(true)
    expect([await results[0], await results[1]]).toEqual([2, 3])
  })

  test('fails if the value or the next step fails', async () => {
    expect(() => mapAwaitable(1, refuse('now'))).toThrow('now')
    await expect(mapAwaitable(later(1), refuse('later'))).rejects.toThrow('later')
    await expect(mapAwaitable(Promise.reject(new Error('before')), refuse('later'))).rejects.toThrow('before')
  })
})

describe('steps in sequence', () => {
  test('run immediately if none is asynchronous', () => {
    const taken: number[] = []
    expect(forEachInOrder([1, 2, 3], (item) => void taken.push(item))).toBeUndefined()
    expect(taken).toEqual([1, 2, 3])
  })

  test('run one after the other if one is asynchronous', async () => {
    for (const waiting of [[1], [2], [3], [1, 3], [1, 2, 3]]) {
      const taken: string[] = []
      await forEachInOrder([1, 2, 3], (item) => {
        taken.push(`${item} begins`)
        return mapAwaitable(waiting.includes(item) ? later(item) : item, () => void taken.push(`${item} ends`))
      })
      expect(taken).toEqual([1, 2, 3].flatMap((item) => [`${item} begins`, `${item} ends`]))
    }
  })

  test('end with the first that fails', async () => {
    const taken: number[] = []
    const steps = forEachInOrder([1, 2, 3], (item) => {
      taken.push(item)
      return item === 2 ? refuse('no')() : mapAwaitable(later(item), () => undefined)
    })
    await expect(steps).rejects.toThrow('no')
    expect(taken).toEqual([1, 2])
  })
})

describe('a gathered list', () => {
  test('is returned immediately if nothing is asynchronous', () => {
    expect(collectUpTo([5, 6], 10, twice)).toEqual(['0: 5', '0: 5 again', '1: 6', '1: 6 again'])
  })

  test('is the same if some of it is asynchronous', async () => {
    for (const waiting of [[5], [6], [7], [5, 7], [5, 6, 7]]) {
      const response = collectUpTo([5, 6, 7], 10, (item, index) => {
        return waiting.includes(item) ? later(twice(item, index)) : twice(item, index)
      })
      expect(response).toBeInstanceOf(Promise)
      expect(await response).toEqual(collectUpTo([5, 6, 7], 10, twice))
    }
  })

  test('ends at the limit', async () => {
    for (const [limit, count] of [
      [-1, 0],
      [0, 0],
      [1, 1],
      [2, 1],
      [3, 2],
    ] as const) {
      for (const wait of [<Value>(value: Value) => value, later]) {
        const calls: number[] = []
        const found = await collectUpTo([5, 6, 7], limit, (item, index) => {
          calls.push(item)
          return wait(twice(item, index))
        })
        expect([calls, found.length]).toEqual([[5, 6, 7].slice(0, count), 2 * count])
      }
    }
  })
})
