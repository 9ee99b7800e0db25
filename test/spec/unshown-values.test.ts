import { atomic, createServer, defineResource, id, model, type ResourceHooks } from 'ashlar'
import type { TestClient } from 'ashlar/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

/**
 * A value that the kind of its attribute cannot show is left out of every document, and named in the log. So one row
 * makes no list fail, and a client can correct the value.
 */

interface TrackRow {
  id: number
  title: string
  plays: bigint | number
}

const large = 2n ** 60n

const message = (key: string): string =>
  `The resource '${key}' of 'tracks' is shown without 'plays': the column 'plays' holds ${large}, which the kind integer() cannot show. Correct the row, or declare the attribute as a.bigint().`

let logged: string[]
beforeEach(() => {
  logged = []
})

function serving(hooks: ResourceHooks<TrackRow> = {}): TestClient {
  const tracks = defineResource('tracks', {
    model: model<TrackRow>('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string(), plays: a.integer() }),
    hooks,
  })
  const rows = [
    { id: 1, title: 'Airbag', plays: large },
    { id: 2, title: 'Lucky', plays: 5 },
  ]
  const logger = { error: ({ err }: { err: unknown }) => void logged.push((err as Error).message) }
  return client(
    createServer({ resources: [tracks], data: storedData({ tracks: rows }), extensions: [atomic()], logger }),
    { isDescribed: false },
  )
}

const titles = async (api: TestClient): Promise<readonly unknown[]> =>
  (await api.get('/tracks?fields[tracks]=title&sort=id')).resources.map(({ attributes }) => attributes?.['title'])

test('a read leaves the attribute out, and logs it', async () => {
  const api = serving()
  expect((await api.get('/tracks/1')).resource.attributes).toEqual({ title: 'Airbag' })
  expect((await api.get('/tracks?sort=id')).resources.map(({ attributes }) => attributes)).toEqual([
    { title: 'Airbag' },
    { title: 'Lucky', plays: 5 },
  ])
  expect(logged).toEqual([message('1'), message('1')])
  expect(await titles(api)).toEqual(['Airbag', 'Lucky'])
  expect(logged).toHaveLength(2)
})

test('the log names the first resource of a response, and each attribute once', async () => {
  const many = Array.from({ length: 5 }, (_, index) => ({ id: index + 1, title: 'Airbag', plays: large, year: large }))
  const tracks = defineResource('tracks', {
    model: model<(typeof many)[number]>('tracks'),
    id: id(),
    attributes: (a) => ({ plays: a.integer(), year: a.integer() }),
  })
  const logger = { error: ({ err }: { err: unknown }) => void logged.push((err as Error).message) }
  const server = createServer({ resources: [tracks], data: storedData({ tracks: many }), logger })
  const { resources } = await client(server, { isDescribed: false }).get('/tracks?sort=id')
  expect(resources.map((resource) => 'attributes' in resource)).toEqual([false, false, false, false, false])
  expect(logged).toEqual([message('1'), message('1').replaceAll("'plays'", "'year'")])
})

describe.each([
  ['by one statement', {}],
  ['in a transaction', { beforeSave: () => undefined }],
])('a write %s', (_path, hooks) => {
  test('to another attribute is stored, and its response leaves the attribute out', async () => {
    const api = serving(hooks)
    const patched = await api.patch('/tracks/1', { body: resourceBody('tracks', { title: 'Creep' }, '1') })
    expect([patched.status, patched.resource.attributes]).toEqual([200, { title: 'Creep' }])
    expect(logged).toEqual([message('1')])
    expect(await titles(api)).toEqual(['Creep', 'Lucky'])
  })

  test('that corrects the value shows it', async () => {
    const api = serving(hooks)
    const patched = await api.patch('/tracks/1', { body: resourceBody('tracks', { plays: 7 }, '1') })
    expect(patched.resource.attributes).toEqual({ title: 'Airbag', plays: 7 })
    expect(logged).toEqual([])
  })
})

test('a create whose hook sets the value is stored', async () => {
  const api = serving({
    beforeCreate(draft) {
      draft.plays = large
    },
  })
  const made = await api.post('/tracks', { body: resourceBody('tracks', { title: 'Creep', plays: 1 }) })
  expect([made.status, made.resource.attributes]).toEqual([201, { title: 'Creep' }])
  expect(logged).toEqual([message('3')])
})

const update = (key: string, title: string) => ({ op: 'update', ...resourceBody('tracks', { title }, key) })

test('a batch is stored as a whole, and only the results of these resources leave it out', async () => {
  const api = serving()
  const extension = `application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"`
  const response = await api.post('/operations', {
    body: { 'atomic:operations': [update('1', 'Creep'), update('2', 'Nude')] },
    headers: { 'Content-Type': extension, Accept: extension },
  })
  expect(response.results.map(({ data }) => data)).toMatchObject([
    { id: '1', attributes: { title: 'Creep' } },
    { id: '2', attributes: { title: 'Nude', plays: 5 } },
  ])
  expect(logged).toEqual([message('1')])
  expect(await titles(api)).toEqual(['Creep', 'Nude'])
})
