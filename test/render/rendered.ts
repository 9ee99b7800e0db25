import type { HttpResponse } from '../../src/core/http/response.js'
import { documentProblems, type TestResource, type TestResponse } from 'ashlar/testing'
import { expect } from 'vitest'
import { noQuery, type QueryParameters } from '../../src/serve/operation/query-parameters.js'
import {
  dataResponse,
  type LoadedRelationship,
  type ResourceNode,
  type Resources,
  type ResponseValue,
  type ResultsValue,
} from '../../src/serve/operation/response-value.js'
import { documentFrame } from '../../src/serve/render/document-frame.js'
import { pageQueries } from '../../src/declare/pagination/page-url.js'
import { documentBuffer } from '../../src/serve/render/document-text.js'
import { renderResponse, type RenderOptions } from '../../src/serve/render/render-response.js'
import { scopeReaders } from '../../src/declare/resource/capabilities/own-functions.js'
import type { ServedRelation, ServedType } from '../../src/declare/resource/capabilities/served-type.js'
import { compileType } from '../../src/server/assembly/compile/compile-type.js'
import { TypeListeners } from '../../src/declare/resource/events/type-listeners.js'
import { isRawDeclaration } from '../../src/declare/resource/define/raw-declaration.js'
import type { RelationStorage } from '../../src/declare/resource/compiled/relation-link.js'
import type { RequestContext } from '../../src/declare/resource/request/request-context.js'
import type { Row } from '../../src/core/rows/row-set.js'
import { testResponse } from '../../src/tools/testing/test-response.js'

export const context: RequestContext = {
  server: 'default',
  type: 'albums',
  operation: 'FetchResource',
  caller: null,
  request: null,
}

/** A type as a server would serve it, with nothing behind it. Relations are added where both ends are known. */
export function servedType(declaration: unknown, given: Partial<ServedType> = {}): ServedType {
  if (!isRawDeclaration(declaration)) throw new TypeError('This is no declaration.')
  return {
    type: { ...compileType(declaration), scope: null },
    serializer: null,
    hydrator: null,
    provider: null,
    persister: null,
    scopeReaders: scopeReaders(null),
    shortcuts: {},
    transactions: null,
    readsInTransaction: false,
    isReadByStore: false,
    handle: null,
    relations: new Map(),
    listeners: new TypeListeners(null),
    siblings: [],
    guardedKeys: [],
    paginator: null,
    source: null,
    ...given,
  }
}

export type ServedRelationLiteral = Partial<ServedRelation> & { readonly to: readonly ServedType[] }

/** The same type with its declared relations served: `ownKey` in `{name}Id`, unless declared otherwise. */
export function withRelations(
  owner: ServedType,
  relations: Readonly<Record<string, ServedRelationLiteral>>,
): ServedType {
  const served = Object.entries(relations).map(([name, { to, ...given }]): [string, ServedRelation] => {
    const relation = owner.type.relationNamed.get(name)
    if (relation === undefined) throw new TypeError(`'${name}' is not declared.`)
    const { spec, uriName } = relation
    const storage: RelationStorage = { kind: 'ownKey', key: { id: `${name}Id`, type: null } }
    return [
      name,
      {
        name,
        spec,
        uriName,
        owner: owner.type,
        targets: to.map(({ type }) => type),
        storage,
        related: new Map(to.map((target) => [target.type.type, target])),
        readBy: 'targets',
        writeBy: 'none',
        complete: true,
        hasRelatedEndpoint: true,
        hasRelationshipEndpoint: true,
        linkage: 'whenLoaded',
        paginator: null,
        ...given,
      },
    ]
  })
  return { ...owner, relations: new Map(served) }
}

/** Rows of a type, each as a resource of a document. */
export function nodes(served: ServedType, columns: readonly string[], rows: readonly Row[]): readonly ResourceNode[] {
  const set = { served, columns }
  return rows.map((row) => ({ rows: set, row, relationships: null, meta: null }))
}

export function node(
  served: ServedType,
  object: Readonly<Record<string, unknown>>,
  relationships: Readonly<Record<string, Partial<LoadedRelationship>>> | null = null,
): ResourceNode {
  const loaded = Object.entries(relationships ?? {}).map(
    ([name, given]) => [name, { data: undefined, total: null, page: null, ...given }] as const,
  )
  return {
    rows: { served, columns: Object.keys(object) },
    row: Object.values(object),
    relationships: relationships === null ? null : new Map(loaded),
    meta: null,
  }
}

/** One resource, or a list of them. */
export function resources(
  primary: ResourceNode | readonly ResourceNode[],
  rest: Partial<Omit<Resources, 'query'>> & { readonly query?: Partial<QueryParameters> } = {},
): Resources {
  const many = !('row' in primary)
  return {
    primary: many ? primary : [primary],
    many,
    included: null,
    context,
    ...rest,
    query: { ...noQuery, ...rest.query },
  }
}

const rendering: RenderOptions = {
  base: 'http://localhost',
  self: 'http://localhost/albums',
  address: 'http://localhost/albums',
  query: '',
  maxQuery: 16_000,
  describedby: null,
  buffer: documentBuffer(),
  pageQuery: pageQueries(),
  frame: documentFrame({ version: '1.1', jsonapiMeta: null }),
  profiles: [],
  extensions: [],
  maxBytes: Number.POSITIVE_INFINITY,
  log: (error) => {
    throw error
  },
  dependsOnPrefer: false,
}

/** The rendered response; every document must be valid JSON:API. */
export function rendered(value: ResponseValue, given: Partial<RenderOptions> = {}): TestResponse {
  // Short documents are rendered synchronously.
  return checked(value, renderResponse(value, { ...rendering, ...given }) as HttpResponse, given)
}

/** The rendered results of operations, like `rendered()`. */
export async function renderedResults(value: ResultsValue, given: Partial<RenderOptions>): Promise<TestResponse> {
  return checked(value, await renderResponse(value, { ...rendering, ...given }), given)
}

function checked(value: ResponseValue | ResultsValue, http: HttpResponse, given: Partial<RenderOptions>): TestResponse {
  const response = testResponse(http, 'GET')
  const fieldsets = 'resources' in value && value.resources.query.fields.size > 0
  if (value.kind === 'noContent' || value.kind === 'bytes' || value.kind === 'export')
    expect(response.document).toBeUndefined()
  else {
    const { extensions = [] } = given
    const expected = { status: response.status, kind: value.kind, fieldsets, extensions }
    expect(documentProblems(response.document, expected)).toEqual([])
  }
  return response
}

/** The relationships of the one resource of a document. */
export function relationshipsOf(
  primary: ResourceNode,
  rest: Parameters<typeof resources>[1] = {},
): TestResource['relationships'] {
  return rendered(dataResponse(resources(primary, rest))).resource.relationships
}

/** The part of a rendering that depends on the request, from its address and query. */
export function requested(address: string, query: string): Partial<RenderOptions> {
  return { address, query, self: query === '' ? address : `${address}?${query}` }
}
