import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'

/** The shortest of several tries, in milliseconds: what else the machine does only ever adds to it. */
async function timeOfPromises(): Promise<number> {
  const tries: number[] = []
  for (let attempt = 0; attempt < 7; attempt += 1) {
    const start = performance.now()
    for (let turn = 0; turn < 5000; turn += 1) await Promise.resolve(turn)
    tries.push(performance.now() - start)
  }
  return Math.min(...tries)
}

// Each store that had ever written used to hold up every promise of the process from then on, by a little.
test('stores that have nothing to write cost nothing, however many there are: promises take as long as before', async () => {
  const before = await timeOfPromises()
  for (let store = 0; store < 200; store += 1) await memoryData().transactions?.run(async () => undefined)
  expect((await timeOfPromises()) / before).toBeLessThan(10)
})
