import { createServer, defineResource, type FilterDeclaration, type FilterKit, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import type { TestClient } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'

interface AlbumRow {
  id: number
  year: number
}

type Filters = (f: FilterKit<'id' | 'year'>) => Readonly<Record<string, FilterDeclaration>>

function albumsWith(filters: Filters): TestClient {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ year: a.integer() }),
    filters,
  })
  const rows: readonly AlbumRow[] = [
    { id: 1, year: 1997 },
    { id: 2, year: 2000 },
  ]
  return client(createServer({ resources: [albums], data: memoryData({ albums: rows }) }))
}

const later = [() => Promise.resolve(1997), () => Promise.reject(new Error('late'))]

test.each(later)('a deserializeUsing() that answers later is 500, and lets no rows through', async (answer) => {
  const api = albumsWith((f) => ({
    one: f.where('year').deserializeUsing(answer),
    other: f.where('year', '!=').deserializeUsing(answer),
    some: f.in('year').deserializeUsing(answer),
    none: f.notIn('year').deserializeUsing(answer),
    between: f.range('year').deserializeUsing(answer),
    own: f.custom({ matches: () => true }).deserializeUsing(answer),
  }))
  for (const sent of ['one]=1', 'other]=1', 'some]=1', 'none]=1', 'between][min]=1', 'own]=1']) {
    const response = await api.get(`/albums?filter[${sent}`)
    expect([sent, response.status]).toEqual([sent, 500])
  }
})

test.each(later)('so is one that is given a value of the author', async (answer) => {
  const fixed = albumsWith((f) => ({ none: f.notIn('year').deserializeUsing(answer).fixed('1997') }))
  expect((await fixed.get('/albums?filter[none]')).status).toBe(500)
  const byDefault = albumsWith((f) => ({ none: f.notIn('year').deserializeUsing(answer).default('1997') }))
  expect((await byDefault.get('/albums')).status).toBe(500)
})
