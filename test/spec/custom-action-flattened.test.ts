import { reply, belongsTo, createServer, defineResource, id, model, noContent } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

test('a flattened attribute in the document of an action is checked, and no column of the input', async () => {
  const received: unknown[] = []
  const artists = defineResource('artists', {
    model: model<{ id: number; name: string }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
  })
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string; artistId: number | null }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string(), artistName: a.string().on('artist').storedAs('name') }),
    relations: { artist: belongsTo('artists') },
    actions: (a) => ({
      echo: a.collection({
        input: 'document',
        responds: noContent(),
        handle: ({ input }) => {
          received.push(input)
          return reply.noContent()
        },
      }),
    }),
  })
  const api = client(createServer({ resources: [artists, albums], data: storedData() }))
  const echo = (attributes: object) =>
    api.post('/albums/-actions/echo', { body: resourceBody('albums', { ...attributes }) })
  expect((await echo({ title: 'Kid A', artistName: 'Radiohead' })).status).toBe(204)
  expect(received).toEqual([{ title: 'Kid A' }])
  expectErrors(await echo({ artistName: 5 }), [{ status: 422, pointer: '/data/attributes/artistName' }])
})
