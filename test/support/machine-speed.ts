import { hash } from 'node:crypto'

/** How long `work` takes on the machine that the time-outs of the tests were chosen on, in milliseconds. */
const usual = 40

/**
 * Measures how much slower this machine is now than the one that the time-outs were chosen on: 1 at least, 20 at most.
 * Other processes count, because tests wait for them too.
 */
export function measuredSlowness(): number {
  const start = performance.now()
  work()
  return Math.min(Math.max((performance.now() - start) / usual, 1), 20)
}

function work(): void {
  let text = 'ashlar'
  for (let round = 0; round < 40_000; round += 1) text = hash('sha256', text)
}
