import { belongsTo, createServer, cursorPage, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { statementCounter } from 'ashlar/testing'
import { expect, onTestFinished, test } from 'vitest'
import { client } from '../../../support/client.js'
import { musicEngines } from '../../../support/music-engines.js'

const albums = defineResource('albums', {
  model: table<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  scope: (_, f) => f.where('title').operator('!=').fixed('hidden'),
})

const tracks = defineResource('tracks', {
  model: table<{ id: number; title: string; album_id: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { album: belongsTo('albums').via('album_id') },
  filters: (f) => ({ onAlbum: f.has('album'), title: f.where().operator('!=') }),
  pagination: cursorPage({ size: 1 }).estimable({ exactUpTo: 2 }),
})

test.each(musicEngines)('%s: the planner is not asked about filters that lead to hidden rows', async (engine, open) => {
  const music = await open(50)
  onTestFinished(() => music.close())
  const counter = statementCounter()
  const data = sqlData(music.database as never, { onStatement: counter.onStatement })
  const api = client(createServer({ resources: [albums, tracks], data, access: 'open' }))
  const isExplained = async (filter: string): Promise<boolean> => {
    const ran = await counter.during(async () => {
      const { document } = await api.get(`/tracks?page[count]=estimate&${filter}`)
      expect(document?.meta?.['page']).toMatchObject({ estimatedTotal: { atLeast: 3, isExact: false } })
    })
    return ran.some(({ sql }) => sql.startsWith('explain'))
  }
  expect(await isExplained('filter[title]=x')).toBe(engine === 'PostgreSQL')
  expect(await isExplained('filter[onAlbum]=true')).toBe(false)
})
