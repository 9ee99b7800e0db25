import type { HttpHandle } from 'ashlar'
import type { TestClient, TestClientOptions, TestRequestOptions, TestResponse } from 'ashlar/testing'
import { expect } from 'vitest'
import { client } from './client.js'
import { shown } from './shown.js'

type Mutate = (relationship: string, data: unknown, options?: TestRequestOptions) => Promise<TestResponse>

/** A client that speaks of linkage in short: `await api.add('/albums/1/tracks', [one('tracks', '3')])`. */
export interface LinkageWriter extends TestClient {
  /** PATCH of the linkage at `/{type}/{id}/{rel}`. */
  readonly replace: Mutate
  /** POST */
  readonly add: Mutate
  /** DELETE */
  readonly remove: Mutate
  /** The members as the linkage, the related read and the included resources tell them; all three must agree. */
  readonly members: (relation: string, options?: TestRequestOptions) => Promise<readonly string[]>
}

export function linkageWriter(server: { readonly handle: HttpHandle }, options: TestClientOptions = {}): LinkageWriter {
  const api = client(server, options)
  const mutation =
    (method: string): Mutate =>
    (relation, data, sent = {}) =>
      api.request(method, relationshipPath(relation), { ...sent, body: { data } })
  return {
    ...api,
    replace: mutation('PATCH'),
    add: mutation('POST'),
    remove: mutation('DELETE'),
    async members(relation, sent) {
      const { owner, name } = ends(relation)
      const linkage = (await api.get(relationshipPath(relation), sent)).document?.data
      const related = (await api.get(relation, sent)).document?.data
      const { document } = await api.get(`${owner}?include=${name}`, sent)
      // What is included stands beside its owner, which is never among it.
      const others = shown(linkage ?? []).filter((member) => `/${member.replace(' ', '/')}` !== owner)
      expect(shown(related ?? [])).toEqual(shown(linkage ?? []))
      expect(shown(document?.included ?? [])).toEqual(others)
      return shown(linkage ?? [])
    },
  }
}

/** Reads the linkage at some relations, to hold what it is after a write against what it was before. */
export function linkageState(relations: readonly string[]): (api: TestClient) => Promise<readonly string[]> {
  return (api) => Promise.all(relations.map(async (relation) => (await api.get(relationshipPath(relation))).text))
}

/** An identifier; `pivot` is what it says of the join row. */
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
