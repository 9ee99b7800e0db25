import { JsonApiError } from 'ashlar'
import { expect, test } from 'vitest'
import { postgresDialect } from '../../src/stores/sql/dialect/postgres/postgres-dialect.js'
import type { SqlDriver } from '../../src/stores/sql/driver/sql-driver.js'
import { inSavepoint, sqlTransactions } from '../../src/stores/sql/transactions/sql-transactions.js'

test('a server that is lost between a write and the commit is reported as unavailable, not as an ignored error', async () => {
  const lost = new Error('Connection terminated unexpectedly')
  const messages: string[] = []
  const driver: SqlDriver = {
    dialect: postgresDialect,
    read: () => Promise.reject(new Error('No reads are expected.')),
    write: () => Promise.reject(new Error('No autocommit writes are expected.')),
    ping: () => Promise.resolve(),
    hold: () =>
      Promise.resolve({
        raw: null,
        run({ sql }) {
          messages.push(sql)
          const isAway = messages.some((each) => each.startsWith('release'))
          return isAway ? Promise.reject(lost) : Promise.resolve({ columns: [], rows: [], changes: 0 })
        },
        release: (broken) => void messages.push(broken ? 'broken' : 'given back'),
      }),
    faultOf: (thrown) => (thrown === lost ? { kind: 'unavailable' } : null),
  }
  const written = sqlTransactions(driver).run((transaction) => inSavepoint(transaction, () => Promise.resolve('done')))
  const thrown: unknown = await written.catch((error: unknown) => error)
  expect(JsonApiError.is(thrown) && thrown.status).toBe(503)
  expect(messages).toEqual(['begin', 'savepoint ashlar_write', 'release savepoint ashlar_write', 'rollback', 'broken'])
})
