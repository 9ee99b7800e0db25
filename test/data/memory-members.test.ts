import { describe, expect, it } from 'vitest'
import { memoryData } from '../../src/stores/memory/memory-data.js'
import type { MemberValues, Persister, RelationshipChange } from '../../src/declare/resource/capabilities/persister.js'
import type { WorkContext } from '../../src/declare/resource/events/stored-rows.js'
import type { RowObject } from '../../src/declare/resource/fields/field-spec.js'
import { rowSetOf } from '../../src/core/rows/row-set.js'
import { context, links, membersOf, playlists, relatedCriteria, seeds } from './music-rows.js'

/** Nothing here writes elsewhere. */
const writing: WorkContext = {
  ...context,
  transaction: null,
  db: null,
  rows() {
    throw new Error('The rows of other types are not there.')
  },
}

const road = { code: 'road', name: 'Road Trip' }

/** The albums of a playlist, with their join rows, after a change. */
async function albumsAfter(
  change: Partial<RelationshipChange>,
  rows: typeof seeds = seeds,
): Promise<readonly object[] | undefined> {
  const data = memoryData(rows)
  const persister = data.persister(playlists) as Required<Persister>
  const whole = { added: [], updated: [], removed: [], ...change }
  await persister.mutateRelationship(links.listAlbums, road, whole, { transaction: null, context: writing })
  const criteria = relatedCriteria({ transaction: null })
  const found = await data.provider(playlists)?.fetchRelated?.(links.listAlbums, rowSetOf([road]), criteria)
  return membersOf(found ?? { sets: [], groups: [] })[0]
}

const album = (key: unknown, values: RowObject = {}): MemberValues => ({ type: 'albums', key, values })

/** All other behaviour of members is tested for the memory store together with the others: see sql/write/members.test.ts. */
describe('The join rows of members', () => {
  it('get their own keys', async () => {
    expect(await albumsAfter({ added: [album(4, { position: 7 })] })).toMatchObject([
      { id: 1, pivot: { list: 'road', album: '1', position: 2 } },
      { id: 3, pivot: { list: 'road', album: 3, position: 1 } },
      { id: 4, pivot: { id: 6, list: 'road', album: 4, position: 7 } },
    ])
  })

  it('that exist already retain their keys', async () => {
    const after = await albumsAfter({
      added: [album(1, { position: 5 })],
      updated: [album('3', { position: 6, note: 'new' })],
    })
    expect(after).toMatchObject([
      { id: 1, pivot: { id: 2, album: '1', position: 5 } },
      { id: 3, pivot: { id: 1, album: 3, position: 6, note: 'new' } },
    ])
  })

  it('have keys from 1 on if there are none yet', async () => {
    const rows = { albums: seeds['albums'] ?? [], playlists: [road] }
    expect(await albumsAfter({ added: [album(1), album(2)] }, rows)).toMatchObject([
      { id: 1, pivot: { id: 1 } },
      { id: 2, pivot: { id: 2 } },
    ])
  })
})
