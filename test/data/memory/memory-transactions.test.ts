import { describe, expect, it } from 'vitest'
import { memoryData } from '../../../src/stores/memory/memory-data.js'
import type { CollectionResult, Provider } from '../../../src/declare/resource/capabilities/provider.js'
import type { ColumnValues, Persister, WriteContext } from '../../../src/declare/resource/capabilities/persister.js'
import type { WorkContext } from '../../../src/declare/resource/events/stored-rows.js'
import type { Transaction, Transactions } from '../../../src/declare/resource/request/transactions.js'
import { compileType } from '../../../src/server/assembly/compile/compile-type.js'
import type { CompiledType } from '../../../src/declare/resource/compiled/compiled-type.js'
import { defineResource } from '../../../src/declare/resource/define/define-resource.js'
import { id } from '../../../src/declare/resource/fields/id-declaration.js'
import { model } from '../../../src/declare/resource/parts/model.js'
import type { RawDeclaration } from '../../../src/declare/resource/define/raw-declaration.js'
import type { RowSet } from '../../../src/core/rows/row-set.js'
import { rowSetOf } from '../../../src/core/rows/row-set.js'
import { albums, context, links, relatedCriteria } from '../music-rows.js'

/** Nothing here writes elsewhere. */
const working: WorkContext = {
  ...context,
  transaction: null,
  db: null,
  rows() {
    throw new Error('The rows of other types are not there.')
  },
}

const tracks: CompiledType = compileType(
  defineResource('tracks', {
    model: model<{ id: number; title: string }>('tracks'),
    id: id().allowClientId(),
    attributes: (a) => ({ title: a.string().unique() }),
  }) as unknown as RawDeclaration,
)

const seeds = { tracks: [{ id: 1, title: 'Airbag' }] }

const within = (transaction: Transaction | null): WriteContext => ({ transaction, context: working })

function opened(rows: Readonly<Record<string, readonly object[]>> = seeds) {
  const data = memoryData(rows)
  const provider = data.provider(tracks) as Required<Provider>
  const { create, shortcuts, ...others } = data.persister(tracks) as Required<Persister>
  const found = (transaction: Transaction | null): CollectionResult =>
    provider.fetchCollection(tracks, {
      columns: ['id', 'title'],
      conditions: [],
      orders: [],
      window: null,
      wantsCount: false,
      transaction,
      context,
    }) as CollectionResult
  return {
    ...others,
    provider,
    transactions: data.transactions as Transactions,
    create: (values: ColumnValues, transaction: Transaction | null) => create(tracks, values, within(transaction)),
    many: (values: readonly ColumnValues[], transaction: Transaction | null) =>
      shortcuts.create?.many?.(tracks, values, within(transaction)),
    found,
    titles: (transaction: Transaction | null = null) =>
      (found(transaction).rows as RowSet).rows.map(([, title]) => title),
  }
}

/** The error of a refused write. */
async function conflictsOf(write: () => unknown): Promise<unknown> {
  try {
    await write()
  } catch (thrown) {
    return (thrown as { readonly conflicts?: unknown }).conflicts
  }
  return undefined
}

