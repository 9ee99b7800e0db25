import type { TestClient, TestError, TestResource, TestResponse } from 'ashlar/testing'
import type { TestIdentifier } from '../../src/tools/testing/test-response.js'
import { expect } from 'vitest'
import { leak } from '../hostile/hostile-server.js'
import { asMembers, attributesAfter, pivotAfter, valuesAt } from './writes-oracle.js'
import { relationsOf, type Request } from './writes-requests.js'

/** Errors of the request as a whole. */
const withoutSource: readonly string[] = [
  'REQUEST_BODY_INVALID_JSON',
  'REQUIRED_TOP_LEVEL_MEMBERS_MISSING',
  'TOP_LEVEL_MEMBERS_INCOMPATIBLE',
  'TOP_LEVEL_MEMBER_NOT_ALLOWED',
  'RESOURCE_NOT_FOUND',
  'PATH_NOT_FOUND',
  'RELATIONSHIP_READ_ONLY',
]

/** The status of the hooks of the shelves: there is no error code. */
const statusOnly: readonly string[] = ['409']

/** Every error has its code and its pointer in the sent document. */
export function expectValidErrors({ status, text, errors }: TestResponse, { raw }: Request): void {
  expect(text).not.toMatch(leak)
  const sent = parsed(raw)
  if (status < 400) expect(errors).toEqual([])
  for (const error of errors) {
    const { code, title, detail, source } = error
    expect(title).toMatch(/./)
    expect(Number(error.status)).toBe(status)
    if (code === undefined) {
      expect(statusOnly).toContain(error.status)
      continue
    }
    expect(code).toMatch(/^[A-Z_]+$/)
    expect(detail).toMatch(/\.$/)
    if (source === undefined) expect(withoutSource).toContain(code)
    else expect(placesOf(error, sent), `${code} at ${source.pointer}: ${detail}`).not.toEqual([])
  }
}

/** The value at the pointer of an error; a missing value has a pointer too. */
function placesOf({ code, detail, source }: TestError, sent: unknown): readonly unknown[] {
  const { pointer } = source ?? {}
  if (pointer === undefined) return []
  if (code === 'CLIENT_GENERATED_ID_REQUIRED' && pointer === '/data/id') return ['no id']
  const found = sent === unreadable && pointer === '' ? ['a text'] : valuesAt(sent, pointer)
  const isMissing = detail === 'This is required.' || pointer.endsWith('/medium/format')
  if (found.length > 0 || !isMissing) return found
  // For a missing value at least the resource, or the identifier, exists.
  const owner =
    /^(?:\/data(?:\/relationships\/\w+\/data)?(?:\/\d+)?)(?=\/(?:attributes|relationships|meta\/pivot)\/)/.exec(pointer)
  return owner === null ? [] : valuesAt(sent, owner[0])
}

const unreadable = Symbol('unreadable')

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return unreadable
  }
}

type Linkage = Readonly<Record<string, readonly TestIdentifier[]>>

/** A resource as it is shown. */
export interface Shown {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly linkage: Linkage
}

/** The resource that a client reads, `null` for none. */
export async function shown(api: TestClient, type: string, id: string): Promise<Shown | null> {
  const response = await api.get(`/${type}/${encodeURIComponent(id)}`)
  return response.status === 200 ? shownOf(response.resource) : null
}

function shownOf({ attributes = {}, relationships = {} }: TestResource): Shown {
  const linkage = Object.entries(relationships).map(([name, { data }]): [string, readonly TestIdentifier[]] => {
    return [name, data === null || data === undefined ? [] : [data].flat()]
  })
  return { attributes, linkage: Object.fromEntries(linkage) }
}

