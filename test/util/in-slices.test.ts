import { expect, test } from 'vitest'
import { atOnce, inSlices, sliced, type Steps } from '../../src/core/util/in-slices.js'

/** Counts to a number. Each step takes longer than a slice. */
function* counting(to: number, log: string[]): Steps<readonly number[]> {
  const numbers: number[] = []
  while (numbers.length < to) {
    numbers.push(numbers.length + 1)
    log.push(`step ${numbers.length}`)
    const end = performance.now() + 10
    while (performance.now() < end);
    yield
  }
  return numbers
}

test('steps have the same result at once and in slices', async () => {
  expect(atOnce(counting(3, []))).toEqual([1, 2, 3])
  expect(await inSlices(counting(3, []))).toEqual([1, 2, 3])
})

test('other work runs between slices', async () => {
  const log: string[] = []
  setImmediate(() => log.push('other work'))
  await inSlices(counting(3, log))
  expect(log).toEqual(['step 1', 'other work', 'step 2', 'step 3'])
})

test('concurrent callers share one value, and a later caller gets it at once', async () => {
  const log: string[] = []
  const value = sliced(() => counting(2, log))
  const [one, other] = await Promise.all([value.soon(), value.soon()])
  expect(one).toBe(other)
  expect(value.now()).toBe(one)
  expect(log).toEqual(['step 1', 'step 2'])
})

test('a caller that cannot wait gets the value that the others get', async () => {
  const value = sliced(() => counting(2, []))
  const later = value.soon()
  const now = value.now()
  expect(await later).toBe(now)
})

test('after an error, the next caller begins again', async () => {
  let attempts = 0
  const value = sliced(function* (): Steps<readonly number[]> {
    attempts += 1
    yield
    if (attempts === 1) throw new Error('not now')
    return [attempts]
  })
  await expect(value.soon()).rejects.toThrow('not now')
  expect(await value.soon()).toEqual([2])
})
