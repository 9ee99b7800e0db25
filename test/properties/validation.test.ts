import { createServer, defineResource, id, model } from 'ashlar'
import type { TestClient, TestResponse } from 'ashlar/testing'
import * as fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { runs } from '../support/runs.js'
import { storedData } from '../support/stored-data.js'
import {
  attributesOf,
  type Field,
  type Group,
  groups,
  isMembers,
  type Members,
  valuesOf,
  invalidPointers,
} from './validated-fields.js'

type Row = Record<string, unknown> & { id: number }

const numRuns = runs(200)

function serverOf(declared: Group): TestClient {
  const things = defineResource('things', { model: model<Row>('things'), id: id(), attributes: attributesOf(declared) })
  return client(createServer({ resources: [things], data: storedData(), limits: { errors: 10_000 } }))
}

const post = (api: TestClient, attributes: Members) => api.post('/things', { body: resourceBody('things', attributes) })
const patch = (api: TestClient, attributes: Members) =>
  api.patch('/things/1', { body: resourceBody('things', attributes, '1') })

/** Each refused position, once. */
function refusedPointers({ errors }: TestResponse): readonly string[] {
  const pointers = errors.map(({ source }) => source?.pointer?.slice('/data/attributes'.length) ?? 'nowhere')
  return [...new Set(pointers)].toSorted()
}

const problems = ({ status, errors }: TestResponse) => [
  status < 300,
  errors.map(({ source, detail }) => `${source?.pointer}: ${detail}`),
]

/** Both occur, or the property proves nothing. A database sees too few documents for this check. */
function expectBoth({ accepted, refused }: { readonly accepted: number; readonly refused: number }): void {
  if (inject('store') === 'memory') expect(Math.min(accepted, refused)).toBeGreaterThan(numRuns / 30)
}

test('accepted values satisfy every rule, and refused values are refused where they violate one', async () => {
  const document = groups(true).chain((declared) =>
    fc.tuple(fc.constant(declared), fc.oneof(valuesOf(declared), validMembers(declared))),
  )
  const seen = { accepted: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(document, async ([declared, sent]) => {
      const wrong = [...new Set(invalidPointers(declared, sent))].toSorted()
      const response = await post(serverOf(declared), sent)
      expect(refusedPointers(response)).toEqual(wrong)
      expect(response.status).toBe(wrong.length === 0 ? 201 : 422)
      seen[wrong.length === 0 ? 'accepted' : 'refused'] += 1
      if (wrong.length === 0) expect(known(declared, response.resource.attributes ?? {})).toEqual(known(declared, sent))
    }),
    { numRuns },
  )
  expectBoth(seen)
})

test('a PATCH is checked like a POST of the resulting resource', async () => {
  const documents = groups(false).chain((declared) =>
    fc.tuple(fc.constant(declared), validMembers(declared), valuesOf(declared)),
  )
  const seen = { accepted: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(documents, async ([declared, before, sent]) => {
      const api = serverOf(declared)
      const created = await post(api, before)
      fc.pre(created.status === 201)
      const after = merged(declared, sendable(declared, created.resource.attributes ?? {}), sent)
      const patched = await patch(api, sent)
      expect(problems(patched)).toEqual(problems(await post(serverOf(declared), after)))
      seen[patched.status === 200 ? 'accepted' : 'refused'] += 1
      const resulting = patched.status === 200 ? after : (created.resource.attributes ?? {})
      const { resource } = await api.get('/things/1')
      expect(known(declared, resource.attributes ?? {})).toEqual(known(declared, resulting))
    }),
    { numRuns },
  )
  expectBoth(seen)
})

/** Documents that are accepted as new, as far as some tries go. */
function validMembers(declared: Group): fc.Arbitrary<Members> {
  const isValid = (members: Members): boolean => invalidPointers(declared, members).length === 0
  return fc.array(valuesOf(declared), { minLength: 30, maxLength: 30 }).map((tries) => tries.find(isValid) ?? {})
}

/**
 * The result of a PATCH: composites member by member, everything else as it is sent. A null without a stored value changes nothing;
 * `stored` is `null` if nothing is stored.
 */
function merged({ fields }: Group, stored: Members | null, sent: Members): Members {
  const members = Object.entries(fields).map(([name, field]): readonly [string, unknown] => {
    const [before, value] = [stored?.[name], sent[name]]
    if (value === undefined) return [name, before]
    if (value === null && stored !== null && before === undefined && !field.isMap) return [name, undefined]
    const inside = isMembers(value) ? field.inside(value) : null
    if (!isMembers(value) || inside === null) return [name, value]
    // The columns of a map exist as soon as their owner does.
    const held = isMembers(before) ? before : field.isMap && stored !== null ? {} : null
    const isStored = !field.isUnion || held?.['type'] === value['type']
    const union = field.isUnion ? { type: value['type'] } : {}
    return [name, { ...union, ...merged(inside, isStored ? held : null, value) }]
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

/** The present part of some members: no null, and no map without a column that has a value. */
function known(declared: Group, members: Members): Members {
  return without(declared, members, () => false)
}

/** The same as a client may send it: null where it may be null, and nothing that must be there left out. */
function sendable(declared: Group, members: Members): Members {
  return without(declared, members, ({ nullable, required }, value) => (value === null ? nullable : required))
}

/** Members without nulls and empty maps, except those that must stay. */
function without({ fields }: Group, members: Members, stays: (field: Field, value: unknown) => boolean): Members {
  const some = Object.entries(fields).map(([name, field]): readonly [string, unknown] => {
    const value = members[name]
    if (value === null) return [name, stays(field, value) ? null : undefined]
    const inside = isMembers(value) ? field.inside(value) : null
    if (!isMembers(value) || inside === null) return [name, value]
    const own = { ...(field.isUnion ? { type: value['type'] } : {}), ...without(inside, value, stays) }
    const isNothing = field.isMap && Object.keys(own).length === 0 && !stays(field, own)
    return [name, isNothing ? undefined : own]
  })
  return Object.fromEntries(some.filter(([, value]) => value !== undefined))
}
