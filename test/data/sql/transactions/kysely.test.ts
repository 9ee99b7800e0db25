import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { JsonApiError } from 'ashlar'
import type { Transaction } from 'ashlar/store'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import { kyselyOn } from '../../../../src/stores/sql/transactions/kysely-on.js'
import {
  inSavepoint,
  sqlTransactions,
  type SqlTransactions,
} from '../../../../src/stores/sql/transactions/sql-transactions.js'
import { signal } from '../../../support/signal.js'
import { add, type Scratch, scratches } from './scratch-drivers.js'

interface Music {
  albums: { id: number; title: string; artist: number | null }
}

const refused = new Error('No.')

async function drained(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream) expect.unreachable()
}

describe.each(scratches)('Kysely on %s', (name, open) => {
  let scratch: Scratch
  let transactions: SqlTransactions
  const on = (transaction: Transaction | null): Kysely<Music> =>
    kyselyOn(scratch.driver, { transaction, context: null }) as Kysely<Music>
  beforeEach(async () => {
    scratch = await open()
    transactions = sqlTransactions(scratch.driver)
  })
  afterEach(() => scratch.end())

  describe('in a transaction', () => {
    it('sees what was written there, and is committed and rolled back with it', async () => {
      await transactions.run(async (transaction) => {
        const db = on(transaction)
        await add(transaction, 'Kid A')
        await db.insertInto('albums').values({ id: 2, title: 'Amnesiac' }).execute()
        const found = await db.selectFrom('albums').select(['id', 'title']).orderBy('id').execute()
        expect(found).toEqual([
          { id: 1, title: 'Kid A' },
          { id: 2, title: 'Amnesiac' },
        ])
      })
      const undone = transactions.run(async (transaction) => {
        await on(transaction).deleteFrom('albums').execute()
        throw refused
      })
      await expect(undone).rejects.toBe(refused)
      expect(await scratch.titles()).toEqual(['Amnesiac', 'Kid A'])
    })

    it('begins nested transactions, which are rolled back by themselves', async () => {
      await transactions.run(async (transaction) => {
        const db = on(transaction)
        await db
          .transaction()
          .execute((inner) => inner.insertInto('albums').values({ id: 1, title: 'Kid A' }).execute())
        const undone = db.transaction().execute(async (inner) => {
          await inner.insertInto('albums').values({ id: 2, title: 'Amnesiac' }).execute()
          await inner.insertInto('albums').values({ id: 3, title: 'Amnesiac' }).execute()
        })
        await expect(undone).rejects.toThrow(/unique/i)
        await add(transaction, 'In Rainbows')
      })
      expect(await scratch.titles()).toEqual(['In Rainbows', 'Kid A'])
    })

    it('has transactions inside it wait for each other', async () => {
      await transactions.run(async (transaction) => {
        const db = on(transaction)
        const ends = await Promise.allSettled(
          [1, 2, 3, 4].map((id) =>
            db.transaction().execute(async (inner) => {
              await inner
                .insertInto('albums')
                .values({ id, title: `Album ${id}` })
                .execute()
              await inSavepoint(transaction, () => add(transaction, 'Album 1')).catch(() => undefined)
              if (id % 2 === 0) throw refused
            }),
          ),
        )
        expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
      })
      expect(await scratch.titles()).toEqual(['Album 1', 'Album 3'])
    })

    it('begins transactions inside nested ones, each of which is rolled back by itself', async () => {
      await transactions.run(async (transaction) => {
        const db = on(transaction)
        const addInSavepoint = (id: number, isStored: boolean): Promise<void> =>
          db.transaction().execute(async (inner) => {
            await inner
              .insertInto('albums')
              .values({ id, title: `Album ${id}` })
              .execute()
            if (!isStored) throw refused
          })
        await db.transaction().execute(async () => {
          await addInSavepoint(1, true)
          const ends = await Promise.allSettled([
            addInSavepoint(2, true),
            addInSavepoint(3, false),
            addInSavepoint(4, true),
          ])
          expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
        })
        const undone = db.transaction().execute(async () => {
          await addInSavepoint(5, true)
          await on(transaction)
            .transaction()
            .execute(() => addInSavepoint(6, true))
          throw refused
        })
        await expect(undone).rejects.toBe(refused)
        await addInSavepoint(7, true)
      })
      expect(await scratch.titles()).toEqual(['Album 1', 'Album 2', 'Album 4', 'Album 7'])
    })

    it('fails a nested transaction that outlives its outer transaction, and commits the rest', async () => {
      await transactions.run(async (transaction) => {
        const db = on(transaction)
        let late: Promise<unknown> = Promise.resolve()
        const [begun, over] = [signal(), signal()]
        await db.transaction().execute(async (outer) => {
          late = db
            .transaction()
            .execute(() => {
              begun.give()
              return over.given
            })
            .catch((thrown: unknown) => thrown)
          await begun.given
          await outer.insertInto('albums').values({ id: 1, title: 'Kid A' }).execute()
        })
        over.give()
        expect(await late).toMatchObject({ message: expect.stringContaining('has ended') as string })
      })
      expect(await scratch.titles()).toEqual(['Kid A'])
    })

    it('runs its statements before or after those of a write, and not between them', async () => {
      await transactions.run(async (transaction) => {
        await add(transaction, 'Taken')
        const several = inSavepoint(transaction, async () => {
          await add(transaction, 'Kid A')
          await sleep(10)
          await add(transaction, 'Taken')
        })
        const [written] = await Promise.allSettled([
          several,
          on(transaction).insertInto('albums').values({ id: 9, title: 'Amnesiac' }).execute(),
        ])
        expect(written.status).toBe('rejected')
      })
      expect(await scratch.titles()).toEqual(['Amnesiac', 'Taken'])
    })

    it('controls them by savepoints with its own names', async () => {
      await transactions.run(async (transaction) => {
        const controlled = await on(transaction).startTransaction().execute()
        await controlled.insertInto('albums').values({ id: 1, title: 'Kid A' }).execute()
        const marked = await controlled.savepoint('before "more"').execute()
        await marked.insertInto('albums').values({ id: 2, title: 'Amnesiac' }).execute()
        await marked.rollbackToSavepoint('before "more"').execute()
        await marked.insertInto('albums').values({ id: 3, title: 'In Rainbows' }).execute()
        await marked.releaseSavepoint('before "more"').execute()
        await controlled.commit().execute()
      })
      expect(await scratch.titles()).toEqual(['In Rainbows', 'Kid A'])
    })

    it('refuses an isolation level, which the transaction has already', async () => {
      await transactions.run(async (transaction) => {
        const isolated = on(transaction).transaction().setIsolationLevel('serializable')
        await expect(isolated.execute(() => Promise.resolve())).rejects.toThrow('is open already')
        await on(transaction)
          .transaction()
          .execute(() => Promise.resolve())
      })
    })

    it('runs nothing after the transaction has ended', async () => {
      const db = await transactions.run((transaction) => Promise.resolve(on(transaction)))
      await expect(db.selectFrom('albums').selectAll().execute()).rejects.toThrow('The transaction has ended')
    })
  })

  describe('without a transaction', () => {
    it('runs each statement by itself', async () => {
      const db = on(null)
      await db.insertInto('albums').values({ id: 1, title: 'Kid A' }).execute()
      expect(await scratch.titles()).toEqual(['Kid A'])
      expect(await db.selectFrom('albums').selectAll().execute()).toEqual([{ id: 1, title: 'Kid A', artist: null }])
      await sql`delete from albums`.execute(db)
      expect(await scratch.titles()).toEqual([])
    })

    it('begins its own transactions', async () => {
      const db = on(null)
      await db.transaction().execute((trx) => trx.insertInto('albums').values({ id: 1, title: 'Kid A' }).execute())
      const undone = db.transaction().execute(async (trx) => {
        await trx.insertInto('albums').values({ id: 2, title: 'Amnesiac' }).execute()
        throw refused
      })
      await expect(undone).rejects.toBe(refused)
      // An error at the commit rolls back too, and the connection is released.
      const unkept = db
        .transaction()
        .execute((trx) => trx.insertInto('albums').values({ id: 3, title: 'Hail', artist: 9 }).execute())
      await expect(unkept).rejects.toThrow(/foreign key/i)
      await db
        .transaction()
        .execute((trx) => trx.insertInto('albums').values({ id: 4, title: 'In Rainbows' }).execute())
      expect(await scratch.titles()).toEqual(['In Rainbows', 'Kid A'])
    })

    it('begins nested transactions', async () => {
      const db = on(null)
      await db.transaction().execute(async (trx) => {
        await trx.insertInto('albums').values({ id: 1, title: 'Kid A' }).execute()
        const undone = db.transaction().execute(async (inner) => {
          await inner.insertInto('albums').values({ id: 2, title: 'Amnesiac' }).execute()
          throw refused
        })
        await expect(undone).rejects.toBe(refused)
        await on(null)
          .transaction()
          .execute((inner) => inner.insertInto('albums').values({ id: 3, title: 'In Rainbows' }).execute())
      })
      expect(await scratch.titles()).toEqual(['In Rainbows', 'Kid A'])
    })

    it('runs statements by themselves after a transaction on the same connection', async () => {
      await on(null)
        .connection()
        .execute(async (db) => {
          const undone = db.transaction().execute(async (trx) => {
            await trx.insertInto('albums').values({ id: 1, title: 'Kid A' }).execute()
            throw refused
          })
          await expect(undone).rejects.toBe(refused)
          await db.insertInto('albums').values({ id: 2, title: 'Amnesiac' }).execute()
        })
      expect(await scratch.titles()).toEqual(['Amnesiac'])
    })

    it('controls transactions with savepoints', async () => {
      const controlled = await on(null).startTransaction().execute()
      const marked = await controlled.savepoint('one').execute()
      await marked.insertInto('albums').values({ id: 1, title: 'Kid A' }).execute()
      await marked.rollbackToSavepoint('one').execute()
      await marked.insertInto('albums').values({ id: 2, title: 'Amnesiac' }).execute()
      await controlled.commit().execute()
      expect(await scratch.titles()).toEqual(['Amnesiac'])
    })
  })

  it('returns the number of written rows', async () => {
    const db = on(null)
    const inserted = await db
      .insertInto('albums')
      .values([
        { id: 1, title: 'Kid A' },
        { id: 2, title: 'Amnesiac' },
      ])
      .executeTakeFirstOrThrow()
    expect(inserted.numInsertedOrUpdatedRows).toBe(2n)
    expect(inserted.insertId).toBe(name === 'PostgreSQL' ? undefined : 2n)
    const updated = await db.updateTable('albums').set({ artist: null }).executeTakeFirstOrThrow()
    expect(updated.numUpdatedRows).toBe(2n)
    const deleted = await db.deleteFrom('albums').where('id', '=', 1).executeTakeFirstOrThrow()
    expect(deleted.numDeletedRows).toBe(1n)
    const returned = await db.insertInto('albums').values({ id: 5, title: 'Hail' }).returningAll().execute()
    expect(returned).toEqual([{ id: 5, title: 'Hail', artist: null }])
  })

  it('does not stream', async () => {
    await expect(drained(on(null).selectFrom('albums').selectAll().stream())).rejects.toThrow(
      'does not support streaming',
    )
  })

  it('takes booleans and dates, which SQLite does not have', async () => {
    const at = new Date('2026-01-31T12:00:00.000Z')
    const [row] = (
      await sql<{ flag: unknown; moment: unknown }>`
        select cast(${true} as ${sql.raw(name === 'PostgreSQL' ? 'boolean' : 'integer')}) as flag,
          cast(${at} as ${sql.raw(name === 'PostgreSQL' ? 'timestamptz' : 'text')}) as moment`.execute(on(null))
    ).rows
    expect(row).toEqual(
      name === 'PostgreSQL' ? { flag: true, moment: at } : { flag: 1, moment: '2026-01-31T12:00:00.000Z' },
    )
  })

  it('throws the error of the database, and a 503 if it is unavailable', async () => {
    const db = on(null)
    const thrown = await db
      .insertInto('albums')
      .values({ id: 1, title: 'Kid A' })
      .execute()
      .then(() => db.insertInto('albums').values({ id: 1, title: 'Kid A' }).execute())
      .catch((error: unknown) => error)
    expect(scratch.driver.faultOf(thrown)?.kind).toBe('unique')
    const away = kyselyOn(
      { ...scratch.driver, read: () => Promise.reject(new Error('Away.')), faultOf: () => ({ kind: 'unavailable' }) },
      { transaction: null, context: null },
    ) as Kysely<Music>
    const failure = await away
      .selectFrom('albums')
      .selectAll()
      .execute()
      .catch((error: unknown) => error)
    expect(JsonApiError.is(failure) && failure.status).toBe(503)
  })

  it.each(['begin', 'select', 'commit'])('does the same for its own transaction, lost at its %s', async (last) => {
    const lost = new Error('Away.')
    const driver: SqlDriver = {
      ...scratch.driver,
      async hold(occasion) {
        const held = await scratch.driver.hold(occasion)
        return {
          ...held,
          run: (statement, failure) =>
            statement.sql.startsWith(last) ? Promise.reject(lost) : held.run(statement, failure),
        }
      },
      faultOf: (thrown) => (thrown === lost ? { kind: 'unavailable' } : null),
    }
    const db = kyselyOn(driver, { transaction: null, context: null }) as Kysely<Music>
    const failure = await db
      .transaction()
      .execute((trx) => trx.selectFrom('albums').selectAll().execute())
      .catch((error: unknown) => error)
    expect(JsonApiError.is(failure) && failure.status).toBe(503)
    expect(await scratch.titles()).toEqual([])
  })
})
