import { createServer, defineResource, id, model, morphToMany, numberPage } from 'ashlar'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

interface RecordRow {
  id: number
  kind: string
}

const singles = defineResource('singles', {
  model: model<RecordRow>('records'),
  id: id(),
  objectType: ({ kind }) => (kind === 'single' ? 'singles' : null),
})

const longplays = defineResource('longplays', {
  model: model<RecordRow>('records'),
  id: id(),
  objectType: ({ kind }) => (kind === 'longplay' ? 'longplays' : null),
})

const records = [
  { id: 1, kind: 'ep' },
  { id: 2, kind: 'single' },
  { id: 3, kind: 'ep' },
  { id: 4, kind: 'longplay' },
]

const shelves = defineResource('shelves', {
  model: model<{ id: number }>('shelves'),
  id: id(),
  relations: {
    records: morphToMany(['singles', 'longplays'])
      .through('shelf_records', { owner: 'shelfId', member: 'recordId', memberType: 'recordType' })
      .withoutPagination()
      .countable(),
    heard: morphToMany(['singles', 'longplays'])
      .extractUsing(() => records)
      .paginate(numberPage({ size: 1 }))
      .countable(),
  },
})

const api = client(
  createServer({
    resources: [singles, longplays, shelves],
    data: storedData({
      records,
      shelves: [{ id: 1 }],
      shelf_records: records.map((record) => ({
        id: record.id,
        shelfId: 1,
        recordId: record.id,
        recordType: 'singles',
      })),
    }),
  }),
  { headers: { accept: `application/vnd.api+json; profile="${countableProfile.uri}"` } },
)

describe('rows that belong to none of the types of a relation', () => {
  test('are not counted if the relation is read whole', async () => {
    for (const path of ['/shelves/1/records', '/shelves/1/relationships/records']) {
      const { document } = await api.get(path)
      expect(shown(document?.data)).toEqual(['singles 2', 'longplays 4'])
      expect(document?.meta).toEqual({ total: 2 })
    }
  })

  test('are not counted by withCount', async () => {
    const { resource } = await api.get('/shelves/1?withCount=records,heard')
    expect(resource.relationships?.['records']?.meta).toEqual({ total: 2 })
    expect(resource.relationships?.['heard']?.meta).toEqual({ total: 2 })
  })

  test('are not on pages that the service windows itself', async () => {
    const { document } = await api.get('/shelves/1/heard?withCount=_self_')
    expect(shown(document?.data)).toEqual(['singles 2'])
    expect(document?.meta).toMatchObject({ total: 2 })
    expect(shown((await api.get('/shelves/1/heard?page[number]=2')).document?.data)).toEqual(['longplays 4'])
  })
})
