import { createServer, defineResource, id, model } from 'ashlar'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface NoteRow {
  id: number
  text: string
  deletedAt: string | null
}

const notes = defineResource('notes', {
  model: model<NoteRow>('notes'),
  id: id(),
  attributes: (a) => ({
    text: a.string(),
    stored: a.string().storedAs('deletedAt').nullable().readOnly(),
    deletedAt: a.dateTime().nullable().readOnly(),
  }),
  filters: (f) => ({ trashed: f.onlyTrashed() }),
  softDeletes: { as: 'text' },
})

test('a column of texts takes the moment of a delete in its ISO form, and is emptied by a restore', async () => {
  const data = storedData({ notes: [{ id: 1, text: 'Airbag', deletedAt: null }] })
  const api = client(createServer({ resources: [notes], data }))
  const before = new Date().toISOString()
  expect((await api.delete('/notes/1')).status).toBe(204)
  const [trashed] = (await api.get('/notes?filter[trashed]=true')).resources
  const stored = String(trashed?.attributes?.['stored'])
  expect(new Date(stored).toISOString()).toBe(stored)
  expect(stored >= before && stored <= new Date().toISOString()).toBe(true)
  expect(String(trashed?.attributes?.['deletedAt']).slice(0, 19)).toBe(stored.slice(0, 19))
  const restored = await api.post('/notes/1/-actions/restore')
  expect(restored.resource.attributes).toMatchObject({ stored: null, deletedAt: null })
  expect((await api.get('/notes/1')).status).toBe(200)
})
