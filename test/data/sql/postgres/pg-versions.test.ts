import { sqlData } from 'ashlar/sql'
import { storeConformance } from 'ashlar/testing'
import type { Pool as PgPool } from 'pg'
import { Client, Pool } from 'pg'
import * as lowest from 'pg-lowest'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { conformanceOptions, conformanceRows, conformanceTables } from '../../../support/conformance-tables.js'
import { databases } from '../write/open-databases.js'

/** A client of a version of pg that has none of the internals. */
class PlainClient extends Client {
  constructor(...settings: ConstructorParameters<typeof Client>) {
    super(...settings)
    Reflect.set(this, 'pipeline', undefined)
  }
}

const pools = [
  ['the lowest version of pg', (connectionString: string) => new lowest.Pool({ connectionString, max: 4 }), true],
  [
    'a version of pg without the internals',
    (connectionString: string) => new Pool({ connectionString, max: 4, Client: PlainClient }),
    false,
  ],
] as const

const open = databases()

describe.each(pools)('a store on %s', (_name, poolOf, isFast) => {
  const opened: PgPool[] = []
  const warned = vi.fn<(warning: Error) => void>()

  async function openOnce() {
    const { database, options, rows } = await open('postgres', conformanceTables('postgres'))
    const { connectionString = '' } = (database as PgPool).options
    const pool = poolOf(connectionString)
    opened.push(pool)
    process.on('warning', warned)
    return { data: sqlData(pool, { ...conformanceOptions, ...options }), rows }
  }

  let once: ReturnType<typeof openOnce> | null = null
  const cases = storeConformance({
    async open(seeds) {
      once ??= openOnce()
      const { data, rows } = await once
      await rows(conformanceRows('postgres', seeds).join(';\n'))
      return data
    },
  })
  for (const { name, run } of cases) test(name, run)

  test('logs one sentence if it cannot use the internals, and nothing if it can', () => {
    const sentences = warned.mock.calls.map(([{ message }]) => message).filter((text) => text.startsWith('ashlar/sql'))
    expect(sentences).toHaveLength(isFast ? 0 : 1)
  })

  afterAll(async () => {
    process.off('warning', warned)
    await Promise.all(opened.map((pool) => pool.end()))
  })
})
