import type { TestRequestOptions } from '../test-client.js'
import type { TestResource, TestResponse } from '../test-response.js'
import type { Catalogue } from './catalogue.js'
import { expectSame } from './expect-same.js'
import type { StoreCapabilities } from './store-capabilities.js'

/** One promise of stores, as a sentence, and what finds out whether it is kept. */
export interface CaseDeclaration {
  readonly name: string
  /** The case is one of stores that have all of these. */
  readonly needs: readonly (keyof StoreCapabilities)[]
  run(catalogue: Catalogue): Promise<void>
}

/** Cases that need the same of a store. */
export function casesWith(
  needs: CaseDeclaration['needs'],
  cases: Readonly<Record<string, CaseDeclaration['run']>>,
): readonly CaseDeclaration[] {
  return Object.entries(cases).map(([name, run]) => ({ name, needs, run }))
}

/** A case of one read: the ids, in their order, that a collection shows. */
export function lists(path: string, ids: readonly string[], options: TestRequestOptions = {}): CaseDeclaration['run'] {
  return ({ api }) => expectListed({ api }, path, ids, options)
}

export async function expectListed(
  { api }: Pick<Catalogue, 'api'>,
  path: string,
  ids: readonly string[],
  options: TestRequestOptions = {},
): Promise<void> {
  const response = await api.get(encodeURI(path), options)
  expectSame(`The ids of GET ${path}`, shown(response, idsOf), ids)
  const total = pageOf(response)['total']
  // Of a part of the rows the total says more than the rows do.
  if (total !== undefined && !path.includes('page[')) expectSame(`The total of GET ${path}`, total, ids.length)
}

/** What a successful answer shows; for another one, what it says, so that it is seen where something was expected. */
export function shown<Shown>(response: TestResponse, read: (response: TestResponse) => Shown): Shown | object {
  return response.status < 400 ? read(response) : { status: response.status, errors: response.errors }
}

export function idsOf({ resources }: TestResponse): readonly string[] {
  return resources.map(({ id }) => id)
}

/** For lists of several types. */
export function namesOf(resources: readonly { readonly type: string; readonly id: string }[]): readonly string[] {
  return resources.map(({ type, id }) => `${type} ${id}`)
}

export function pageOf({ document }: TestResponse): Readonly<Record<string, unknown>> {
  return (document?.meta?.['page'] ?? {}) as Readonly<Record<string, unknown>>
}

/** The linkage of one relationship of each resource, as names; `null` where there is none. */
export function linkageOf(resources: readonly TestResource[], name: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    resources.map(({ id, relationships }) => {
      const data = relationships?.[name]?.data
      if (data === undefined || data === null) return [id, data ?? null]
      return [id, 'type' in data ? `${data.type} ${data.id}` : namesOf(data)]
    }),
  )
}

/** The answer to a write, which must be a success. */
export function expectDone(what: string, response: TestResponse): TestResponse {
  if (response.status >= 400) {
    throw new Error(`${what} was answered with ${response.status}: ${JSON.stringify(response.errors)}`)
  }
  return response
}

/** The address of a link, without the host. */
export function pathOf(link: unknown): string | null {
  if (typeof link !== 'string') return null
  const { pathname, search } = new URL(link)
  return pathname + search
}
