import { setTimeout as sleep } from 'node:timers/promises'
import { JsonApiError } from 'ashlar'
import type { Transaction } from 'ashlar/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  inSavepoint,
  sqlTransactions,
  type SqlTransactions,
} from '../../../../src/stores/sql/transactions/sql-transactions.js'
import { signal } from '../../../support/signal.js'
import { add, run, type Scratch, scratches } from './scratch-drivers.js'

const refused = new Error('No.')

async function refuse(): Promise<never> {
  await sleep(1)
  throw refused
}

async function addAndRefuse(transaction: Transaction): Promise<never> {
  await add(transaction, 'Kid A')
  return refuse()
}

async function addTwice(transaction: Transaction): Promise<void> {
  await add(transaction, 'Kid A')
  await add(transaction, 'Kid A')
}

describe.each(scratches)('On %s', (_name, open) => {
  let scratch: Scratch
  let transactions: SqlTransactions
  beforeEach(async () => {
    scratch = await open()
    transactions = sqlTransactions(scratch.driver)
  })
  afterEach(() => scratch.end())

  describe('A single statement in a transaction', () => {
    it('is undone with the transaction', async () => {
      const work = transactions.run(async (transaction) => {
        await transactions.runStatement(transaction, (joined) => add(joined, 'Kid A'))
        throw refused
      })
      await expect(work).rejects.toBe(refused)
      expect(await scratch.titles()).toEqual([])
    })

    it('leaves the transaction usable if the database refuses it', async () => {
      await transactions.run(async (transaction) => {
        await add(transaction, 'Kid A')
        const again = transactions.runStatement(transaction, (joined) => add(joined, 'Kid A'))
        await expect(again).rejects.toThrow()
        await transactions.runStatement(transaction, (joined) => add(joined, 'Amnesiac'))
      })
      expect(await scratch.titles()).toEqual(['Amnesiac', 'Kid A'])
    })

    it.each([
      ['another write', (transaction: Transaction) => inSavepoint(transaction, () => addAndRefuse(transaction))],
      ['a nested transaction', (transaction: Transaction) => transactions.run(addAndRefuse, transaction)],
    ])('is not undone with %s that runs at the same time', async (_other, write) => {
      await transactions.run(async (transaction) => {
        const other = write(transaction)
        const joined = transactions.runStatement(transaction, (same) => add(same, 'Amnesiac'))
        await expect(other).rejects.toBe(refused)
        await joined
      })
      expect(await scratch.titles()).toEqual(['Amnesiac'])
    })

    it('rejects if the transaction is rolled back before it is done', async () => {
      let left: Promise<unknown> = Promise.resolve()
      const over = signal()
      const work = transactions.run(async (transaction) => {
        left = transactions.runStatement(transaction, async (joined) => {
          await add(joined, 'Kid A')
          await over.given
        })
        left.catch(() => undefined)
        await sleep(1)
        throw refused
      })
      await expect(work).rejects.toBe(refused)
      over.give()
      await expect(left).rejects.toThrow('The enclosing transaction has ended.')
      expect(await scratch.titles()).toEqual([])
    })
  })

  describe('A transaction', () => {
    it('commits if the work resolves, and returns its result', async () => {
      const response = await transactions.run(async (transaction) => {
        await add(transaction, 'Kid A')
        await add(transaction, 'Amnesiac')
        return 'done'
      })
      expect(response).toBe('done')
      expect(await scratch.titles()).toEqual(['Amnesiac', 'Kid A'])
    })

    it('stores nothing if the work rejects, and throws the same error', async () => {
      await expect(transactions.run(addAndRefuse)).rejects.toBe(refused)
      expect(await scratch.titles()).toEqual([])
    })

    it('runs no statement after it has ended', async () => {
      const transaction = await transactions.run((opened) => Promise.resolve(opened))
      await expect(run(transaction, 'select 1')).rejects.toThrow(
        'The transaction has ended: it runs no more statements.',
      )
      await expect(inSavepoint(transaction, () => Promise.resolve())).rejects.toThrow('The transaction has ended')
    })

    it('has ended for work that it does not wait for, of which nothing is stored', async () => {
      let left: Promise<unknown> = Promise.resolve()
      const [begun, over] = [signal(), signal()]
      await transactions.run(async (transaction) => {
        await add(transaction, 'Kid A')
        left = transactions
          .run(async (inner) => {
            await add(inner, 'Amnesiac')
            begun.give()
            await over.given
            await add(inner, 'Hail to the Thief')
          })
          .catch((error: unknown) => error)
        await begun.given
      })
      over.give()
      expect(await left).toMatchObject({ message: expect.stringContaining('has ended') as string })
      expect(await scratch.titles()).toEqual(['Kid A'])
    })

    it('is one of many that run one after the other or concurrently', async () => {
      const titles = Array.from({ length: 20 }, (_, at) => `Album ${String(at).padStart(2, '0')}`)
      let key = 0
      await Promise.all(
        titles.map((title) =>
          transactions.run(async (transaction) => {
            await run(transaction, `insert into albums (id, title) values (${(key += 1)}, '${title}')`)
            await sleep(1)
          }),
        ),
      )
      expect(await scratch.titles()).toEqual(titles)
    })

    it('reports a constraint that is checked at the commit, and stores nothing', async () => {
      const sql = "insert into albums (id, title, artist) values (1, 'Kid A', 9)"
      const thrown = await transactions.run((transaction) => run(transaction, sql)).catch((error: unknown) => error)
      expect(scratch.driver.faultOf(thrown)?.kind).toBe('foreignKey')
      await transactions.run((transaction) => add(transaction, 'Amnesiac'))
      expect(await scratch.titles()).toEqual(['Amnesiac'])
    })
  })

  describe('A transaction inside another', () => {
    it('is found by work that does not receive it', async () => {
      await transactions.run(async (outer) => {
        await add(outer, 'Kid A')
        await transactions.run(async (inner) => {
          expect((await run(inner, 'select title from albums')).rows).toEqual([['Kid A']])
          expect(transactions.current()).toBe(inner)
          await add(inner, 'Amnesiac')
        })
        expect(transactions.current()).toBe(outer)
      })
      expect(transactions.current()).toBeNull()
      expect(await scratch.titles()).toEqual(['Amnesiac', 'Kid A'])
    })

    it('is rolled back by itself', async () => {
      await transactions.run(async (outer) => {
        await add(outer, 'Kid A')
        const work = async (inner: Transaction): Promise<never> => {
          await add(inner, 'Amnesiac')
          await transactions.run((innermost) => add(innermost, 'Hail to the Thief'), inner)
          return refuse()
        }
        await expect(transactions.run(work, outer)).rejects.toBe(refused)
        await add(outer, 'In Rainbows')
      })
      expect(await scratch.titles()).toEqual(['In Rainbows', 'Kid A'])
    })

    it('is rolled back with the outer one', async () => {
      const work = async (outer: Transaction): Promise<never> => {
        await transactions.run((inner) => add(inner, 'Kid A'), outer)
        return refuse()
      }
      await expect(transactions.run(work)).rejects.toBe(refused)
      expect(await scratch.titles()).toEqual([])
    })

    it('waits for the one before it', async () => {
      await transactions.run(async (outer) => {
        const works = ['Kid A', null, 'Amnesiac', null, 'Hail to the Thief'].map((title, at) =>
          transactions.run(async (inner) => {
            await add(inner, title ?? `Refused ${at}`)
            await sleep(5 - at)
            if (title === null) throw refused
          }, outer),
        )
        const ends = await Promise.allSettled(works)
        expect(ends.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, true])
      })
      expect(await scratch.titles()).toEqual(['Amnesiac', 'Hail to the Thief', 'Kid A'])
    })

    it('stores nothing of work that it does not wait for', async () => {
      let left: Promise<unknown> = Promise.resolve()
      const [begun, over] = [signal(), signal()]
      await transactions.run(async (outer) => {
        await transactions.run(async (inner) => {
          await add(inner, 'Kid A')
          left = transactions
            .run(async (innermost) => {
              await add(innermost, 'Amnesiac')
              begun.give()
              await over.given
            })
            .catch((error: unknown) => error)
          await begun.given
        }, outer)
        await add(outer, 'In Rainbows')
        over.give()
        await left
      })
      expect(await left).toMatchObject({ message: 'The enclosing transaction has ended.' })
      expect(await scratch.titles()).toEqual(['In Rainbows', 'Kid A'])
    })

    it('must be one of the same database', async () => {
      const other = await open()
      const others = sqlTransactions(other.driver)
      await others.run(async (foreign) => {
        expect(() => transactions.run(() => Promise.resolve(), foreign)).toThrow('of another store')
        // One of another database does not count as being inside.
        await transactions.run((opened) => add(opened, 'Kid A'))
      })
      await other.end()
      expect(await scratch.titles()).toEqual(['Kid A'])
    })
  })

  describe('A write in a savepoint', () => {
    it('that is refused leaves the transaction unchanged', async () => {
      await transactions.run(async (transaction) => {
        await add(transaction, 'Kid A')
        const several = inSavepoint(transaction, async () => {
          await add(transaction, 'Amnesiac')
          await add(transaction, 'Kid A')
        })
        const thrown = await several.catch((error: unknown) => error)
        expect(scratch.driver.faultOf(thrown)?.kind).toBe('unique')
        await inSavepoint(transaction, () => add(transaction, 'In Rainbows'))
      })
      expect(await scratch.titles()).toEqual(['In Rainbows', 'Kid A'])
    })

    it('may be run concurrently with others, and with nested ones', async () => {
      await transactions.run(async (transaction) => {
        await add(transaction, 'Taken')
        const ends = await Promise.allSettled([
          inSavepoint(transaction, () => add(transaction, 'Kid A')),
          inSavepoint(transaction, () => add(transaction, 'Taken')),
          transactions.run(async (inner) => {
            await inSavepoint(inner, () => add(inner, 'Amnesiac'))
            await inSavepoint(inner, () => add(inner, 'Taken')).catch(() => undefined)
            await sleep(5)
            await inSavepoint(inner, () => add(inner, 'In Rainbows'))
          }, transaction),
          inSavepoint(transaction, () => add(transaction, 'Taken')),
          inSavepoint(transaction, () => add(transaction, 'Hail to the Thief')),
        ])
        expect(ends.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, true])
      })
      expect(await scratch.titles()).toEqual(['Amnesiac', 'Hail to the Thief', 'In Rainbows', 'Kid A', 'Taken'])
    })

    it('is not for transactions of other stores', () => {
      expect(() => inSavepoint({ store: 'memory' }, () => Promise.resolve())).toThrow('another store, memory')
    })
  })

  it('An error of another statement is the error of the work', async () => {
    const thrown = await transactions.run(addTwice).catch((error: unknown) => error)
    expect(scratch.driver.faultOf(thrown)?.kind).toBe('unique')
    expect(JsonApiError.is(thrown)).toBe(false)
    expect(await scratch.titles()).toEqual([])
  })
})
