import { createRequire } from 'node:module'
import { sqlData } from 'ashlar/sql'
import { storeConformance } from 'ashlar/testing'
import type { Pool as PgPool } from 'pg'
import { Pool } from 'pg'
import * as lowest from 'pg-lowest'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { invariant } from '../../../../src/core/util/invariant.js'
import { conformanceOptions, conformanceRows, conformanceTables } from '../../../support/conformance-tables.js'
import { isLong } from '../../../support/runs.js'
import { databases } from '../write/open-databases.js'
import { changedClients } from './changed-clients.js'

const pools = [
  ['the lowest version of pg', (connectionString: string) => new lowest.Pool({ connectionString, max: 4 }), true],
  ['the newest version of pg', (connectionString: string) => new Pool({ connectionString, max: 4 }), true],
  ['a client that cannot pipeline', changedPool('cannot pipeline'), false],
  ['a client that passes rows in another form', changedPool('names the values of a row otherwise'), false],
] as const

function changedPool(name: string): (connectionString: string) => PgPool {
  const Client = new Map(changedClients).get(name)
  invariant(Client !== undefined, `there is no client that ${name}`)
  return (connectionString) => new Pool({ connectionString, max: 4, Client })
}

const require = createRequire(import.meta.url)
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
  // Clients that are not used in the fast way run the same code: a part of the cases shows that it is the plain one.
  const chosen = isFast || isLong ? cases : cases.filter((_, index) => index % 4 === 0)
  for (const { name, run } of chosen) test(name, run)

  test('logs one sentence if it cannot use the internals, and nothing if it can', () => {
    const sentences = warned.mock.calls.map(([{ message }]) => message).filter((text) => text.startsWith('ashlar/sql'))
    expect(sentences).toHaveLength(isFast ? 0 : 1)
  })

  afterAll(async () => {
    process.off('warning', warned)
    await Promise.all(opened.map((pool) => pool.end()))
  })
})

test('the lowest version is that of the supported range, and the newest is in it', () => {
  const [range, oldest, newest] = ['../../../../package.json', 'pg-lowest/package.json', 'pg/package.json'].map(
    (name) => {
      const { peerDependencies, version } = require(name) as { peerDependencies?: { pg?: string }; version: string }
      return peerDependencies?.pg ?? version
    },
  )
  expect(range).toBe(`^${oldest}`)
  expect(newest?.split('.')[0]).toBe(oldest?.split('.')[0])
  expect(newest).not.toBe(oldest)
})
