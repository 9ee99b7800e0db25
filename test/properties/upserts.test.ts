import * as fc from 'fast-check'
import { createServer, defineResource, id, model } from 'ashlar'
import type { TestClient } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { rounds } from '../support/runs.js'
import { storedData } from '../support/stored-data.js'

/** Any series of upserts, creates, updates and deletes ends as a map of the rows says, on every store. */

const ids = ['a', 'b', 'c'] as const

interface Row {
  readonly name: string
  readonly plays: number | null
  readonly code: string | null
}

interface Sent {
  readonly name?: string
  readonly plays?: number | null
  readonly code?: string | null
}

interface Step {
  readonly method: 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  readonly id: (typeof ids)[number]
  readonly sent: Sent
  readonly only: 'create' | 'update' | null
}

const step: fc.Arbitrary<Step> = fc.record({
  method: fc.constantFrom('PUT', 'PUT', 'PUT', 'PUT', 'POST', 'PATCH', 'DELETE'),
  id: fc.constantFrom(...ids),
  sent: fc.record(
    {
      name: fc.constantFrom('one', 'two', 'three', ''),
      plays: fc.constantFrom(1, 2, null),
      code: fc.constantFrom('x', 'y', null),
    },
    { requiredKeys: [] },
  ),
  only: fc.constantFrom(null, null, 'create', 'update'),
})

/** Returns the status of a step, and applies it. Names are required and unique, and only a create sets the code. */
function expected({ method, id: key, sent, only }: Step, rows: Map<string, Row>): number {
  const row = rows.get(key)
  if (method === 'DELETE') return row === undefined ? 404 : (rows.delete(key), 204)
  const precondition = method === 'PUT' ? only : null
  const creates = method === 'POST' || (method === 'PUT' && (row === undefined || precondition === 'create'))
  if (method === 'PUT' && precondition === 'update' && row === undefined) return 412
  if (method === 'PATCH' && row === undefined) return 404
  const isTaken = [...rows].some(([other, { name }]) => other !== key && name === sent.name)
  if (creates) {
    if (sent.name === undefined || sent.name === '') return 422
    if (row !== undefined) return method === 'PUT' ? 412 : 409
    if (isTaken) return 422
    rows.set(key, { name: sent.name, plays: sent.plays ?? null, code: sent.code ?? null })
    return 201
  }
  if (sent.name === '' || isTaken || row === undefined) return 422
  const { code: _, ...changes } = sent
  rows.set(key, { ...row, ...changes })
  return 200
}

async function status(api: TestClient, { method, id: key, sent, only }: Step): Promise<number> {
  const headers: Readonly<Record<string, string>> =
    method !== 'PUT' || only === null ? {} : only === 'create' ? { 'If-None-Match': '*' } : { 'If-Match': '*' }
  const body = { data: { type: 'tunes', id: key, attributes: sent } }
  const path = method === 'POST' ? '/tunes' : `/tunes/${key}`
  return (await api.request(method, path, { headers, ...(method === 'DELETE' ? {} : { body }) })).status
}

test.each([
  ['by statements', {}],
  ['in steps', { beforeSave: () => undefined }],
])('any series of writes, %s, has the statuses and the rows of a map', async (_, hooks) => {
  const tunes = defineResource('tunes', {
    model: model<{ id: string; name: string; plays: number | null; code: string | null }>('tunes'),
    id: id().requireClientId(),
    attributes: (a) => ({
      name: a.string().required().unique(),
      plays: a.integer().nullable(),
      code: a.string().nullable().readOnlyOnUpdate(),
    }),
    upsertBy: 'id',
    hooks,
  })
  const api = client(createServer({ resources: [tunes], data: storedData({ tunes: [] }) }))
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const { id: key } of (await api.get('/tunes')).resources) await api.delete(`/tunes/${key}`)
      const rows = new Map<string, Row>()
      for (const each of steps) {
        const found = await status(api, each)
        seen.add(found)
        expect([each, found]).toEqual([each, expected(each, rows)])
      }
      const stored = (await api.get('/tunes')).resources.map(({ id: key, attributes }) => [key, attributes] as const)
      expect(new Map(stored)).toEqual(rows)
    }),
    { numRuns: rounds(40, 1000) },
  )
  expect([...seen].toSorted((one, other) => one - other)).toEqual([200, 201, 204, 404, 409, 412, 422])
})
