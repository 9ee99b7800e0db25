import { createServer, defineResource, id, model } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface CounterRow {
  id: number
  plays: number
  title: string
}

function counters(fill: (row: Partial<CounterRow>, value: unknown) => Partial<CounterRow> | null): TestClient {
  const tracks = defineResource('tracks', {
    model: model<CounterRow>('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string(), plays: a.integer().fillUsing(fill) }),
  })
  const data = storedData({ tracks: [{ id: 1, plays: 0, title: 'Airbag' }] })
  return client(createServer({ resources: [tracks], data }))
}

describe('a single write is stored as a whole or not at all', () => {
  test('a create whose hook throws writes nothing', async () => {
    const api = counters(() => {
      throw new Error('no')
    })
    const before = await api.get('/tracks')
    const body = resourceBody('tracks', { title: 'Lucky', plays: 1 })
    expectErrors(await api.post('/tracks', { body }), [{ status: 500, code: null }])
    expectErrors(await api.patch('/tracks/1', { body: resourceBody('tracks', { title: 'x', plays: 1 }, '1') }), [
      { status: 500 },
    ])
    expect((await api.get('/tracks')).text).toBe(before.text)
  })

  test('concurrent writes do not lose updates', async () => {
    const api = counters((row, value) => ({ plays: (row.plays ?? 0) + Number(value) }))
    const play = () => api.patch('/tracks/1', { body: resourceBody('tracks', { plays: 1 }, '1') })
    const responses = await Promise.all(Array.from({ length: 50 }, play))
    expect(responses.every(({ status }) => status === 200)).toBe(true)
    expect((await api.get('/tracks/1')).resource.attributes?.['plays']).toBe(50)
  })

  test('concurrent creates get different ids', async () => {
    const api = counters(() => null)
    const create = () => api.post('/tracks', { body: resourceBody('tracks', { title: 'Lucky' }) })
    const ids = (await Promise.all(Array.from({ length: 50 }, create))).map(({ resource }) => resource.id)
    expect(new Set(ids).size).toBe(50)
    expect((await api.get('/tracks?page[size]=100')).resources).toHaveLength(51)
  })

  test('of two concurrent creates with one client id, one is 409', async () => {
    const labels = defineResource('labels', { model: model<{ id: string }>('labels'), id: id().requireClientId() })
    const api = client(createServer({ resources: [labels], data: storedData() }))
    const create = () => api.post('/labels', { body: resourceBody('labels', {}, 'ecm') })
    const statuses = (await Promise.all([create(), create(), create()])).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })

  test('a failed write does not block the next one', async () => {
    const api = counters((_row, value) => {
      if (value === 13) throw new Error('no')
      return { plays: Number(value) }
    })
    const set = (plays: number) => api.patch('/tracks/1', { body: resourceBody('tracks', { plays }, '1') })
    const statuses = (await Promise.all([set(1), set(13), set(2)])).map(({ status }) => status)
    expect(statuses).toEqual([200, 500, 200])
    // Which of the others comes last, the store decides.
    expect([1, 2]).toContain((await api.get('/tracks/1')).resource.attributes?.['plays'])
  })

  test('a PATCH that sends nothing changes nothing', async () => {
    const api = counters(() => null)
    const before = await api.get('/tracks/1')
    const response = await api.patch('/tracks/1', { body: { data: { type: 'tracks', id: '1' } } })
    expect(response.resource).toEqual(before.resource)
  })
})
