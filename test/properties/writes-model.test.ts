import type { TestClient } from 'ashlar/testing'
import type { TestIdentifier } from '../../src/tools/testing/test-response.js'
import * as fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { client } from '../support/client.js'
import { isLong, rounds, runs } from '../support/runs.js'
import { type Command, command, writeOf } from './writes-commands.js'
import { links, newShop, type Reference, rowOf, type Shop } from './writes-model.js'
import { apply, type Linkage, refusals, type Write } from './writes-rules.js'
import { shopRows } from './writes-rows.js'
import { watchedStore } from './writes-store.js'
import { shopServer } from './writes-world.js'

const isOnMemory = inject('store') === 'memory'

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

/** All readable resources, in the form of the model. */
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

/** The id that the model does not know, if there is only one. */
async function newPortrait(shop: Shop): Promise<string> {
  const { resources } = await api.get('/portraits')
  const unheard = resources.map(({ id }) => id).filter((id) => rowOf(shop, 'portraits', id) === undefined)
  return unheard.length === 1 ? String(unheard) : ''
}

const done = { create: [201], update: [200], relate: [200, 204], delete: [204] } as const

/** Sends writes one after the other, to the shop and to the model; returns the outcome of each. */
async function expectAgreement(commands: readonly Command[]): Promise<readonly string[]> {
  await store.reset()
  const shop = newShop()
  const outcomes: string[] = []
  for (const [turn, each] of commands.entries()) {
    const write = writeOf(shop, each, turn)
    const expected = refusals(shop, write)
    const response = await send(write)
    const description = `${JSON.stringify(write)} is answered with ${response.status} ${response.text}`
    expect(expected.length > 0 ? expected : done[write.kind], description).toContain(response.status)
    if (response.status < 300) {
      const id = write.kind === 'create' ? response.resource.id : write.id
      apply(shop, write, { id, taken: write.type === 'shelves' ? await newPortrait(shop) : '' })
    }
    outcomes.push(`${write.kind} ${response.status}`)
  }
  expect(await readState()).toEqual(stateOf(shop))
  return outcomes
}

const sequence = fc.array(command, { minLength: 1, maxLength: 15 })

test('after any sequence of writes the shop shows the same as a plain model, and refuses what its rules forbid', async () => {
  const property = fc.asyncProperty(sequence, async (commands) => void (await expectAgreement(commands)))
  await fc.assert(property, { numRuns: runs(60) })
})

test('the generated sequences contain every write, and fail in every way', async () => {
  const outcomes = new Set<string>()
  for (const commands of fc.sample(sequence, { numRuns: isOnMemory ? 60 : rounds(15, 60), seed: 1 })) {
    for (const outcome of await expectAgreement(commands)) outcomes.add(outcome)
  }
  const refused = ['create', 'update', 'relate'].flatMap((kind) => [400, 403, 404, 409, 422].map((status) => `${kind} ${status}`))
  const possible = [...Object.entries(done).flatMap(([kind, statuses]) => statuses.map((status) => `${kind} ${status}`)), ...refused, 'delete 404']
  if (isOnMemory || isLong) expect([...outcomes].toSorted()).toEqual(possible.toSorted())
  else expect(outcomes.size).toBeGreaterThan(possible.length / 2)
}) // biome-ignore format: a list
