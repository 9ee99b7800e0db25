import type { DispatchInput } from '../../../src/server/journey/dispatch.js'
import type { ResourceNode } from '../../../src/serve/operation/response-value.js'
import type { TestClient, TestResponse } from 'ashlar/testing'
import { client } from '../../support/client.js'
import type { World } from './leak-changes.js'
import type { Request } from './leak-requests.js'
import type { CallerId } from './leak-rules.js'
import type { LeakStore } from './leak-store.js'
import { wireId } from './leak-rows.js'
import { comparable, type Fault, send } from './leak-walk.js'
import { type LeakServer, leakServer } from './leak-world.js'
import { singleRequest, batch, type Write } from './leak-writes.js'

/** How a request ends: with an error of a status, or with resources that are shown, and the rows afterwards. */
interface Outcome {
  readonly status: number
  readonly shown: readonly string[]
  readonly rows: string
}

/** Sends the same writes by themselves, in batches and in process. Returns the first with another outcome. */
export async function differentWrite(
  store: LeakStore,
  world: World,
  writes: readonly Write[],
  byHref: boolean,
): Promise<Fault | null> {
  const { rules, rows, caller } = world
  const server = leakServer(rules, store.source())
  const api = client(server, { validate: false })
  const start = comparable(rows, true)
  await store.fill(rows)
  const ending = async (request: () => Promise<number>): Promise<Outcome> => {
    const status = await request()
    const after = comparable(await store.snapshot(), true)
    if (after !== start) await store.fill(rows)
    return { status, shown: [], rows: after }
  }
  for (const write of writes) {
    const request = { ...singleRequest(write), path: singleRequest(write).path.split('?')[0] ?? '' }
    const first = await ending(async () => statusOf(await send(api, request, caller)))
    const batched = batch([write], byHref)
    const others = {
      ...(write.kind === 'upsert'
        ? {}
        : { 'in a batch': await ending(async () => statusOf(await send(api, batched, caller))) }),
      'in process': await ending(async () => (await dispatched(server, operationOf(request, caller))).status),
    }
    for (const [label, outcome] of Object.entries(others)) {
      const problem = JSON.stringify(first) === JSON.stringify(outcome) ? null : differenceOf(first, label, outcome)
      if (problem !== null) return { request, problem }
    }
  }
  return null
}

/** Sends the same reads over HTTP and in process. */
export async function differentRead(
  store: LeakStore,
  { rules, rows, caller }: World,
  requests: readonly Request[],
): Promise<Fault | null> {
  const server = leakServer(rules, store.source())
  const api: TestClient = client(server, { validate: false })
  await store.fill(rows)
  for (const request of requests.filter(isDispatchable)) {
    const response = await send(api, { ...request, method: 'GET' }, caller)
    const first = { status: statusOf(response), shown: shownIn(response), rows: '' }
    const other = { ...(await dispatched(server, operationOf({ ...request, method: 'GET' }, caller))), rows: '' }
    if (JSON.stringify(first) !== JSON.stringify(other)) {
      return { request, problem: differenceOf(first, 'in process', other) }
    }
  }
  return null
}

/** Actions, aggregates and exports are no operations that a program dispatches. */
const isDispatchable = ({ path, headers }: Request): boolean =>
  !/-actions|-aggregates/.test(path) && headers['Accept']?.startsWith('application/vnd.api+json') === true

const differenceOf = (first: Outcome, label: string, other: Outcome): string =>
  `${label} it ends with\n${JSON.stringify(other)}\n  and alone with\n${JSON.stringify(first)}`

/** Every success is 200: a batch has one status for all its operations. */
const statusOf = ({ status }: { readonly status: number }): number => (status < 300 ? 200 : status)

/** The resources of a document, by type and id. */
function shownIn({ document }: TestResponse): readonly string[] {
  if (document === null || document === undefined) return []
  const { data = null, included = [] } = document as unknown as {
    readonly data?: Identified | readonly Identified[] | null
    readonly included?: readonly Identified[]
  }
  return [...(data === null ? [] : [data].flat()), ...included].map(nameOf)
}

interface Identified {
  readonly type: string
  readonly id: string
}

const nameOf = ({ type, id }: Identified): string => `${type} ${id}`

const nodeName = ({ rows: { served, columns }, row }: ResourceNode): string => {
  const { type } = served.type
  return nameOf({ type, id: wireId(type, Number(row[columns.indexOf(type === 'editions' ? 'number' : 'id')])) })
}

async function dispatched(server: LeakServer, operation: DispatchInput): Promise<Omit<Outcome, 'rows'>> {
  try {
    const value = await server.dispatch(operation)
    if (value.kind === 'results' || value.kind === 'error') return { status: 500, shown: [value.kind] }
    const status = statusOf(value)
    if (value.kind === 'identifier') return { status, shown: [value.data ?? []].flat().map(nameOf) }
    if (value.kind !== 'data' && value.kind !== 'related') return { status, shown: [] }
    const { primary, included } = value.resources
    return { status, shown: [...primary, ...(included ?? [])].map(nodeName) }
  } catch (thrown) {
    return { status: (thrown as { readonly status?: number }).status ?? 500, shown: [] }
  }
}

/** The operation of a request, as a program dispatches it. */
function operationOf({ method, path, headers, body: document }: Request, caller: CallerId): DispatchInput {
  const [place = '', query = ''] = path.split('?')
  const [, type = '', id, part, name] = place.split('/')
  const profiles = /profile="([^"]*)"/.exec(headers['Accept'] ?? '')?.[1]?.split(' ') ?? []
  const common = { type, query, profiles, as: caller === null ? null : { id: caller } } as const
  const relationship = name ?? part
  if (id === undefined) {
    if (method === 'POST') return { kind: 'CreateResource', ...common, document }
    return { kind: 'FetchResource', ...common, id: null }
  }
  if (relationship === undefined) {
    if (method === 'GET') return { kind: 'FetchResource', ...common, id }
    if (method === 'PATCH') return { kind: 'UpdateResource', ...common, id, document }
    if (method === 'PUT') return { kind: 'UpsertResource', ...common, id, document }
    return { kind: 'DeleteResource', ...common, id }
  }
  const target = { ...common, id, relationship }
  if (method === 'GET') return { kind: name === undefined ? 'FetchRelated' : 'FetchRelationship', ...target }
  const kinds = { POST: 'AddToRelationship', PATCH: 'UpdateRelationship', DELETE: 'RemoveFromRelationship' } as const
  return { kind: kinds[method as keyof typeof kinds], ...target, document }
}
