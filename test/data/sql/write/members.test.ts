import { describe, expect, it } from 'vitest'
import type { Persister, RelationshipChange } from '../../../../src/declare/resource/capabilities/persister.js'
import type { WorkContext } from '../../../../src/declare/resource/events/stored-rows.js'
import type { Transaction } from '../../../../src/declare/resource/request/transactions.js'
import type { CompiledType } from '../../../../src/declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../../../src/declare/resource/fields/field-spec.js'
import type { RelationLink } from '../../../../src/declare/resource/compiled/relation-link.js'
import { rowSetOf } from '../../../../src/core/rows/row-set.js'
import { albums, artists, comments, context, links, membersOf, playlists, relatedCriteria } from '../../music-rows.js'
import type { Joins } from './music-stores.js'
import { musicStore } from './music-stores.js'
import type { Engine } from './open-databases.js'
import { databases } from './open-databases.js'

/** Nothing here writes elsewhere. */
const writing: WorkContext = {
  ...context,
  transaction: null,
  db: null,
  rows() {
    throw new Error('The rows of other types are not there.')
  },
}

const nothing: RelationshipChange = { added: [], updated: [], removed: [] }
const road = { code: 'road', name: 'Road Trip' }
const open = databases()

/** A new store, and its relations. */
async function storeOf(engine: Engine | 'memory', joins: Joins) {
  const ran: string[] = []
  const data = await musicStore(engine, open, joins, { onStatement: ({ sql }) => ran.push(sql) })
  for (const type of [albums, artists, comments, playlists]) data.provider(type)
  const persister = data.persister(albums) as Required<Persister>
  const provider = data.provider(albums)
  const change = async (
    relation: RelationLink,
    owner: RowObject,
    some: Partial<RelationshipChange>,
    transaction: Transaction | null = null,
  ): Promise<void> => {
    await persister.mutateRelationship(relation, owner, { ...nothing, ...some }, { transaction, context: writing })
  }
  const members = async (
    relation: RelationLink,
    owner: RowObject,
    transaction: Transaction | null = null,
  ): Promise<readonly object[]> => {
    const found = await provider?.fetchRelated?.(relation, rowSetOf([owner]), relatedCriteria({ transaction }))
    return membersOf(found ?? { sets: [], groups: [] })[0] ?? []
  }
  const row = (type: CompiledType, key: string) =>
    provider?.fetchOne(type, key, { columns: null, conditions: [], transaction: null, context })
  return { data, change, members, row, ran }
}

const added = (type: string, key: unknown, values: RowObject = {}) => ({ type, key, values })

const stores: readonly (readonly [Engine | 'memory', Joins])[] = [
  ['memory', 'bare'],
  ['sqlite', 'bare'],
  ['sqlite', 'keyed'],
  ['sqlite', 'unique'],
  ['postgres', 'bare'],
  ['postgres', 'keyed'],
  ['postgres', 'unique'],
]

