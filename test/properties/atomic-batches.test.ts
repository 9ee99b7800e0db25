import type { TestClient, TestResponse } from 'ashlar/testing'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { runs } from '../support/runs.js'
import { withFault } from './atomic-faults.js'
import { operationsOf, type Planned, type ResourceData } from './atomic-operations.js'
import { oneByOne, errorsAt } from './atomic-oracle.js'
import { type Batch, batch, faultKinds } from './atomic-steps.js'
import { batchStore } from './atomic-store.js'
import { catalogueServer, seeded } from './atomic-world.js'

/** A batch has the same effect as its operations one by one, or none, and the same results. */

/** How many batches are tried. */
const batches = runs(240)

const [together, separate] = [batchStore(), batchStore()]
const [ofBatches, ofSingles] = [together, separate].map(({ data }) => client(catalogueServer(data))) as [TestClient, TestClient] // biome-ignore format: a pair

const type = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

function sendBatch(operations: readonly Planned[]): Promise<TestResponse> {
  const body = { 'atomic:operations': operations.map(({ sent }) => sent) }
  return ofBatches.post('/operations', { headers: { 'Content-Type': type, Accept: type }, body })
}

/** Everything that can be read: resources by their ids, with their linkage. */
async function stateOf(api: TestClient): Promise<readonly unknown[]> {
  const responses = await Promise.all(Object.keys(seeded).map((name) => api.get(`/${name}`)))
  return responses.flatMap(({ resources }) => resources)
}

interface Named {
  readonly type: string
  readonly id: string
}

/** The same in the same order, with any generated ids: they are replaced by the position of their operation. */
function plain(value: unknown, made: ReadonlyMap<string, string>): unknown {
  let text = JSON.stringify(value)
  for (const [id, name] of made) text = text.replaceAll(id, name)
  return JSON.parse(text, (_name, each: unknown) => (isNames(each) ? each.toSorted(byName) : each)) as unknown
}

function isNames(value: unknown): value is readonly Named[] {
  return (
    Array.isArray(value) && value.every((each: unknown) => typeof each === 'object' && each !== null && 'id' in each)
  )
}

function byName(one: Named, other: Named): number {
  return `${one.type} ${one.id}` < `${other.type} ${other.id}` ? -1 : 1
}

/** The ids that the service has made, by which operation's they are. */
function madeIds(operations: readonly Planned[], results: readonly unknown[]): ReadonlyMap<string, string> {
  const made = operations.flatMap(({ sent, type: of, relationship }, index) => {
    const isMade =
      sent.op === 'add' && relationship === null && of === 'tracks' && !Object.hasOwn(sent.data ?? {}, 'id')
    return isMade ? [[(results[index] as { data: Named }).data.id, `made by ${index}`] as const] : []
  })
  return new Map(made)
}

/** The response to one request, in the form of a result. */
function resultOf({ status, document }: TestResponse): object {
  if (status === 204) return {}
  const { data, meta } = document as { readonly data?: unknown; readonly meta?: unknown }
  return { ...(data === undefined ? {} : { data }), ...(meta === undefined ? {} : { meta }) }
}

/** An error may name resources that were created meanwhile. */
function withoutMadeIds(errors: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(errors).replaceAll(/(?!0{8})[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'made'))
}

/** A malformed operation is reported before anything is run, even if an operation by itself would have failed for another reason. */
function isReportedBefore({ status, errors }: TestResponse, fault: Batch['fault']): boolean {
  const [{ code, source } = {}] = errors
  const isMalformed = status === 400 && code === 'RELATIONSHIP_TYPE_INAPPROPRIATE'
  return fault?.kind === 'shape' && isMalformed && /^\/atomic:operations\/\d+\/data/.test(source?.pointer ?? '')
}

interface Outcome {
  readonly operations: readonly Planned[]
  readonly failed: TestResponse | null
  /** The sizes of the groups that were written together. */
  readonly groups: readonly number[]
}

