import { expect, test } from 'vitest'
import { expectLinear, type Sized } from './growth.js'

/** Some arithmetic that the compiler cannot leave out. */
function steps(count: number): number {
  let sum = 0
  for (let step = 0; step < count; step += 1) sum = (sum * 31 + step) % 1_000_003
  return sum
}

const linear: Sized = (size) => () => steps(size * 100)
const quadratic: Sized = (size) => () => steps(size * size * 5)

test('work that grows with its size is accepted', async () => {
  await expectLinear(linear, { small: 1000 })
})

test('work that grows with the square of its size is refused', async () => {
  await expect(expectLinear(quadratic, { small: 150 })).rejects.toThrow(/growth of the CPU time/)
})
