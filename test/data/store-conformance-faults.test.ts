import type { DataSource } from 'ashlar/store'
import { type ConformanceSeeds, storeConformance } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { type Fault, faults, messageOf } from '../support/small-store/faults.js'
import { smallStore } from '../support/small-store/small-store.js'

type Row = ConformanceSeeds[string][number]

function changed(seeds: ConformanceSeeds, change: (row: Row) => Row): ConformanceSeeds {
  return Object.fromEntries(Object.entries(seeds).map(([model, rows]) => [model, rows.map(change)]))
}

function withBigKeys(row: Row): Row {
  const values = Object.entries(row).map(([column, value]) => {
    const isKey = /^id$|Id$/.test(column) && typeof value === 'number'
    return [column, isKey ? BigInt(value) : value]
  })
  return Object.fromEntries(values) as Row
}

const right = storeConformance({ open: (seeds) => smallStore(seeds) })

describe('a store that does everything right', () => {
  for (const { name, run } of right) test(name, run)
})

describe('a store that does everything right, and', () => {
  test.each<[string, (row: Row) => Row]>([
    ['has its own columns', (row) => ({ ...row, _rev: 1 })],
    ['has keys that are bigint', withBigKeys],
  ])('%s', async (_, change) => {
    for (const { run } of storeConformance({ open: (seeds) => smallStore(changed(seeds, change)) })) await run()
  })
})

/** The capabilities that it declares when a server is built: all others can do the same. */
const unable: Fault = 'has nothing to read related rows with'

/** A store that breaks down fails every case, which proves nothing about the case. */
function isNoticed({ message, cause }: Error, fault: Fault): boolean {
  const expected = messageOf[fault]
  if (expected !== undefined && message.includes(expected)) return true
  const isAnswered = !message.includes('The server failed with: ') && !hasBrokenDown(cause)
  return isAnswered && message.startsWith('The store does not conform: ')
}

function hasBrokenDown(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  return !['Error', 'StoreConflict'].includes(thrown.name) || hasBrokenDown(thrown.cause)
}

describe('the suite notices a store that', () => {
  let fault: Fault
  const open = (seeds: ConformanceSeeds): DataSource => smallStore(seeds, fault)
  const shared = storeConformance({ open })

  test.each(Object.entries(faults) as [Fault, readonly string[]][])('%s', async (name, noticed) => {
    fault = name
    const cases = fault === unable ? storeConformance({ open }) : shared
    const failed: string[] = []
    for (const each of cases.filter((one) => noticed.includes(one.name))) {
      await each.run().catch((thrown: Error) => {
        if (!isNoticed(thrown, fault)) throw thrown
        failed.push(each.name)
      })
    }
    expect(failed.toSorted()).toEqual(noticed.toSorted())
  })

  test('does anything wrong: there is a fault for each of its cases', () => {
    const noticed = new Set<string>(Object.values(faults).flat())
    expect(right.map(({ name }) => name).filter((name) => !noticed.has(name))).toEqual([])
  })
})
