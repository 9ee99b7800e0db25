import { primaryResources } from '../documents/document-links.js'
import type { Exchange } from '../exchange/exchange.js'
import { membersOf, partsOf } from './described-members.js'
import type { Description, Operation } from './description.js'
import type { Schema } from './schema-check.js'

/** Returns the addresses of GET operations without parameters. */
export function plainUrls({ operations }: Description, url: string): readonly string[] {
  return operations
    .filter((operation) => isReadable(operation) && !operation.path.includes('{'))
    .map(({ path }) => new URL(path === '' ? '/' : path, url).href)
}

/**
 * Returns an address for each GET operation that has one parameter, and that no response has shown yet: `/albums/{id}`
 * and `/albums/{id}/tracks`, with the id of a resource of `/albums`.
 */
export function urlsWithIds(description: Description, reads: readonly Exchange[], url: string): readonly string[] {
  const shown = new Set(reads.map(({ request }) => description.find('GET', request.url)))
  return description.operations.flatMap((operation) => {
    const parts = operation.path.split(/\{[^}]+\}/)
    const [before = '', after] = parts
    if (!isReadable(operation) || parts.length !== 2 || !before.endsWith('/') || shown.has(operation)) return []
    const collection = reads.find(
      ({ request }) => new URL(request.url).pathname.replace(/\/$/, '') === before.slice(0, -1),
    )
    const [resource] = primaryResources(collection?.document)
    return resource === undefined ? [] : [new URL(`${before}${encodeURIComponent(resource.id)}${after}`, url).href]
  })
}

function isReadable({ method, queryParameters }: Operation): boolean {
  return method === 'GET' && queryParameters.every(({ isRequired }) => !isRequired)
}

/** A collection, and the type of the resources that can be created there. */
export interface DescribedCollection {
  readonly url: string
  readonly type: string
}

/** Returns the collections whose type a request to create shows, so that empty ones are known too. */
export function describedCollections(description: Description, url: string): readonly DescribedCollection[] {
  return description.operations.flatMap(({ method, path, requestSchema }) => {
    if (method !== 'POST' || path.includes('{') || requestSchema === null) return []
    const data = membersOf(requestSchema, description).properties['data']
    const type = data === undefined ? undefined : membersOf(data, description).properties['type']
    const name = type === undefined ? undefined : constantOf(type, description)
    return name === undefined ? [] : [{ url: new URL(path, url).href, type: name }]
  })
}

function constantOf(schema: Schema, description: Description): string | undefined {
  for (const part of partsOf(schema, description, 0)) {
    const values: readonly unknown[] = Array.isArray(part['enum']) ? part['enum'] : [part['const']]
    const [only] = values
    if (values.length === 1 && typeof only === 'string') return only
  }
  return undefined
}
