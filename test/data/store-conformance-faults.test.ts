import type { DataSource } from 'ashlar'
import { type ConformanceSeeds, storeConformance } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { type Fault, faults } from '../support/small-store/faults.js'
import { smallStore } from '../support/small-store/small-store.js'

const right = storeConformance({ open: (seeds) => smallStore(seeds) })

describe('a store that does everything right', () => {
  for (const { name, run } of right) test(name, run)
})

/** What it says of itself when a server is built: all others can do the same. */
const unable: Fault = 'has nothing to read related rows with'

describe('the suite notices a store that', () => {
  let fault: Fault
  const open = (seeds: ConformanceSeeds): DataSource => smallStore(seeds, fault)
  const shared = storeConformance({ open })

  test.each(Object.entries(faults) as [Fault, readonly string[]][])('%s', async (name, noticed) => {
    fault = name
    const cases = fault === unable ? storeConformance({ open }) : shared
    const failed: string[] = []
    for (const each of cases.filter((one) => noticed.includes(one.name))) {
      await each.run().catch(() => failed.push(each.name))
    }
    expect(failed.toSorted()).toEqual(noticed.toSorted())
  })

  test('does anything wrong: there is a fault for each of its cases', () => {
    const noticed = new Set<string>(Object.values(faults).flat())
    expect(right.map(({ name }) => name).filter((name) => !noticed.has(name))).toEqual([])
  })
})