describe.each(stores)('in %s, join rows %s', (engine, joins) => {
  const store = () => storeOf(engine, joins)

  describe('Members whose rows hold the key', () => {
    it('get the key of their owner, and lose it', async () => {
      const { change, members } = await store()
      await change(links.albums, { id: 1 }, { added: [added('albums', 4)], removed: [{ type: 'albums', key: 1 }] })
      expect(await members(links.albums, { id: 1 })).toEqual([
        { type: 'albums', id: 3, title: 'Kid A', artistId: 1 },
        { type: 'albums', id: 4, title: 'Untitled', artistId: 1 },
      ])
    })

    it('are taken from a former owner', async () => {
      const { change, members } = await store()
      await change(links.albums, { id: 1 }, { added: [added('albums', '2')] })
      expect(await members(links.albums, { id: 2 })).toEqual([])
      expect(await members(links.albums, { id: 1 })).toHaveLength(3)
    })

    it('are ignored by a removal if they belong to another owner', async () => {
      const { change, members } = await store()
      const others = ['2', 4, 77].map((key) => ({ type: 'albums', key }))
      await change(links.albums, { id: 1 }, { removed: others })
      expect(await members(links.albums, { id: 2 })).toMatchObject([{ id: 2 }])
      expect(await members(links.albums, { id: 1 })).toHaveLength(2)
    })

    it('are a conflict if they do not exist, and nothing is written', async () => {
      const { change, members } = await store()
      for (const key of [77, null]) {
        const changed = change(links.albums, { id: 1 }, { added: [added('albums', 4), added('albums', key)] })
        await expect(changed).rejects.toMatchObject({
          conflicts: [{ kind: 'reference', type: 'albums', columns: ['artistId'] }],
        })
      }
      expect(await members(links.albums, { id: 1 })).toHaveLength(2)
    })

    it('store the type of their owner next to its key', async () => {
      const { change, members } = await store()
      await change(links.artistComments, { id: 2 }, { added: [added('comments', 5), added('comments', 4)] })
      expect(await members(links.artistComments, { id: 2 })).toEqual([
        { type: 'comments', id: 4, subjectId: 2, subjectType: 'artists' },
        { type: 'comments', id: 5, subjectId: 2, subjectType: 'artists' },
      ])
      expect(await members(links.albumComments, { id: 2 })).toEqual([])
      await change(links.artistComments, { id: 2 }, { removed: [{ type: 'comments', key: 5 }] })
      expect(await members(links.artistComments, { id: 2 })).toMatchObject([{ id: 4 }])
    })

    it('of another type of owner with the same key are no members', async () => {
      const { change, members } = await store()
      await change(links.artistComments, { id: 1 }, { removed: [{ type: 'comments', key: 1 }] })
      expect(await members(links.albumComments, { id: 1 })).toMatchObject([{ id: 1 }, { id: 3 }])
    })
  })

  describe('Members of join rows', () => {
    it('get one, with its values', async () => {
      const { change, members } = await store()
      await change(links.listAlbums, road, { added: [added('albums', 4, { position: 7 })] })
      expect(await members(links.listAlbums, road)).toMatchObject([
        { id: 1, pivot: { list: 'road', position: 2 } },
        { id: 3, pivot: { list: 'road', album: 3, position: 1 } },
        { id: 4, pivot: { list: 'road', album: 4, position: 7 } },
      ])
    })

    it('that have one already retain it, and its values are updated', async () => {
      const { change, members } = await store()
      await change(links.listAlbums, road, {
        added: [added('albums', 1, { position: 5 })],
        updated: [added('albums', '3', { position: 6, note: 'new' })],
      })
      expect(await members(links.listAlbums, road)).toMatchObject([
        { id: 1, pivot: { list: 'road', position: 5 } },
        { id: 3, pivot: { album: 3, position: 6, note: 'new' } },
      ])
    })

    it('lose all their join rows, and those of other owners stay', async () => {
      const { change, members } = await store()
      await change(links.listAlbums, road, { removed: [{ type: 'albums', key: 3 }] })
      expect(await members(links.listAlbums, road)).toMatchObject([{ id: 1 }])
      expect(await members(links.listAlbums, { code: 'home' })).toMatchObject([{ id: 3 }])
    })

    it('are distinguished by their type', async () => {
      const { change, members } = await store()
      await change(links.listItems, road, {
        removed: [{ type: 'artists', key: 1 }],
        added: [added('albums', 2), added('artists', 2)],
      })
      expect(await members(links.listItems, road)).toMatchObject([
        { type: 'artists', id: 2 },
        { type: 'albums', id: 1 },
        { type: 'albums', id: 2 },
      ])
    })

    it('are changed from the side whose type the rows name, too', async () => {
      const { change, members } = await store()
      await change(links.artistLists, { id: 3 }, { added: [added('playlists', 'home')] })
      expect(await members(links.listItems, { code: 'home' })).toMatchObject([
        { type: 'artists', id: 3 },
        { type: 'albums', id: 3 },
      ])
      await change(links.artistLists, { id: 1 }, { removed: [{ type: 'playlists', key: 'road' }] })
      expect(await members(links.listItems, road)).toMatchObject([
        { type: 'artists', id: 2 },
        { type: 'albums', id: 1 },
      ])
    })
  })

  describe('A change in a transaction', () => {
    it('is visible to reads in it, and to others after the commit', async () => {
      const { data, change, members } = await store()
      await data.transactions?.run(async (transaction) => {
        await change(links.albums, { id: 3 }, { added: [added('albums', 1)] }, transaction)
        await change(links.listAlbums, road, { removed: [{ type: 'albums', key: 1 }] }, transaction)
        expect(await members(links.albums, { id: 3 }, transaction)).toMatchObject([{ id: 1 }])
        expect(await members(links.listAlbums, road, transaction)).toMatchObject([{ id: 3 }])
      })
      expect(await members(links.albums, { id: 3 })).toMatchObject([{ id: 1 }])
      expect(await members(links.listAlbums, road)).toMatchObject([{ id: 3 }])
    })

    it('changes nothing if it fails', async () => {
      const { data, change, members } = await store()
      const failed = data.transactions?.run(async (transaction) => {
        await change(links.albums, { id: 3 }, { added: [added('albums', 1)] }, transaction)
        await change(links.listAlbums, road, { removed: [{ type: 'albums', key: 1 }] }, transaction)
        throw new Error('no')
      })
      await expect(failed).rejects.toThrow('no')
      expect(await members(links.albums, { id: 3 })).toEqual([])
      expect(await members(links.listAlbums, road)).toHaveLength(2)
    })

    it('changes no row that was read before', async () => {
      const { change, row } = await store()
      const before = await row(albums, '1')
      await change(links.albums, { id: 3 }, { added: [added('albums', 1)] })
      expect(before).toEqual(await (await store()).row(albums, '1'))
      expect(before).not.toEqual(await row(albums, '1'))
    })
  })

  it("A key in the owner's row is not changed through the members", async () => {
    const { change } = await store()
    await expect(change(links.artist, { id: 1 }, { added: [added('artists', 1)] })).rejects.toThrow(
      "store cannot change the members of 'artist', because it does not store them",
    )
    await expect(change(links.albums, { id: 1 }, { added: [added('robots', 1)] })).rejects.toThrow(
      "a member is of the type 'robots', which its relation does not name",
    )
  })
})

