import { type DataSource, keyIn, type Provider } from 'ashlar/store'
import { memoryData } from 'ashlar/memory'
import { conformanceModels, type ConformanceSeeds, storeConformance } from 'ashlar/testing'
import { conformanceSeeds } from '../../src/tools/testing/store-conformance/catalogue-seeds.js'
import type { StoreConformanceOptions } from '../../src/tools/testing/store-conformance/store-conformance.js'
import { describe, expect, test } from 'vitest'

/** The features that it lacks: foreign keys, columns that are not null, checks, types of columns, and writes by one statement. */
const inMemory = { references: false, required: false, checks: false, typed: false, autocommit: false } as const

describe('the store in memory', () => {
  for (const { name, run } of storeConformance({ open: memoryData, ...inMemory })) test(name, run)
})

/** A store that reads all it has for every question, and leaves the rest to the service. */
class ListedRows implements DataSource {
  readonly name = 'lists'
  readonly transactions = null
  readonly data: ConformanceSeeds

  constructor(seeds: ConformanceSeeds) {
    this.data = seeds
  }

  provider(): Provider {
    return {
      fetchOne: ({ model: rows, id }, wanted) =>
        this.rows(rows?.name).find((row) => id.encode(keyIn(row, id.column)) === wanted) ?? null,
      fetchCollection: ({ model: rows }) => this.rows(rows?.name),
    }
  }

  persister(): null {
    return null
  }

  private rows(name = ''): ConformanceSeeds[string] {
    return this.data[name] ?? []
  }
}

describe('a class that returns plain lists', () => {
  const cases = storeConformance({
    open: (seeds) => new ListedRows(seeds),
    writes: false,
    relations: false,
    aggregates: false,
    searches: false,
  })
  for (const { name, run } of cases) test(name, run)
})

function named(options: Omit<StoreConformanceOptions, 'open'>): readonly string[] {
  return storeConformance({ open: memoryData, ...options }).map(({ name }) => name)
}

/** The seeds but for one price. */
function priceless(seeds: ConformanceSeeds): ConformanceSeeds {
  const albums = (seeds['albums'] ?? []).map((row) => (row['id'] === 3 ? { ...row, price: null } : row))
  return { ...seeds, albums }
}

/** A store that cannot read lists. */
function broken(seeds: ConformanceSeeds): DataSource {
  const data = memoryData(seeds)
  const fetchCollection = () => Promise.reject(new Error(`The disk of ${data.name} is gone.`))
  return { ...data, provider: (type) => ({ ...(data.provider(type) as Provider), fetchCollection }) }
}

describe('the cases of the suite', () => {
  test('have unique names', () => {
    expect(new Set(named({})).size).toBe(named({}).length)
    expect(named({}).length).toBeGreaterThan(100)
  })

  test.each([
    'writes',
    'transactions',
    'relations',
    'joins',
    'unique',
    'references',
    'required',
    'checks',
    'typed',
    'locks',
    'together',
    'autocommit',
    'autocommitTogether',
    'idempotency',
    'filterTrees',
    'searches',
  ] as const)('are fewer without %s', (capability) => {
    const left = named({ [capability]: false })
    expect(left.length).toBeLessThan(named({}).length)
    expect(named({ [capability]: true })).toEqual(named({}))
    expect(named({})).toEqual(expect.arrayContaining([...left]))
  })

  test('are those of reading for a read-only store', () => {
    const without = {
      transactions: false,
      unique: false,
      references: false,
      together: false,
      autocommit: false,
      locks: false,
      idempotency: false,
    }
    const ofRows = { required: false, checks: false, typed: false }
    expect(named({ writes: false })).toEqual(named({ writes: false, ...without, ...ofRows }))
  })

  test('may run at the same time', async () => {
    const cases = storeConformance({ open: memoryData, ...inMemory })
    const writing = cases.filter(({ name }) => /^(?:a new row|a deleted row|an update changes)/.test(name))
    expect(writing.length).toBeGreaterThan(4)
    await Promise.all(writing.map(({ run }) => run()))
  })

  test('close what was opened, whether they pass or fail', async () => {
    const closed: string[] = []
    const open = (seeds: ConformanceSeeds) => ({ data: memoryData(seeds), close: () => void closed.push('right') })
    const [passing] = storeConformance({ open, ...inMemory })
    await passing?.run()
    const empty = () => ({ data: memoryData(), close: async () => void closed.push('empty') })
    const [failing] = storeConformance({ open: empty, ...inMemory })
    await expect(failing?.run()).rejects.toThrow('The store does not conform')
    expect(closed).toEqual(['right', 'empty'])
  })

  test('name what they expected and what they got', async () => {
    const cases = storeConformance({ open: (seeds) => memoryData(priceless(seeds)), ...inMemory })
    await expect(messageOf(cases, 'numbers are equal by value')).resolves.toBe(
      [
        'The store does not conform: numbers are equal by value.',
        'The ids of GET /albums?filter[price]=9.50:',
        '  expected: ["1","3"]',
        '  actual:   ["1"]',
      ].join('\n'),
    )
  })

  test('contain the error of the server', async () => {
    const cases = storeConformance({ open: broken, ...inMemory })
    await expect(messageOf(cases, 'text is ordered by code points')).resolves.toMatch(
      /"status":"500".*\nThe server failed with: The disk of memory is gone\.$/s,
    )
  })

  test('contain the faults of the declarations', async () => {
    const cases = storeConformance({ open: (seeds) => ({ ...memoryData(seeds), persister: () => null }) })
    await expect(messageOf(cases, 'text is ordered by code points')).resolves.toContain('The server cannot be built')
  })
})

async function messageOf(cases: ReturnType<typeof storeConformance>, name: string): Promise<string> {
  const found = cases.find((each) => each.name === name)
  return (
    found?.run().then(
      () => 'It passes.',
      ({ message }: Error) => message,
    ) ?? 'There is no such case.'
  )
}

test('the seeds have the columns of the models, and new values each time', () => {
  const seeds = conformanceSeeds()
  expect(Object.keys(seeds)).toEqual(conformanceModels.map(({ name }) => name))
  for (const { name, columns } of conformanceModels) {
    const names = columns.map((column) => column.name)
    const nullable = columns.filter((column) => column.nullable).map((column) => column.name)
    for (const row of seeds[name] ?? []) {
      expect(Object.keys(row).toSorted()).toEqual(names.toSorted())
      const nulls = Object.entries(row).flatMap(([column, value]) => (value === null ? [column] : []))
      expect(nullable).toEqual(expect.arrayContaining(nulls))
    }
  }
  expect(conformanceSeeds()).toEqual(seeds)
  expect(conformanceSeeds()['albums']?.[0]).not.toBe(seeds['albums']?.[0])
})
