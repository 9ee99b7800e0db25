import { describe, expect, it } from 'vitest'
import type { CollectionResult, FoundRow, ReadCriteria } from '../../src/declare/resource/capabilities/provider.js'
import type { RelationLink } from '../../src/declare/resource/compiled/relation-link.js'
import type { RowSet } from '../../src/core/rows/row-set.js'
import { rowSetOf } from '../../src/core/rows/row-set.js'
import { expectLinear, type Sized } from '../support/growth.js'
import {
  albums,
  byColumn,
  column,
  context,
  links,
  membersOf,
  provider,
  relatedCriteria,
  seeds,
  whereEqual,
} from './music-rows.js'

const readAll: ReadCriteria = { columns: null, conditions: [], transaction: null, context }

async function related(
  relation: RelationLink,
  parents: readonly object[],
  some: Parameters<typeof relatedCriteria>[0],
) {
  return provider().fetchRelated(relation, rowSetOf(parents), relatedCriteria(some))
}

/** The members by type and key. */
async function keys(relation: RelationLink, parents: readonly object[], some = {}): Promise<readonly unknown[]> {
  const groups = membersOf(await related(relation, parents, some)) as readonly (readonly Record<string, unknown>[])[]
  return groups.map((members) => members.map((row) => [row['type'], row['id'] ?? row['code']].join(' ')))
}

describe('One row', () => {
  it('is found by its wire id, with the requested columns', async () => {
    const { rows: found } = (await provider().fetchOne(albums, '3', { ...readAll, columns: ['title'] })) as FoundRow
    expect([found.columns, found.rows]).toEqual([['title'], [['Kid A']]])
  })

  it('is not found if a condition does not hold', async () => {
    const titled = (name: string): ReadCriteria => ({ ...readAll, conditions: [whereEqual('title', name)] })
    expect(await provider().fetchOne(albums, '3', titled('Kid A'))).not.toBeNull()
    expect(await provider().fetchOne(albums, '3', titled('Kid B'))).toBeNull()
    expect(await provider().fetchOne(albums, '99', readAll)).toBeNull()
    expect(await provider().fetchOne(albums, 'undefined', readAll)).toBeNull()
  })
})

describe('A collection', () => {
  it('is filtered, counted, sorted and windowed', async () => {
    const found = (await provider().fetchCollection(albums, {
      ...readAll,
      columns: ['id'],
      conditions: [
        { kind: 'related', relation: links.artist, conditionsOf: new Map(), condition: null, negated: false },
      ],
      orders: [byColumn('title', { descending: true })],
      window: { kind: 'cursor', limit: 2, after: null, before: null },
      wantsCount: true,
    })) as CollectionResult
    expect((found.rows as RowSet).rows).toEqual([[1], [3]])
    expect(found).toMatchObject({ total: 3, more: true, edges: { first: ['OK Computer'], last: ['Kid A'] } })
  })
})

