import { belongsTo, createServer, defineResource, id, model, type RequestContext } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { byName, isAdmin } from '../support/named-callers.js'

/** When the conditions of filters, sorts and includes are met, and how often they are evaluated. */

const staff = ({ caller }: RequestContext): boolean => isAdmin(caller)
const root = { headers: { Authorization: 'root' } }

const data = memoryData({
  labels: [
    { id: 1, name: 'XL' },
    { id: 2, name: 'ECM' },
  ],
  artists: [{ id: 1, labelId: 1 }],
})

/** A server whose artists may decide by a function who cannot include their label. */
function labelled(cannotBeIncluded: (context: RequestContext) => boolean): TestClient {
  const artists = defineResource('artists', {
    model: model<{ id: number; labelId: number | null }>('artists'),
    id: id(),
    relations: { label: belongsTo('labels').cannotBeIncluded(cannotBeIncluded) },
    policy: 'public',
  })
  const labels = defineResource('labels', { model: model<{ id: number }>('labels'), id: id(), policy: 'public' })
  return client(createServer({ resources: [artists, labels], data, middleware: [byName] }))
}

/** A server whose filter by name has a condition. */
function tagged(usableIf: unknown): TestClient {
  const few = defineResource('labels', {
    model: model<{ id: number; name: string }>('labels'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    filters: (f) => ({ name: f.where().usableIf(usableIf as () => boolean) }),
    policy: 'public',
  })
  return client(createServer({ resources: [few], data }))
}

describe('a condition', () => {
  test('that names an ability is met by callers who have it for every row', async () => {
    const labels = defineResource('labels', {
      model: model<{ id: number; name: string }>('labels'),
      id: id(),
      attributes: (a) => ({ name: a.string().sortableIf('update') }),
      policy: (p) => ({ viewAny: true, view: true, update: ({ caller }) => isAdmin(caller) || p.eq('id', 1) }),
    })
    const api = client(createServer({ resources: [labels], data, middleware: [byName] }))
    expectErrors(await api.get('/labels?sort=name', { headers: { Authorization: 'alice' } }), [
      { status: 400, code: 'SORTING_UNRECOGNIZED' },
    ])
    expect((await api.get('/labels?sort=name', root)).resources.map(({ id: key }) => key)).toEqual(['2', '1'])
  })

  test('of cannotBeIncluded() is evaluated for each request, and a function that throws forbids it', async () => {
    const notAllowed = [{ status: 400, code: 'INCLUSION_NOT_ALLOWED', parameter: 'include' }]
    const some = labelled((context) => !staff(context))
    for (let round = 0; round < 2; round += 1) {
      expectErrors(await some.get('/artists?include=label'), notAllowed)
      expect((await some.get('/artists?include=label', root)).status).toBe(200)
    }
    expectErrors(await labelled(() => JSON.parse('{')).get('/artists?include=label', root), notAllowed)
  })

  test.each([
    ['throws', () => JSON.parse('{')],
    ['returns a promise', () => Promise.resolve(true)],
    ['returns a promise that is rejected', () => Promise.reject(new Error('no'))],
    ['returns something that is not true', () => 'yes'],
  ])('that %s withholds the key', async (_name, usableIf) => {
    expectErrors(await tagged(usableIf).get('/labels?filter[name]=XL'), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED' },
    ])
  })

  test('is evaluated once for each request, and not by requests that name no key that has it, once they are planned', async () => {
    const contexts: RequestContext[] = []
    const counted = tagged((context: RequestContext) => contexts.push(context) > 0)
    await counted.get('/labels?filter[name]=XL&sort=-id')
    await counted.get('/labels?filter[name]=XL&sort=-id')
    expect(contexts.map(({ operation, type }) => `${operation} ${type}`)).toEqual(Array(2).fill('FetchResource labels'))
    const others = ['/labels?sort=-id', '/labels/1', '/labels?include=']
    // An error lists the keys that the caller may use, so that all conditions are evaluated while a request is planned.
    for (const path of others) await counted.get(path)
    contexts.length = 0
    for (const path of others) expect((await counted.get(path)).status).toBe(200)
    expect(contexts).toEqual([])
  })
})
