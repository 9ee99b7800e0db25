import type { Server } from 'ashlar'
import type { TestResource, TestResponse } from 'ashlar/testing'
import { client } from '../../../support/client.js'

interface Identifier {
  readonly type: string
  readonly id?: string
  readonly lid?: string
}

const mediaType = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

/** Requests to a server, in short. */
export interface Requests {
  get(path: string): Promise<TestResponse>
  create(type: string, members: object): Promise<TestResponse>
  update(type: string, id: string, members: object): Promise<TestResponse>
  /** Replaces a relationship, or adds or removes members of it. */
  relate(method: 'PATCH' | 'POST' | 'DELETE', path: string, data: unknown): Promise<TestResponse>
  remove(path: string): Promise<TestResponse>
  batch(...operations: readonly object[]): Promise<TestResponse>
  /** The ids of a collection, in its order. */
  ids(path: string): Promise<readonly string[]>
  /** The ids on all pages, by following the links. */
  idsOfPages(path: string): Promise<readonly string[]>
}

export function requestsTo(server: Server): Requests {
  const api = client(server)
  const ids = async (path: string) => (await api.get(path)).resources.map(({ id }) => id)
  return {
    get: (path) => api.get(path),
    create: (type, members) => api.post(`/${type}`, { body: { data: { type, ...members } } }),
    update: (type, id, members) =>
      api.patch(`/${type}/${encodeURIComponent(id)}`, { body: { data: { type, id, ...members } } }),
    relate: (method, path, data) => api.request(method, path, { body: { data } }),
    remove: (path) => api.delete(path),
    batch: (...operations) =>
      api.post('/operations', {
        body: { 'atomic:operations': operations },
        headers: { 'content-type': mediaType, accept: mediaType },
      }),
    ids,
    async idsOfPages(path) {
      const seen: string[] = []
      let next: unknown = path
      while (typeof next === 'string') {
        const page = await api.get(next.replace('http://localhost', ''))
        seen.push(...page.resources.map(({ id }) => id))
        next = page.document?.links?.['next']
      }
      return seen
    },
  }
}

/** The ids of the included resources of a type. */
export function includedIds({ document }: TestResponse, type: string): readonly string[] {
  return (document?.included ?? []).filter((each) => each.type === type).map(({ id }) => id)
}

/** The ids that a relationship of a resource links to. */
export function linkedIds({ relationships }: TestResource, name: string): readonly string[] {
  return [relationships?.[name]?.data ?? []].flat().map(({ id }) => id)
}

export const identifier = (type: string, id: string): Identifier => ({ type, id })
export const toOne = (type: string, id: string) => ({ data: identifier(type, id) })
export const toMany = (type: string, ...ids: readonly string[]) => ({ data: ids.map((id) => identifier(type, id)) })
export const toNew = (type: string, lid: string) => ({ data: { type, lid } })