const writes = /^(?:insert|update|delete|with given)/

describe.each(stores.filter(([engine]) => engine !== 'memory'))('statements in %s, join rows %s', (engine, joins) => {
  // SQLite gets 1,000 rows in a statement.
  const count = 8_500
  const parts = engine === 'sqlite' ? 9 : 1
  const many = (values: (key: number) => RowObject) =>
    Array.from({ length: count }, (_, index) => added('albums', index + 1, values(index + 1)))

  it('are few, however many the members are', async () => {
    const { change, members, ran } = await storeOf(engine, joins)
    const written = () => ran.splice(0).filter((sql) => writes.test(sql))
    const home = { code: 'home' }
    await change(links.listAlbums, home, { added: many((position) => ({ position, note: 'x' })) })
    expect(written()).toHaveLength(joins === 'unique' ? parts : 2 * parts)
    await change(links.listAlbums, home, { updated: many((position) => ({ position: position + 1, note: 'y' })) })
    expect(written()).toHaveLength(parts)
    expect(await members(links.listAlbums, home)).toMatchObject(
      [1, 2, 3, 4, 5].map((id) => ({ id, pivot: { position: id + 1, note: 'y' } })),
    )
    await change(links.listAlbums, home, { removed: many(() => ({})) })
    expect(written()).toHaveLength(1)
    expect(await members(links.listAlbums, home)).toEqual([])
    const there = many(() => ({})).slice(0, 5)
    await change(links.albums, { id: 3 }, { added: there, removed: many(() => ({})) })
    expect(written()).toHaveLength(2)
    expect(await members(links.albums, { id: 3 })).toHaveLength(5)
  })

  it('write nothing if one is refused, and the transaction continues', async () => {
    const { change, members, data } = await storeOf(engine, joins)
    const home = { code: 'home' }
    const before = await members(links.listAlbums, home)
    const wrong = many((position) => ({ position: position === count ? -1 : position, note: 'x' }))
    await data.transactions?.run(async (transaction) => {
      await expect(change(links.listAlbums, home, { added: wrong }, transaction)).rejects.toThrow(
        /^A row of '.+' violates/,
      )
      expect(await members(links.listAlbums, home, transaction)).toEqual(before)
    })
    expect.assertions(2)
  })

  it('are one for all that set the same columns', async () => {
    const { change, members, ran } = await storeOf(engine, joins)
    await change(
      links.listAlbums,
      { code: 'home' },
      {
        added: [
          added('albums', 1, { position: 1 }),
          added('albums', 2, { note: 'b', position: 2 }),
          added('albums', 4, { position: 4, note: 'd' }),
          added('albums', 5),
        ],
      },
    )
    const inserts = ran.filter((sql) => sql.startsWith('insert'))
    expect(inserts).toHaveLength(3)
    expect(await members(links.listAlbums, { code: 'home' })).toMatchObject([
      { id: 1, pivot: { position: 1, note: null } },
      { id: 2, pivot: { position: 2, note: 'b' } },
      { id: 3 },
      { id: 4, pivot: { position: 4, note: 'd' } },
      { id: 5, pivot: { position: null, note: null } },
    ])
  })
})
