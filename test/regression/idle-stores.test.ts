import { createServer, defineResource, id, model } from 'ashlar'
import { expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  hooks: { beforeCreate: () => undefined },
})

/** The shortest of several tries, in milliseconds: what else the machine does only ever adds to it. */
async function timeOfPromises(): Promise<number> {
  const tries: number[] = []
  for (let attempt = 0; attempt < 15; attempt += 1) {
    const start = performance.now()
    for (let turn = 0; turn < 5000; turn += 1) await Promise.resolve(turn)
    tries.push(performance.now() - start)
  }
  return Math.min(...tries)
}

// Each store that had ever written used to hold up every promise of the process from then on, by a little: Node leads them
// past every storage of async contexts that is in use.
test('stores that have nothing to write cost nothing, however many there are: promises take as long as before', async () => {
  const before = await timeOfPromises()
  for (let store = 0; store < 200; store += 1) await storedData().transactions?.run(async () => undefined)
  expect((await timeOfPromises()) / before).toBeLessThan(10)
})

test('nor do servers that have nothing to write', async () => {
  const before = await timeOfPromises()
  for (let server = 0; server < 25; server += 1) {
    const api = client(createServer({ resources: [albums], data: storedData() }))
    const created = await Promise.all([1, 2].map(() => api.post('/albums', { body: resourceBody('albums', {}) })))
    expect(created.map(({ status }) => status)).toEqual([201, 201])
    expect((await api.post('/albums', { body: resourceBody('albums', { title: 1 }) })).status).toBe(422)
  }
  expect((await timeOfPromises()) / before).toBeLessThan(10)
})
