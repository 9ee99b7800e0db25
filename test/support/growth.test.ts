import { expect, test } from 'vitest'
import { cpuTime } from './cpu-time.js'
import { expectLinear, type Sized } from './growth.js'

/** Work that advances a fake clock by so many milliseconds. */
function working(costOf: (size: number) => number): { readonly work: Sized; readonly clock: () => number } {
  let time = 0
  return { work: (size) => () => (time += costOf(size)), clock: () => time }
}

const sizes = { small: 100 }

test('linear work is accepted', async () => {
  const { work, clock } = working((size) => size)
  await expectLinear(work, { ...sizes, clock })
})

test('quadratic work is refused', async () => {
  const { work, clock } = working((size) => size * size)
  await expect(expectLinear(work, { ...sizes, clock })).rejects.toThrow('the growth of the CPU time')
})

test('one slow run among fast ones is ignored', async () => {
  let runs = 0
  const { work, clock } = working((size) => size * ((runs += 1) === 3 ? 1000 : 1))
  await expectLinear(work, { ...sizes, clock })
})

test('the CPU time of a thread grows while it works', () => {
  const start = cpuTime()
  for (let round = 0; round < 3_000_000 && cpuTime() - start < 20; round += 1000) useCpu(1000)
  expect(cpuTime() - start).toBeGreaterThanOrEqual(20)
})

function useCpu(rounds: number): void {
  for (let round = 0; round < rounds; round += 1) JSON.stringify(sizes)
}
