import type { TestClient, TestIdentifier } from 'ashlar/testing'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { command, writeOf } from './writes-commands.js'
import { links, newShop, type Reference, rowOf, type Shop } from './writes-model.js'
import { apply, type Linkage, refusals, type Write } from './writes-rules.js'
import { shopRows } from './writes-rows.js'
import { watchedStore } from './writes-store.js'
import { shopServer } from './writes-world.js'

const store = watchedStore(shopRows)
const api = client(shopServer(store.data))

function identifier({ pivot, ...named }: Reference): object {
  return { ...named, ...(pivot === undefined ? {} : { meta: { pivot } }) }
}

function sentLinkage(linkage: Linkage): unknown {
  return Array.isArray(linkage) ? linkage.map(identifier) : linkage === null ? null : identifier(linkage as Reference)
}

const methods = {
  create: 'POST',
  update: 'PATCH',
  delete: 'DELETE',
  replace: 'PATCH',
  add: 'POST',
  remove: 'DELETE',
} as const

function send(write: Write): ReturnType<TestClient['request']> {
  const path = write.kind === 'create' ? `/${write.type}` : `/${write.type}/${write.id}`
  if (write.kind === 'delete') return api.delete(path)
  if (write.kind === 'relate') {
    const body = { data: sentLinkage(write.linkage) }
    return api.request(methods[write.mode], `${path}/relationships/${write.relation}`, { body })
  }
  const { kind, type, id, values: attributes, linkage } = write
  const relationships = Object.entries(linkage).map(([name, each]) => [name, { data: sentLinkage(each) }])
  const data = { type, ...(id === null ? {} : { id }), attributes, relationships: Object.fromEntries(relationships) }
  return api.request(methods[kind], path, { body: { data } })
}

type State = Readonly<Record<string, unknown>>

function stateOf(shop: Shop): State {
  const resources = Object.entries(shop.rows).flatMap(([type, rows]) =>
    [...rows].map(([id, { values, own }]) => {
      const related = Object.entries(links[type] ?? {}).map(([name, link]) => {
        const members = link.read(shop, id).slice(0, link.toMany ? undefined : 1)
        const hasPivot = type === 'playlists' && name === 'tracks'
        return [
          name,
          members.map(({ pivot = {}, ...named }) => shown(named, hasPivot ? pivot : null)).toSorted(),
        ] as const
      })
      const artist = rowOf(shop, 'artists', own['artist']?.id ?? '')
      const flattened = type === 'albums' ? { artistName: artist?.values['name'] ?? null } : {}
      return [`${type} ${id}`, { ...values, ...flattened, ...Object.fromEntries(related) }] as const
    }),
  )
  return Object.fromEntries(resources)
}

function shown({ type, id }: Reference, pivot: object | null): string {
  if (pivot === null) return `${type} ${id}`
  const { position = null, note = null } = pivot as { readonly position?: number; readonly note?: string }
  return `${type} ${id} ${position} ${note}`
}

/** Everything that can be read, in the same words. */
async function readState(): Promise<State> {
  const responses = await Promise.all(Object.keys(links).map((type) => api.get(`/${type}`)))
  const resources = responses.flatMap((response) => response.resources)
  return Object.fromEntries(
    resources.map(({ type, id, attributes = {}, relationships = {} }) => {
      const related = Object.entries(relationships).map(([name, { data }]) => {
        const members = [data ?? []].flat() as readonly TestIdentifier[]
        return [name, members.map(shownMember).toSorted()] as const
      })
      const { title, name, country, year, code, revision, artistName } = attributes
      const values = { title, name, country, year, code, revision, artistName }
      return [`${type} ${id}`, { ...values, ...Object.fromEntries(related) }] as const
    }),
  )
}

function shownMember({ type, id, meta }: TestIdentifier): string {
  return shown({ type, id }, meta?.['pivot'] ?? null)
}

test('after any sequence of writes the shop shows what plain data would, and it refuses what its rules say', async () => {
  const answered = new Map<string, number>()
  const property = fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 15 }), async (commands) => {
    store.reset()
    const shop = newShop()
    for (const [turn, each] of commands.entries()) {
      const write = writeOf(shop, each, turn)
      const expected = refusals(shop, write)
      const response = await send(write)
      const said = `${JSON.stringify(write)} is answered with ${response.status} ${response.text}`
      const outcome = expected.length > 0 ? expected : [{ create: 201, delete: 204, update: 200, relate: 200 }[write.kind]]
      expect(outcome, said).toContain(response.status)
      if (response.status < 300) apply(shop, write, write.kind === 'create' ? response.resource.id : write.id)
      answered.set(`${write.kind} ${response.status}`, (answered.get(`${write.kind} ${response.status}`) ?? 0) + 1)
    }
    expect(await readState()).toEqual(stateOf(shop))
  })
  await fc.assert(property, { numRuns: 60 })
  const outcomes = ['create 201', 'update 200', 'relate 200', 'delete 204', 'create 422', 'update 422', 'relate 403', 'relate 404', 'relate 409', 'update 409']
  expect([...answered.keys()]).toEqual(expect.arrayContaining(outcomes))
}, 30_000) // biome-ignore format: a list
