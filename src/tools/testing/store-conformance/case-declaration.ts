import { MEDIA_TYPE } from '../../../core/document/media-type.js'
import { countableProfile } from '../../../declare/profiles/profile.js'
import type { TestRequestOptions } from '../test-client.js'
import type { TestResource, TestResponse } from '../test-response.js'
import type { Catalogue } from './catalogue.js'
import { expectSame } from './expect-same.js'
import type { StoreCapabilities } from './store-capabilities.js'

/** One requirement of stores, as a sentence, and the function that tests it. */
export interface CaseDeclaration {
  readonly name: string
  /** The case applies to stores that have all these capabilities. */
  readonly needs: readonly (keyof StoreCapabilities)[]
  run(catalogue: Catalogue): Promise<void>
}

/** The headers of requests that count. */
export const counting: Readonly<Record<string, string>> = Object.freeze({
  Accept: `${MEDIA_TYPE}; profile="${countableProfile.uri}"`,
})

/** Declares cases that need the same capabilities. */
export function casesNeeding(
  needs: CaseDeclaration['needs'],
  cases: Readonly<Record<string, CaseDeclaration['run']>>,
): readonly CaseDeclaration[] {
  return Object.entries(cases).map(([name, run]) => ({ name, needs, run }))
}

/** Declares a case of one read: the collection must have these ids, in this order. */
export function listCase(
  path: string,
  ids: readonly string[],
  options: TestRequestOptions = {},
): CaseDeclaration['run'] {
  return ({ api }) => expectIds({ api }, path, ids, options)
}

export async function expectIds(
  { api }: Pick<Catalogue, 'api'>,
  path: string,
  ids: readonly string[],
  options: TestRequestOptions = {},
): Promise<void> {
  const response = await api.get(encodeURI(path), options)
  expectSame(`The ids of GET ${path}`, successOrErrors(response, idsOf), ids)
  const total = pageOf(response)['total']
  // The total of a page counts more rows than the page has.
  if (total !== undefined && !path.includes('page[')) expectSame(`The total of GET ${path}`, total, ids.length)
}

/**
 * Reads a value from a successful response. Returns the status and errors of another one, so that a failed case shows
 * them.
 */
export function successOrErrors<Value>(
  response: TestResponse,
  read: (response: TestResponse) => Value,
): Value | object {
  return response.status < 400 ? read(response) : { status: response.status, errors: response.errors }
}

export function idsOf({ resources }: TestResponse): readonly string[] {
  return resources.map(({ id }) => id)
}

/** Returns type and id of each resource, for lists of several types. */
export function typesAndIds(resources: readonly { readonly type: string; readonly id: string }[]): readonly string[] {
  return resources.map(({ type, id }) => `${type} ${id}`)
}

export function pageOf({ document }: TestResponse): Readonly<Record<string, unknown>> {
  return (document?.meta?.['page'] ?? {}) as Readonly<Record<string, unknown>>
}

/** Returns the linkage of a relationship, as types and ids, by the id of the resource; `null` without linkage. */
export function linkageOf(resources: readonly TestResource[], name: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    resources.map(({ id, relationships }) => {
      const data = relationships?.[name]?.data
      if (data === undefined || data === null) return [id, data ?? null]
      return [id, 'type' in data ? `${data.type} ${data.id}` : typesAndIds(data)]
    }),
  )
}

/** Returns a response that must be successful. */
export function expectSuccess(what: string, response: TestResponse): TestResponse {
  if (response.status >= 400) {
    throw new Error(`${what} failed with ${response.status}: ${JSON.stringify(response.errors)}`)
  }
  return response
}

/** Returns the path and query of a link. */
export function pathOf(link: unknown): string | null {
  if (typeof link !== 'string') return null
  const { pathname, search } = new URL(link)
  return pathname + search
}
