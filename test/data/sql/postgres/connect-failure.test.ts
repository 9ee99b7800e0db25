import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { PoolConfig } from 'pg'
import { Pool } from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { describeConnectFailure } from '../../../../src/stores/sql/dialect/postgres/driver/connect-failure.js'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import { freePort } from '../../../support/free-port.js'
import { noRequest, statement } from './driver-helpers.js'

async function sentenceFor(config: PoolConfig): Promise<string | null> {
  const pool = new Pool({ max: 1, ...config })
  const driver = postgresDriver(pool)
  try {
    const thrown: unknown = await driver.read(statement('select 1'), noRequest).then(
      () => null,
      (error: unknown) => error,
    )
    expect(driver.faultOf(thrown)).toEqual({ kind: 'unavailable' })
    return describeConnectFailure(thrown)
  } finally {
    await pool.end()
  }
}

function changed(change: (url: URL) => void): PoolConfig {
  const url = new URL(inject('databaseUrl'))
  change(url)
  return { connectionString: url.href }
}

describe('The reason of a failed connection', () => {
  it('is reported with the address where no server listens', async () => {
    const port = await freePort()
    const sentence = await sentenceFor(changed((url) => (url.host = `127.0.0.1:${port}`)))
    expect(sentence).toBe(`No PostgreSQL server listens at 127.0.0.1:${port}.`)
  })

  it('is reported with the unknown host', async () => {
    const sentence = await sentenceFor(changed((url) => (url.host = 'nowhere.invalid:5432')))
    expect(sentence).toBe("The host of the PostgreSQL server, 'nowhere.invalid', cannot be resolved.")
  })

  it('is reported with the socket where no server listens', async () => {
    const sentence = await sentenceFor({ host: '/nowhere', user: 'ashlar', database: 'music', password: 'x' })
    expect(sentence).toBe('No PostgreSQL server listens at /nowhere/.s.PGSQL.5432.')
  })

  it('is reported with the user whose password is wrong, and without the password', async () => {
    const { username } = new URL(inject('databaseUrl'))
    const sentence = await sentenceFor(changed((url) => (url.password = 'hunter2')))
    expect(sentence).toBe(`PostgreSQL refuses the password of the user '${username}'.`)
  })

  it('is reported where there is no password', async () => {
    const sentence = await sentenceFor({ ...changed((url) => (url.password = '')), password: '' })
    expect(sentence).toMatch(/^PostgreSQL (?:requires a password, and the pool has none|refuses the password.*)\.$/)
  })

  it('is reported with the missing database', async () => {
    const sentence = await sentenceFor(changed((url) => (url.pathname = '/no_such_music')))
    expect(sentence).toBe("PostgreSQL has no database 'no_such_music'.")
  })

  it('is reported if the server does not support TLS', async () => {
    const sentence = await sentenceFor({ ...changed(() => undefined), ssl: { rejectUnauthorized: false } })
    expect(sentence).toBe('The PostgreSQL server does not support TLS.')
  })

  it('is reported if the server does not respond in time', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const sentence = await sentenceFor({
      ...changed((url) => (url.host = `127.0.0.1:${port}`)),
      connectionTimeoutMillis: 100,
    })
    silent.close()
    expect(sentence).toBe('The PostgreSQL server gave no connection in the time that the pool allows.')
  })

  it.each([
    [
      {
        code: '28000',
        message: 'no pg_hba.conf entry for host "10.0.0.1", user "joni", database "music", no encryption',
      },
      'its pg_hba.conf has no entry for this connection without TLS',
    ],
    [{ code: '28000', message: 'role "joni" does not exist' }, "it does not know the user 'joni'"],
    [{ code: '53300', message: 'sorry, too many clients already' }, 'has no connection left'],
    [{ code: '57P03', message: 'the database system is starting up' }, 'starting up'],
    [
      { code: 'SELF_SIGNED_CERT_IN_CHAIN', message: 'self-signed certificate in certificate chain' },
      'SELF_SIGNED_CERT_IN_CHAIN',
    ],
    [{ message: '', errors: [{ code: 'ECONNREFUSED', address: '::1', port: 5432 }] }, 'listens at [::1]:5432.'],
    [{ code: '3D000', message: 'Datenbank »musik« existiert nicht' }, "'musik'"],
  ])('is reported for %s', (failure, part) => {
    expect(describeConnectFailure(Object.assign(new Error(failure.message), failure))).toContain(part)
  })

  it('is not reported for an error that is no connection failure', () => {
    expect(describeConnectFailure(new TypeError('x is not a function'))).toBeNull()
    expect(describeConnectFailure(Object.assign(new Error('no table'), { code: '42P01' }))).toBeNull()
    expect(describeConnectFailure(null)).toBeNull()
  })
})
