import { createServer, defineResource, id, model } from 'ashlar'
import { type Provider, rowSet } from 'ashlar/store'
import type { TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

function extracting(extract: (row: { readonly id: number }) => unknown): TestClient {
  const resources = [
    defineResource('charts', {
      model: model<{ id: number }>('charts'),
      id: id(),
      relations: (r) => ({ artists: r.hasMany('artists').extractUsing(extract) }),
    }),
    defineResource('artists', {
      model: model<{ id: number; name: string }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
    }),
  ]
  return client(createServer({ resources, data: storedData({ charts: [{ id: 1 }, { id: 2 }] }) }))
}

describe('a function that returns objects', () => {
  const bjork = { id: 1, name: 'Björk' }

  test('has each resource once, even if it is returned twice or as two objects', async () => {
    for (const response of [
      [bjork, bjork],
      [bjork, { ...bjork }],
    ]) {
      const api = extracting(() => response)
      const { document } = await api.get('/charts/1/artists')
      expect(shown(document?.data)).toEqual(['artists 1'])
      const { resource } = await api.get('/charts/1?include=artists')
      expect(resource.relationships?.['artists']?.data).toEqual([{ type: 'artists', id: '1' }])
    }
  })

  test('is called once for all parents', async () => {
    const waiting: (() => void)[] = []
    const api = extracting(
      () =>
        new Promise((resolve) => {
          waiting.push(() => resolve(bjork))
          if (waiting.length === 2) for (const go of waiting) go()
        }),
    )
    expect(shown((await api.get('/charts?include=artists')).document?.included)).toEqual(['artists 1'])
  })
})

interface Chart {
  readonly id: number
  readonly rows: string
}

function charts(provider: Provider): TestClient {
  const type = defineResource('charts', {
    model: model<Chart>('charts'),
    id: id(),
    attributes: (a) => ({ rows: a.string() }),
    scope: (_context, f) => f.where('rows').fixed('all'),
    provider,
    readOnly: true,
  })
  return client(createServer({ resources: [type] }))
}

describe('the form of a result shows whether conditions were checked, for one row and for many', () => {
  const outside = { id: 1, rows: 'none' }
  const set = rowSet(['id', 'rows'], [[1, 'none']])

  test('the service checks the conditions of plain rows', async () => {
    for (const [one, many] of [
      [outside, [outside]],
      [set, set],
    ] as const) {
      const api = charts({ fetchOne: () => one, fetchCollection: () => many })
      expect((await api.get('/charts/1')).status).toBe(404)
      expect(shown((await api.get('/charts')).resources)).toEqual([])
    }
  })

  test('the service does not check the conditions of results with rows', async () => {
    const api = charts({ fetchOne: () => ({ rows: set }), fetchCollection: () => ({ rows: set, total: null }) })
    expect((await api.get('/charts/1')).status).toBe(200)
    expect(shown((await api.get('/charts')).resources)).toEqual(['charts 1'])
    const none = rowSet(['id'], [])
    expect(
      (await charts({ fetchOne: () => ({ rows: none }), fetchCollection: () => [] }).get('/charts/1')).status,
    ).toBe(404)
  })
})
