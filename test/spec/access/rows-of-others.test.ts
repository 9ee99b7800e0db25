import * as fc from 'fast-check'
import type { DataSource } from 'ashlar/store'
import type { TestResponse } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { client } from '../../support/client.js'
import { exampleRows } from './leak-rows.js'
import { anyRules, publicRules, type Rule, type Rules, type TypeRules } from './leak-rules.js'
import { leakStore } from './leak-store.js'
import { send } from './leak-walk.js'
import { leakServer } from './leak-world.js'

/** Cases of the walk that it meets too rarely. */

const own: Rule = { kind: 'own' }
const everybody: Rule = { kind: 'everybody' }

const open: TypeRules = { ...publicRules, updated: everybody, isPlain: false, isPublic: false }

const [sample] = fc.sample(anyRules, { numRuns: 1, seed: 1 })
const openRules = Object.fromEntries(Object.keys(sample ?? {}).map((type) => [type, open])) as unknown as Rules
const store = leakStore((data: DataSource) => leakServer(openRules, data))

/** The rows of the example belong to caller 1. */
async function asSecond(labels: Partial<TypeRules>, method: string, path: string, body: object): Promise<TestResponse> {
  const rules = { ...openRules, labels: { ...open, ...labels } }
  await store.fill(exampleRows)
  const isBatch = path === '/operations'
  const type = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
  const headers = isBatch ? { Accept: type, 'Content-Type': type } : {}
  return send(client(leakServer(rules, store.source())), { method, path, headers, body }, 2)
}

const labelNames = async (): Promise<readonly string[]> => (await store.snapshot()).labels.map(({ name }) => name)

const newLabel = (owner: number): object => ({
  op: 'add',
  data: { type: 'labels', attributes: { name: 'new', owner, open: false, level: null } },
})

const create = (...owners: readonly number[]): Promise<TestResponse> =>
  asSecond({ create: own }, 'POST', '/operations', { 'atomic:operations': owners.map(newLabel) })

test('several rows that are created by one statement must meet the rule', async () => {
  expect((await create(1, 1)).status).toBe(403)
  expect(await labelNames()).toEqual(['a'])
  expect((await create(2, 1)).status).toBe(403)
  expect(await labelNames()).toEqual(['a'])
  expect((await create(2, 2)).status).toBe(200)
  expect(await labelNames()).toEqual(['a', 'new', 'new'])
})

const label = { label: { data: { type: 'labels', id: '1' } } }

test.each([
  ['POST', '/artists', { type: 'artists', attributes: { name: 'b', labelName: 'b' }, relationships: label }],
  ['PATCH', '/artists/1', { type: 'artists', id: '1', attributes: { labelName: 'b' } }],
  ['PATCH', '/artists/1', { type: 'artists', id: '1', attributes: { labelName: 'b' }, relationships: label }],
])('%s %s checks the row of a flattened attribute', async (method, path, data) => {
  expect((await asSecond({ update: own }, method, path, { data })).status).toBe(403)
  expect(await labelNames()).toEqual(['a'])
  expect((await asSecond({}, method, path, { data })).status).toBeLessThan(300)
  expect(await labelNames()).toEqual(['b'])
})
