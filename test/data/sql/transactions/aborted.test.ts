import type { Transaction } from 'ashlar/store'
import type { PoolClient } from 'pg'
import { describe, expect, it } from 'vitest'
import type { SqlFault } from '../../../../src/stores/sql/driver/sql-statement.js'
import {
  inSavepoint,
  rawConnection,
  sqlTransactions,
} from '../../../../src/stores/sql/transactions/sql-transactions.js'
import { add, postgresScratch, run } from './scratch-drivers.js'
import { scripted } from './scripted-driver.js'

const aborted: SqlFault = { kind: 'aborted' }

/** Fails on the connection itself, where the transaction does not see the error. */
async function failAside(transaction: Transaction): Promise<void> {
  const client = rawConnection(transaction) as PoolClient
  await client.query('select 1 / 0').catch(() => undefined)
}

/** Runs two statements together, of which the error of the second is seen first. */
async function runBoth(transaction: Transaction): Promise<void> {
  run(transaction, 'first').catch(() => undefined)
  await run(transaction, 'second')
}

describe('An error that only says that the transaction was aborted', () => {
  it('is replaced by the error of the statement that has failed', async () => {
    const { driver } = scripted({ first: [{ kind: 'value' }], second: [aborted] })
    await expect(sqlTransactions(driver).run(runBoth)).rejects.toThrow('first: value')
  })

  it('is not replaced by one from which a rollback to a savepoint has recovered', async () => {
    const scratch = await postgresScratch()
    const thrown = await sqlTransactions(scratch.driver)
      .run(async (transaction) => {
        await add(transaction, 'Kid A')
        await expect(inSavepoint(transaction, () => add(transaction, 'Kid A'))).rejects.toThrow('duplicate key')
        await failAside(transaction)
        await add(transaction, 'Amnesiac')
      })
      .catch((error: unknown) => error)
    await scratch.end()
    expect(scratch.driver.faultOf(thrown)).toEqual(aborted)
  })

  it('is replaced in a nested transaction before its savepoint forgets the statement that has failed', async () => {
    const { driver } = scripted({ recovered: [{ kind: 'value' }], first: [{ kind: 'other' }], second: [aborted] })
    const transactions = sqlTransactions(driver)
    const thrown: unknown[] = []
    await transactions.run(async (outer) => {
      const recovered = transactions.run((inner) => run(inner, 'recovered'), outer)
      await recovered.catch((error: unknown) => thrown.push(error))
      await transactions.run(runBoth, outer).catch((error: unknown) => thrown.push(error))
    })
    expect(thrown).toMatchObject([{ message: 'recovered: value' }, { message: 'first: other' }])
  })

  it('is left as the cause of an error of the application', async () => {
    const { driver } = scripted({ first: [{ kind: 'value' }], second: [aborted] })
    const refused = new Error('No.')
    const work = (transaction: Transaction): Promise<void> =>
      runBoth(transaction).catch((cause: unknown) => {
        refused.cause = cause
        throw refused
      })
    await expect(sqlTransactions(driver).run(work)).rejects.toBe(refused)
  })
})
