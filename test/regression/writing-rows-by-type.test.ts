import { reply, createServer, defineResource, id, metaResult, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface TrackRow {
  id: number
  title: string
}

const tracks = defineResource('tracks', {
  model: model<TrackRow>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})

function albumsCounting(named: string | typeof tracks) {
  const logged: unknown[] = []
  const albums = defineResource('albums', {
    model: model<{ id: number }>('albums'),
    id: id(),
    actions: (a) => ({
      count: a.collection({
        responds: metaResult(),
        handle: async ({ context }) => {
          const rows = typeof named === 'string' ? context.rows<TrackRow>(named) : context.rows(named)
          return reply.meta({ titles: (await rows.list()).map(({ title }) => title) })
        },
      }),
    }),
  })
  const data = storedData({ tracks: [{ id: 1, title: 'Airbag' }] })
  const logger = { error: (...values: readonly unknown[]) => void logged.push(...values) }
  return { api: client(createServer({ resources: [albums, tracks], data, logger })), logged }
}

test.each([['tracks'], [tracks]])('rows are found by the name of a type, and by its declaration', async (named) => {
  const { document } = await albumsCounting(named).api.post('/albums/-actions/count')
  expect(document?.meta).toEqual({ titles: ['Airbag'] })
})

test('reading the rows of an unknown type is a 500, and only the log names the type', async () => {
  const { api, logged } = albumsCounting('songz')
  const response = await api.post('/albums/-actions/count')
  expectErrors(response, [{ status: 500 }])
  expect(response.text).not.toContain('songz')
  const message = "There are no rows of 'songz': no server has such a type."
  expect(logged[0]).toMatchObject({ err: { message } })
})