describe('Inside a transaction', () => {
  it('a write is visible there immediately, and a list that was read before it does not change', async () => {
    const store = opened()
    await store.transactions.run(async (transaction) => {
      const before = store.found(transaction)
      await store.create({ title: 'Lucky' }, transaction)
      await store.update(tracks, 1, { title: 'No Surprises' }, within(transaction))
      expect((before.rows as RowSet).rows).toEqual([[1, 'Airbag']])
      expect(store.titles(transaction)).toEqual(['No Surprises', 'Lucky'])
      expect(store.titles()).toEqual(['Airbag'])
    })
    expect(store.titles()).toEqual(['No Surprises', 'Lucky'])
  })

  it('a nested one rolls back only its own writes', async () => {
    const store = opened()
    await store.transactions.run(async (outer) => {
      await store.create({ title: 'Lucky' }, outer)
      const failing = store.transactions.run(async (inner) => {
        await store.create({ title: 'Exit Music' }, inner)
        await store.delete(tracks, 1, within(inner))
        expect(store.titles(inner)).toEqual(['Lucky', 'Exit Music'])
        throw new Error('no')
      }, outer)
      await expect(failing).rejects.toThrow('no')
      expect(store.titles(outer)).toEqual(['Airbag', 'Lucky'])
      // The title is free again, and so is the key.
      expect(await store.create({ title: 'Exit Music' }, outer)).toEqual({ id: 3, title: 'Exit Music' })
    })
    expect(store.titles()).toEqual(['Airbag', 'Lucky', 'Exit Music'])
  })

  it('a refused write changes nothing', async () => {
    const store = opened()
    await store.transactions.run(async (transaction) => {
      await store.create({ title: 'Lucky' }, transaction)
      const taken = [{ kind: 'unique', type: 'tracks', columns: ['title'], key: 3 }]
      expect(await conflictsOf(() => store.create({ title: 'Lucky' }, transaction))).toEqual(taken)
      expect(await conflictsOf(() => store.create({ id: '1', title: 'Let Down' }, transaction))).toMatchObject([
        { kind: 'key', key: '1' },
      ])
      expect(await conflictsOf(() => store.update(tracks, 1, { title: 'Lucky' }, within(transaction)))).toMatchObject([
        { kind: 'unique', key: 1 },
      ])
      expect(store.titles(transaction)).toEqual(['Airbag', 'Lucky'])
      expect(await store.create({ title: 'Let Down' }, transaction)).toEqual({ id: 3, title: 'Let Down' })
    })
  })

  it('the former value of a row is free, and its current value is taken', async () => {
    const store = opened()
    await store.transactions.run(async (transaction) => {
      await store.update(tracks, 1, { id: 7, title: 'Lucky' }, within(transaction))
      expect(await conflictsOf(() => store.create({ title: 'Lucky' }, transaction))).toBeDefined()
      expect(await conflictsOf(() => store.create({ id: 7, title: 'x' }, transaction))).toBeDefined()
      await store.create({ id: 1, title: 'Airbag' }, transaction)
      expect((store.found(transaction).rows as RowSet).rows).toEqual([
        [7, 'Lucky'],
        [1, 'Airbag'],
      ])
    })
  })

  it('members are read from the rows as they are after each write', async () => {
    const data = memoryData({ artists: [{ id: 1 }, { id: 2 }], albums: [{ id: 1, title: 'Kid A', artistId: 1 }] })
    const [reads, writes] = [data.provider(albums) as Required<Provider>, data.persister(albums) as Persister]
    await data.transactions?.run(async (transaction) => {
      const counts = () =>
        reads.countRelated(links.albums, rowSetOf([{ id: 1 }, { id: 2 }]), relatedCriteria({ transaction }))
      expect(await counts()).toEqual([1, 0])
      await writes.create(albums, { title: 'Amnesiac', artistId: 1 }, within(transaction))
      expect(await counts()).toEqual([2, 0])
      await writes.update(albums, 1, { artistId: 2 }, within(transaction))
      expect(await counts()).toEqual([1, 1])
      await writes.delete(albums, 2, within(transaction))
      expect(await counts()).toEqual([0, 1])
    })
  })
})

describe('Rows that are created together', () => {
  const values = [{ title: 'Lucky' }, { id: '9', title: 'Let Down' }, { title: 'Exit Music' }]

  it('are the same as rows that are created one after the other', async () => {
    const [atOnce, single] = [opened(), opened()]
    const created = []
    for (const each of values) created.push(await single.create(each, null))
    expect(await atOnce.many(values, null)).toEqual(created)
    expect(created.map((row) => (row as { readonly id: unknown }).id)).toEqual([2, 9, 10])
    expect(atOnce.found(null)).toEqual(single.found(null))
  })

  it('are refused for the conflict that would have come first, and none of them is stored', async () => {
    const inConflict = [
      [...values, { title: 'Airbag' }, { id: 1, title: 'x' }],
      [...values, { title: 'Lucky' }],
      [...values, { id: 9, title: 'x' }],
    ]
    for (const rows of inConflict) {
      const [atOnce, single] = [opened(), opened()]
      const first = await conflictsOf(async () => {
        for (const each of rows) await single.create(each, null)
      })
      expect(first).toHaveLength(1)
      expect(await conflictsOf(() => atOnce.many(rows, null))).toEqual(first)
      expect(atOnce.titles()).toEqual(['Airbag'])
    }
  })

  it('are rolled back by themselves if their transaction continues', async () => {
    const store = opened()
    await store.transactions.run(async (transaction) => {
      await store.create({ title: 'Lucky' }, transaction)
      expect(
        await conflictsOf(() => store.many([{ title: 'Let Down' }, { title: 'Lucky' }], transaction)),
      ).toBeDefined()
      expect(await store.many([{ title: 'Let Down' }], transaction)).toEqual([{ id: 3, title: 'Let Down' }])
    })
    expect(store.titles()).toEqual(['Airbag', 'Lucky', 'Let Down'])
  })

  it('may be none', async () => {
    const store = opened()
    expect(await store.many([], null)).toEqual([])
    expect(store.titles()).toEqual(['Airbag'])
  })
})
