import { describe, expect, it } from 'vitest'
import { memoryData } from '../../src/stores/memory/memory-data.js'
import type { CollectionResult, ReadCriteria } from '../../src/declare/resource/capabilities/provider.js'
import type { WorkContext } from '../../src/declare/resource/events/stored-rows.js'
import type { RelationLink } from '../../src/declare/resource/compiled/relation-link.js'
import type { RowSet } from '../../src/core/rows/row-set.js'
import { rowSetOf } from '../../src/core/rows/row-set.js'
import { albums, context, links, membersOf, playlists, relatedCriteria } from './music-rows.js'

/** Nothing here writes elsewhere. */
const writing: WorkContext = {
  ...context,
  transaction: null,
  db: null,
  rows() {
    throw new Error('The rows of other types are not there.')
  },
}

const readAll: ReadCriteria = { columns: null, conditions: [], transaction: null, context }

describe('Join rows', () => {
  it('may be the rows of a type, whose key differs from the default key of join rows', async () => {
    const source = memoryData({
      artists: [{ id: 1, name: 'Radiohead' }],
      playlists: [
        { code: 'a', name: 'A', artist: 1, next: 'b' },
        { code: 'b', name: 'B' },
      ],
    })
    const store = source.provider(playlists)
    const joined: RelationLink = {
      ...links.artistLists,
      storage: {
        kind: 'join',
        model: 'playlists',
        owner: { id: 'artist', type: null },
        member: { id: 'next', type: null },
      },
    }
    const result = await store?.fetchRelated?.(joined, rowSetOf([{ id: 1 }]), relatedCriteria())
    expect(membersOf(result ?? { sets: [], groups: [] })).toMatchObject([[{ code: 'b', name: 'B' }]])
    expect(await store?.fetchOne(playlists, 'a', readAll)).not.toBeNull()
  })
})

describe('A written row', () => {
  it('is found through relations immediately in its transaction, and by others after it', async () => {
    const source = memoryData({ artists: [{ id: 1, name: 'Radiohead' }], albums: [] })
    const [reads, writes] = [source.provider(albums), source.persister(albums)]
    const count = async (transaction: Parameters<typeof relatedCriteria>[0]): Promise<readonly number[] | undefined> =>
      reads?.countRelated?.(links.albums, rowSetOf([{ id: 1 }]), relatedCriteria(transaction))
    expect(await count({})).toEqual([0])
    await source.transactions?.run(async (transaction) => {
      await writes?.create(albums, { title: 'Kid A', artistId: '1' }, { transaction, context: writing })
      expect(await count({ transaction })).toEqual([1])
      expect(await count({})).toEqual([0])
    })
    expect(await count({})).toEqual([1])
  })

  it('has a key in the same order, whether the client or the server chose it', async () => {
    const source = memoryData({ albums: [{ id: 1, title: 'a' }] })
    const writes = source.persister(albums)
    const write = { transaction: null, context: writing }
    for (const key of ['10', '9']) await writes?.create(albums, { id: key, title: 'x' }, write)
    await writes?.create(albums, { title: 'y' }, write)
    const found = (await source.provider(albums)?.fetchCollection?.(albums, {
      ...readAll,
      columns: ['id'],
      orders: [{ kind: 'key', descending: false }],
      window: null,
      wantsCount: false,
    })) as CollectionResult
    expect((found.rows as RowSet).rows).toEqual([[1], [9], [10], [11]])
  })
})