/** Accepted values are read back unchanged, and the rest of the resource did not change. */
export async function expectReadBack(
  api: TestClient,
  request: Request,
  { response, before }: { readonly response: TestResponse; readonly before: Shown | null },
): Promise<void> {
  const { method, type, relation } = request
  const document = asMembers(parsed(request.raw))
  const id = request.id ?? (response.status === 201 ? response.resource.id : '')
  const after = await shown(api, type, id)
  if (relation !== null) {
    const sent = identifiersIn(document['data'])
    expectLinkage(relation, { method, sent, before: before?.linkage ?? {} }, after?.linkage ?? {})
    return expectAttributes(type, {}, before, after)
  }
  if (method === 'DELETE') return expect(after).toBeNull()
  const data = asMembers(document['data'])
  if (method === 'POST' && Object.hasOwn(data, 'id')) expect(id).toBe(data['id'])
  expect(response.status === 204 ? after : shownOf(response.resource)).toEqual(after)
  expectAttributes(type, asMembers(data['attributes']), before, after)
  const relationships = asMembers(data['relationships'])
  for (const [name, { isReadOnly }] of Object.entries(relationsOf[type] ?? {})) {
    const relationship = Object.hasOwn(relationships, name) ? asMembers(relationships[name]) : {}
    if (isReadOnly === true || !Object.hasOwn(relationship, 'data')) continue
    const sent = identifiersIn(relationship['data'])
    expectLinkage(name, { method: 'PATCH', sent, before: before?.linkage ?? {} }, after?.linkage ?? {})
  }
}

/** As text: matchers do not distinguish an own member `__proto__` from the prototype, nor JSON 0 from -0. */
function expectAttributes(type: string, sent: object, before: Shown | null, after: Shown | null): void {
  const { revision = 0, ...was } = before?.attributes ?? {}
  const { revision: counted = 0, artistName = null, ...is } = after?.attributes ?? {}
  expect(JSON.stringify(is)).toBe(
    JSON.stringify(attributesAfter(type, sent as Shown['attributes'], before === null ? null : was)),
  )
  const named = Object.hasOwn(sent, 'artistName') ? (sent as Shown['attributes'])['artistName'] : null
  if (type === 'albums' && named !== null) expect(artistName).toBe(named)
  expect(Number(counted) - Number(revision)).toBeLessThanOrEqual(1)
}

interface SentLinkage {
  readonly method: Request['method']
  readonly sent: readonly TestIdentifier[]
  readonly before: Linkage
}

function expectLinkage(name: string, { method, sent, before }: SentLinkage, after: Linkage): void {
  const was = before[name] ?? []
  // Of several identifiers of one resource the last counts.
  const last = new Map(sent.map((identifier) => [nameOf(identifier), identifier]))
  const remaining = was.filter((identifier) => !last.has(nameOf(identifier)))
  const members = method === 'DELETE' ? remaining : [...(method === 'POST' ? remaining : []), ...last.values()]
  const is = after[name] ?? []
  expect(is.map(nameOf).toSorted()).toEqual(members.map(nameOf).toSorted())
  for (const identifier of is) {
    const stored = was.find((each) => nameOf(each) === nameOf(identifier))
    const given = method === 'DELETE' ? undefined : last.get(nameOf(identifier))
    const { addedBy = null, ...pivot } = pivotOf(identifier)
    if (Object.keys(pivot).length === 0) continue
    const expected = pivotAfter(given === undefined ? {} : pivotOf(given), stored === undefined ? {} : pivotOf(stored))
    expect(JSON.stringify(pivot)).toBe(JSON.stringify(expected))
    expect(addedBy).toBe(stored === undefined ? null : (pivotOf(stored)['addedBy'] ?? null))
  }
}

function pivotOf({ meta }: TestIdentifier): Readonly<Record<string, unknown>> {
  return asMembers(asMembers(meta)['pivot'])
}

function nameOf({ type, id }: TestIdentifier): string {
  return `${type} ${id}`
}

function identifiersIn(data: unknown): readonly TestIdentifier[] {
  return data === null || data === undefined ? [] : ([data].flat() as readonly unknown[] as readonly TestIdentifier[])
}

/** The properties of Object.prototype and Array.prototype: no more than at the beginning. */
const inherited = [Object.prototype, Array.prototype, Function.prototype, String.prototype]
const inheritedNames = (): string => inherited.flatMap((prototype) => Reflect.ownKeys(prototype).map(String)).join(' ')
const inheritedAtFirst = inheritedNames()

export function expectNoPollution(): void {
  expect(inheritedNames()).toBe(inheritedAtFirst)
  expect(({} as Readonly<Record<string, unknown>>)['polluted']).toBeUndefined()
}
