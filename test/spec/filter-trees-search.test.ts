import { createServer, defaultProfiles, defineResource, filterTreeProfile, id as idOf, model } from 'ashlar'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; notes: string | null }>('albums'),
  id: idOf(),
  attributes: (a) => ({ title: a.string(), notes: a.string().nullable() }),
  filters: (f) => ({ q: f.search('title', 'notes'), title: f.contains() }),
  sorts: (s) => ({ relevance: s.relevance('q') }),
  pagination: null,
})
const rows = [
  { id: 1, title: 'Kid A', notes: null },
  { id: 2, title: 'Amnesiac', notes: 'After Kid A' },
  { id: 3, title: 'Post', notes: null },
]

test('A filter tree may have searches', async () => {
  const profiles = [...defaultProfiles, filterTreeProfile]
  const server = createServer({ resources: [albums], data: storedData({ albums: rows }), access: 'open', profiles })
  const api = client(server, { isDescribed: false })
  const found = async (filter: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const { resources } = await api.request('QUERY', '/albums', { headers, body: { filter, sort: ['id'] } })
    return resources.map(({ id }) => id)
  }
  expect(await found({ q: 'kid' })).toEqual(['1', '2'])
  expect(await found({ or: [{ q: 'kid' }, { title: 'post' }] })).toEqual(['1', '2', '3'])
  expect(await found({ not: { q: 'kid' } })).toEqual(['3'])
  expect(await found({ q: 'kid', not: { or: [{ q: 'amnesiac' }, { title: 'post' }] } })).toEqual(['1'])
})