async function expectAgreement({ steps, fault }: Batch): Promise<Outcome> {
  const validOperations = operationsOf(steps)
  const operations = fault === null ? validOperations : withFault(validOperations, fault)
  fc.pre(operations.length > 0)
  await Promise.all([together.reset(), separate.reset()])
  const { responses: singleResponses, failed } = await oneByOne(ofSingles, operations)
  const before = failed === null ? null : await stateOf(ofBatches)
  const response = await sendBatch(operations)
  const groups = [...together.together()]
  const last = singleResponses.at(-1)
  if (failed !== null && last !== undefined) {
    const errors = errorsAt(last, failed, operations[failed] as Planned)
    if (!isReportedBefore(response, fault)) {
      expect([response.status, withoutMadeIds(response.errors)]).toEqual([last.status, withoutMadeIds(errors)])
    }
    expect(await stateOf(ofBatches)).toEqual(before)
    return { operations, failed: last, groups }
  }
  const expected = singleResponses.map(resultOf)
  const isBare = singleResponses.every(({ status }) => status === 204)
  expect(response.status, response.text).toBe(isBare ? 204 : 200)
  const results = isBare ? expected : (response.document as { 'atomic:results': readonly unknown[] })['atomic:results']
  const [ours, theirs] = [madeIds(operations, results), madeIds(operations, expected)]
  expect(plain(results, ours)).toEqual(plain(expected, theirs))
  expect(plain(await stateOf(ofBatches), ours)).toEqual(plain(await stateOf(ofSingles), theirs))
  return { operations, failed: null, groups }
}

test('a batch does what its operations do one by one, or nothing, and has the same results', async () => {
  const outcomes: Outcome[] = []
  const property = fc.asyncProperty(batch, async (each) => void outcomes.push(await expectAgreement(each)))
  await fc.assert(property, { numRuns: batches })
  const committed = outcomes.filter(({ failed }) => failed === null)
  expect(committed.length).toBeGreaterThan(batches / 6)
  expect(outcomes.length - committed.length).toBeGreaterThan(batches / 6)
  expect(committed.flatMap(({ groups }) => groups).length, 'rows were written together').toBeGreaterThan(0)
})

/** The status of a batch with such a fault. */
const statuses = { value: 422, taken: 422, repeated: 409, forbidden: 403, gone: 404, stranger: 404, type: 409, place: 409, name: 409, shape: 400 } // biome-ignore format: a list

test('the generated batches fail in every way', async () => {
  const sample = fc.sample(batch, { numRuns: faultKinds.length, seed: 3 })
  const failed: Record<string, number | undefined> = {}
  for (const [index, { steps }] of sample.entries()) {
    const kind = faultKinds[index] ?? 'value'
    const fault = { kind, at: 1 + index * 7, isLocal: index % 2 === 1 }
    failed[kind] = (await expectAgreement({ steps, fault })).failed?.status
  }
  expect(failed).toEqual(statuses)
})

function hasLid(place: object | null): boolean {
  return JSON.stringify(place).includes('"lid"')
}

/** Labels for the kind of an operation, and for the positions of its local ids. */
function wordsOf({ sent, relationship }: Planned): readonly string[] {
  const { op, ref, href, data = null } = sent
  const what = `${op} ${relationship === null ? 'resource' : 'relationship'}`
  const linked = data !== null && 'relationships' in data ? Object.values((data as ResourceData).relationships) : []
  return [
    `${what} by ${ref === undefined ? (href === undefined ? 'data' : 'href') : 'ref'}`,
    ...(hasLid(ref ?? null) ? [`lid in ref of ${what}`] : []),
    ...(data !== null && 'lid' in data ? [`lid in data of ${what}`] : []),
    ...(hasLid(linked) ? [`lid in relationships of ${what}`] : []),
    ...(relationship !== null && hasLid(data) ? [`lid in linkage of ${what}`] : []),
  ]
}

test('the generated batches contain every operation', () => {
  const sample = fc.sample(batch, { numRuns: 100, seed: 5 }).map(({ steps }) => operationsOf(steps))
  const words = new Set(sample.flat().flatMap(wordsOf))
  expect([...words].toSorted()).toEqual(
    [
      'add resource by data',
      'add resource by href',
      'lid in data of add resource',
      'update resource by data',
      'update resource by href',
      'update resource by ref',
      'lid in data of update resource',
      'lid in ref of update resource',
      'remove resource by href',
      'remove resource by ref',
      'lid in ref of remove resource',
      ...['add', 'update'].map((op) => `lid in relationships of ${op} resource`),
      ...['add', 'update', 'remove'].flatMap((op) => [
        ...['href', 'ref'].map((by) => `${op} relationship by ${by}`),
        ...['ref', 'linkage'].map((place) => `lid in ${place} of ${op} relationship`),
      ]),
      'lid in data of update relationship',
    ].toSorted(),
  )
  expect(Math.max(...sample.map(({ length }) => length))).toBeGreaterThan(20)
})