describe('Related rows', () => {
  it('are found by the key in the owner, text or number, one group for each parent', async () => {
    const parents = [{ artistId: 1 }, { artistId: '2' }, { artistId: null }, { artistId: 99 }, { artistId: '1' }]
    expect(await keys(links.artist, parents)).toEqual([['artists 1'], ['artists 2'], [], [], ['artists 1']])
  })

  it('are found by the key in the related rows', async () => {
    const parents = [{ id: '1' }, { id: 2 }, { id: 3 }, { id: null }]
    expect(await keys(links.albums, parents)).toEqual([['albums 1', 'albums 3'], ['albums 2'], [], []])
  })

  it('are of the declared type if two types share a model', async () => {
    expect(await keys(links.records, [{ id: 1 }])).toEqual([['records 1', 'records 3']])
  })

  it("are of the type in the owner's row, and none if the relation does not have that type", async () => {
    const parents = seeds['comments'] ?? []
    expect(await keys(links.subject, parents)).toEqual([['albums 1'], ['artists 1'], ['albums 1'], [], []])
  })

  it('name the type of their owner where owners differ in type', async () => {
    expect(await keys(links.albumComments, [{ id: 1 }])).toEqual([['comments 1', 'comments 3']])
    expect(await keys(links.artistComments, [{ id: 1 }])).toEqual([['comments 2']])
  })

  it('are found through join rows, each row once, with the fields of the first join row', async () => {
    const [road, home] = membersOf(await related(links.listAlbums, [{ code: 'road' }, { code: 'home' }], {}))
    expect(road).toMatchObject([
      { id: 1, pivot: { list: 'road', album: '1', position: 2 } },
      { id: 3, pivot: { list: 'road', album: 3, position: 1 } },
    ])
    expect(home).toMatchObject([{ id: 3, pivot: { position: 1 } }])
  })

  it('have no pivot if the relation has no fields', async () => {
    const { groups } = await related(links.albumLists, [{ id: 3 }], {})
    expect(groups[0]?.members.map(({ pivot }) => pivot)).toEqual([null, null])
    expect(await keys(links.albumLists, [{ id: 3 }])).toEqual([['playlists home', 'playlists road']])
  })

  it('are of several types in the order of the declaration', async () => {
    expect(await keys(links.listItems, [{ code: 'road' }, { code: 'home' }, { code: 'none' }])).toEqual([
      ['artists 1', 'artists 2', 'albums 1'],
      ['albums 3'],
      [],
    ])
  })

  it('are found from the side whose type the join rows name', async () => {
    expect(await keys(links.artistLists, [{ id: 1 }, { id: 2 }, { id: 3 }])).toEqual([
      ['playlists road'],
      ['playlists road'],
      [],
    ])
  })

  it('are listed once in the set of their type, with its requested columns', async () => {
    const { sets, groups } = await related(links.listAlbums, [{ code: 'road' }, { code: 'home' }], {
      columnsOf: new Map([['albums', ['title']]]),
    })
    expect(sets.map(({ type, rows }) => [type, (rows as RowSet).columns, (rows as RowSet).rows])).toEqual([
      ['albums', ['title'], [['OK Computer'], ['Kid A']]],
    ])
    expect(groups.map(({ members }) => members.map(({ set, row }) => [set, row]))).toEqual([
      [
        [0, 0],
        [0, 1],
      ],
      [[0, 1]],
    ])
  })

  it('are windowed and counted for each parent', async () => {
    const { groups } = await related(links.albums, [{ id: 1 }, { id: 2 }, { id: 3 }], {
      orders: [byColumn('title'), { kind: 'key', descending: false }],
      window: { kind: 'cursor', limit: 1, after: null, before: null },
      wantsCount: true,
    })
    expect(groups.map(({ members, ...facts }) => ({ shown: members.length, ...facts }))).toEqual([
      { shown: 1, total: 2, estimate: null, more: true, edges: { first: ['Kid A', 3], last: ['Kid A', 3] } },
      { shown: 1, total: 1, estimate: null, more: false, edges: { first: ['Homogenic', 2], last: ['Homogenic', 2] } },
      { shown: 0, total: 0, estimate: null, more: false, edges: null },
    ])
  })

  it('are filtered and sorted by the join row too', async () => {
    const position = column('position', null, 'pivot')
    const byPosition = { orders: [{ kind: 'column' as const, path: [], column: position, descending: false }] }
    expect(await keys(links.listAlbums, [{ code: 'road' }], byPosition)).toEqual([['albums 3', 'albums 1']])
    const first = { conditions: [{ kind: 'compare' as const, column: position, operator: '=' as const, value: 1 }] }
    expect(await keys(links.listAlbums, [{ code: 'road' }], first)).toEqual([['albums 3']])
  })

  it('meet the conditions of all, and those of their type', async () => {
    const scoped = { conditionsOf: new Map([['artists', [whereEqual('name', 'Björk')]]]) }
    expect(await keys(links.listItems, [{ code: 'road' }], scoped)).toEqual([['artists 2', 'albums 1']])
    const one = { conditions: [whereEqual('id', 1)] }
    expect(await keys(links.listItems, [{ code: 'road' }], one)).toEqual([['artists 1', 'albums 1']])
  })

  it('are counted without being read', async () => {
    const { conditions, transaction, ...rest } = relatedCriteria({ conditions: [whereEqual('id', 1)] })
    const counts = await provider().countRelated(links.listItems, rowSetOf([{ code: 'road' }, { code: 'home' }]), {
      ...rest,
      conditions,
      transaction,
    })
    expect(counts).toEqual([2, 0])
  })

  it('are read for all parents together', async () => {
    await expectLinear(manyParents, { small: 1000 })
  })

  it('that a function returns are not read from the store', async () => {
    const strange: RelationLink = { ...links.albums, storage: { kind: 'function' } }
    await expect(related(strange, [{ id: 1 }], {})).rejects.toThrow(
      "cannot read 'albums', whose members it does not store",
    )
  })
})

/** Reads the members of many parents, and filters by one of them. */
const manyParents: Sized = (count) => {
  const big = {
    artists: Array.from({ length: count }, (_, index) => ({ id: index, name: `n${index}` })),
    albums: Array.from({ length: count }, (_, index) => ({ id: index, title: 't', artistId: (index * 7) % count })),
  }
  const condition = {
    kind: 'related',
    relation: links.artist,
    conditionsOf: new Map(),
    condition: whereEqual('name', 'n7'),
    negated: false,
  } as const
  const filtered = { ...readAll, conditions: [condition], orders: [], window: null, wantsCount: true }
  return async () => {
    const { groups } = await provider(big).fetchRelated(links.albums, rowSetOf(big.artists), relatedCriteria())
    expect(groups.every(({ members }) => members.length === 1)).toBe(true)
    const { total } = (await provider(big).fetchCollection(albums, filtered)) as CollectionResult
    expect(total).toBe(1)
  }
}
