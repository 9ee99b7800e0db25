import { createServer, defineResource, id, model } from 'ashlar'
import { expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { cpuTime } from '../support/cpu-time.js'
import { storedData } from '../support/stored-data.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  hooks: { beforeCreate: () => undefined },
})

/** The CPU time of many promises in milliseconds, the lowest of several tries: chance only ever adds to it. */
async function timeOfPromises(): Promise<number> {
  const tries: number[] = []
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const start = cpuTime()
    for (let turn = 0; turn < 100_000; turn += 1) await Promise.resolve(turn)
    tries.push(cpuTime() - start)
  }
  return Math.min(...tries)
}

/** Expects promises to take about as long as they took before. */
async function expectNoBurden(before: number): Promise<void> {
  expect((await timeOfPromises()) / Math.max(before, 1)).toBeLessThan(10)
}

// Each store that had ever written used to slow down every promise of the process from then on, by a little: Node checks for each
// promise every async context storage that is in use.
test('idle stores cost nothing, however many there are: promises take as long as before', async () => {
  const before = await timeOfPromises()
  for (let store = 0; store < 200; store += 1) await storedData().transactions?.run(async () => undefined)
  await expectNoBurden(before)
})

test('nor do idle servers', async () => {
  const before = await timeOfPromises()
  for (let server = 0; server < 25; server += 1) {
    const api = client(createServer({ resources: [albums], data: storedData() }))
    const created = await Promise.all([1, 2].map(() => api.post('/albums', { body: resourceBody('albums', {}) })))
    expect(created.map(({ status }) => status)).toEqual([201, 201])
    expect((await api.post('/albums', { body: resourceBody('albums', { title: 1 }) })).status).toBe(422)
  }
  await expectNoBurden(before)
})
