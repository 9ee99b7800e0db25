import type { HttpHandle } from '../../src/core/http/response.js'
import type { TestClient, TestRequestOptions, TestResponse } from 'ashlar/testing'
import type { TestClientOptions } from '../../src/tools/testing/test-client.js'
import type { TestIdentifier } from '../../src/tools/testing/test-response.js'
import { expect } from 'vitest'
import { client } from './client.js'
import { shown } from './shown.js'

type Mutate = (relationship: string, data: unknown, options?: TestRequestOptions) => Promise<TestResponse>

type Write = (path: string, linkages: Linkages, attributes?: object) => Promise<TestResponse>

/** Linkage by the names of relations. */
type Linkages = Readonly<Record<string, unknown>>

/** Requests the linkage after a change of members. */
const prefersRepresentation = { Prefer: 'return=representation' }

/** A client that speaks of linkage in short: `await api.add('/albums/1/tracks', [one('tracks', '3')])`. */
export interface LinkageWriter extends TestClient {
  /** PATCH of the linkage at `/{type}/{id}/{rel}`. Like the next two, it requests the resulting linkage. */
  readonly replace: Mutate
  /** POST */
  readonly add: Mutate
  /** DELETE */
  readonly remove: Mutate
  /** POST of a resource to `/{type}`, with this linkage in its relationships. */
  readonly create: Write
  /** PATCH of the resource at `/{type}/{id}` likewise. */
  readonly update: Write
  /** The members by the linkage, the related read and the included resources; all three must agree. */
  readonly members: (relation: string, options?: TestRequestOptions) => Promise<readonly string[]>
}

export function linkageWriter(server: { readonly handle: HttpHandle }, options: TestClientOptions = {}): LinkageWriter {
  const api = client(server, options)
  const mutation =
    (method: string): Mutate =>
    (relation, data, sent = {}) =>
      api.request(method, relationshipPath(relation), {
        ...sent,
        headers: { ...prefersRepresentation, ...sent.headers },
        body: { data },
      })
  return {
    ...api,
    replace: mutation('PATCH'),
    add: mutation('POST'),
    remove: mutation('DELETE'),
    create: (path, linkages, attributes) => api.post(path, resourceWith(path, linkages, attributes)),
    update: (path, linkages, attributes) => api.patch(path, resourceWith(path, linkages, attributes)),
    async members(relation, sent) {
      const { owner, name } = ends(relation)
      const linkage = (await api.get(relationshipPath(relation), sent)).document?.data
      const related = (await api.get(relation, sent)).document?.data
      const { document } = await api.get(`${owner}?include=${name}`, sent)
      // Included resources are next to their owner, which is never included.
      const others = shown(linkage ?? []).filter((member) => `/${member.replace(' ', '/')}` !== owner)
      expect(shown(related ?? [])).toEqual(shown(linkage ?? []))
      expect(shown(document?.included ?? [])).toEqual(others)
      return shown(linkage ?? [])
    },
  }
}

/** The body of a write to `/albums` or `/albums/1?include=…`. */
function resourceWith(path: string, linkages: Linkages, attributes: object = {}): { readonly body: object } {
  const [type, key] = path.replace(/\?.*$/, '').split('/').slice(1)
  const relationships = Object.fromEntries(Object.entries(linkages).map(([name, data]) => [name, { data }]))
  return { body: { data: { type, ...(key === undefined ? {} : { id: key }), attributes, relationships } } }
}

/** Reads the linkage of some relations, to compare it before and after a write. */
export function linkageState(relations: readonly string[]): (api: TestClient) => Promise<readonly string[]> {
  return (api) => Promise.all(relations.map(async (relation) => (await api.get(relationshipPath(relation))).text))
}

/** The fields of the join rows by the ids of the members. */
export async function pivots(api: TestClient, relation: string): Promise<Readonly<Record<string, unknown>>> {
  const { document } = await api.get(relationshipPath(relation))
  const members = (document?.data ?? []) as readonly TestIdentifier[]
  return Object.fromEntries(members.map(({ id, meta }) => [id, meta?.['pivot']]))
}

/** An identifier; `pivot` has the fields of the join row. */
export function one(type: string, id: string, pivot?: Readonly<Record<string, unknown>>): object {
  return { type, id, ...(pivot === undefined ? {} : { meta: { pivot } }) }
}

/** Identifiers of one type. */
export function some(type: string, ...ids: readonly string[]): readonly object[] {
  return ids.map((id) => one(type, id))
}

/** `/albums/1/tracks` to `/albums/1/relationships/tracks`. */
export function relationshipPath(relation: string): string {
  const { owner, name } = ends(relation)
  return `${owner}/relationships/${name}`
}

function ends(relation: string): { readonly owner: string; readonly name: string } {
  const slash = relation.lastIndexOf('/')
  return { owner: relation.slice(0, slash), name: relation.slice(slash + 1) }
}
