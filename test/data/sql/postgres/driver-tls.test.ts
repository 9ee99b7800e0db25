import type { PoolConfig } from 'pg'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { describeConnectFailure } from '../../../../src/stores/sql/dialect/postgres/driver/connect-failure.js'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import type { PostgresServer } from '../../../support/postgres-server.js'
import { postgresServer } from '../../../support/postgres-server.js'
import {
  cancellableClient,
  noRequest,
  runningOn,
  statement,
  until,
  untilReturned,
  ignoringErrors,
} from './driver-helpers.js'
import { selfSigned } from '../../../support/self-signed.js'

const { certificate, key } = selfSigned('localhost')
let server: PostgresServer
let observer: Pool

/** A separate server, which then supports TLS. */
beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', '')
  server = await postgresServer()
  observer = ignoringErrors(new Pool({ connectionString: server.url, max: 1 }))
  for (const [file, pem] of Object.entries({ 'server.crt': certificate, 'server.key': key })) {
    const lines = pem.split('\n').map((line) => `('${line}')`)
    await observer.query(`copy (values ${lines.join()}) to program 'umask 077; cat > ${file}'`)
  }
  await observer.query('alter system set ssl = on')
  await observer.query('select pg_reload_conf()')
})
afterAll(async () => {
  await observer.end()
  await server.end()
})

async function encrypts(pool: Pool): Promise<unknown> {
  const { rows } = await pool.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
  return rows[0]?.ssl
}

const ssl = { ca: certificate, checkServerIdentity: () => undefined }

describe('A connection with TLS', () => {
  it.each([
    ['after requesting it', '127.0.0.1', {}],
    ['after requesting it', 'localhost', {}],
    ['from the first byte', '127.0.0.1', { sslnegotiation: 'direct' }],
    ['from the first byte', 'localhost', { sslnegotiation: 'direct' }],
  ] satisfies [string, string, PoolConfig][])(
    'that starts %s, at %s, has its statements cancelled too',
    async (_, host, config) => {
      const url = new URL(server.url)
      url.hostname = host
      const pool = ignoringErrors(new Pool({ connectionString: url.href, max: 1, ssl, ...config }))
      try {
        await until(() =>
          encrypts(pool).then(
            (isSo) => isSo === true,
            () => false,
          ),
        )
        const driver = postgresDriver(pool)
        const client = cancellableClient()
        const stopped = driver
          .read(statement('select pg_sleep(30) as encrypted_sleeper'), client)
          .catch((error: unknown) => error)
        await until(async () => (await runningOn(observer, 'encrypted_sleeper')) === 1)
        client.leave()
        expect(driver.faultOf(await stopped)).toEqual({ kind: 'cancelled' })
        await until(async () => (await runningOn(observer, 'encrypted_sleeper')) === 0)
        await untilReturned(pool)
        // Without a cancel request to the server, the connection would have been abandoned.
        expect(pool.totalCount).toBe(1)
      } finally {
        await pool.end()
      }
    },
  )

  it('to a server without a trusted certificate is refused with a sentence', async () => {
    const pool = ignoringErrors(new Pool({ connectionString: server.url, max: 1, ssl: true }))
    try {
      const thrown: unknown = await postgresDriver(pool)
        .read(statement('select 1'), noRequest)
        .catch((error: unknown) => error)
      expect(describeConnectFailure(thrown)).toMatch(
        /^The TLS connection to the PostgreSQL server fails \([A-Z_]+\)\.$/,
      )
    } finally {
      await pool.end()
    }
  })
})
