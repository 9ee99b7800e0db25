/** A resource object or an identifier, as it is sent. */
export interface RawResource {
  readonly type: string
  readonly id: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, RawRelationship>>
  readonly links?: Readonly<Record<string, unknown>>
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A relationship, as it is sent. */
export interface RawRelationship {
  readonly data?: RawResource | readonly RawResource[] | null
  readonly links?: Readonly<Record<string, unknown>>
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A document, as it is sent. */
export interface RawDocument {
  readonly data?: RawResource | readonly RawResource[] | null
  readonly included?: readonly RawResource[]
  readonly meta?: Readonly<Record<string, unknown>>
  readonly links?: Readonly<Record<string, unknown>>
}

/** The resource objects that the resources of results were made of. */
const sources = new WeakMap<object, RawResource>()

/**
 * Returns the resource object that a resource of a result was made of, with its links, its meta and its relationships; `undefined` for any other
 * object.
 *
 * @example
 * ```ts
 * import { raw } from 'ashlar/client'
 *
 * const selfLink = (album: { readonly type: string }) => raw(album)?.links?.['self']
 * ```
 */
export function raw(resource: object): RawResource | undefined {
  return sources.get(resource)
}

/**
 * Returns the data of a document: each resource has its attributes and its relations side by side. It is a tree along the include paths, and no
 * graph, so that it can be converted to JSON and cloned. A resource at one place of the tree is one object.
 */
export function readData({ data, included = [] }: RawDocument, include: readonly string[] = []): unknown {
  const known = new Map([...included, ...listOf(data)].map((resource) => [keyOf(resource), resource]))
  const made = new Map<string, object>()
  const read = (identifier: RawResource, paths: readonly string[]): object => {
    const pivot = identifier.meta?.['pivot']
    const resource = known.get(keyOf(identifier)) ?? identifier
    const place = `${keyOf(identifier)} ${paths.join()} ${pivot === undefined ? '' : JSON.stringify(pivot)}`
    const existing = made.get(place)
    if (existing !== undefined) return existing
    const result: Record<string, unknown> = { type: resource.type, id: resource.id, ...resource.attributes }
    made.set(place, result)
    sources.set(result, resource)
    if (pivot !== undefined) result['$pivot'] = pivot
    for (const [name, relationship] of Object.entries(resource.relationships ?? {})) {
      const total = relationship.meta?.['total']
      if (total !== undefined) result['$counts'] = { ...(result['$counts'] as object), [name]: total }
      if (relationship.data === undefined) continue
      const rest = paths.flatMap((path) => (path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : []))
      const isIncluded = rest.length > 0 || paths.includes(name)
      result[name] = each(relationship.data, (member) => (isIncluded ? read(member, rest) : linked(member)))
    }
    return result
  }
  return each(data ?? null, (resource) => read(resource, include))
}

/** An identifier with the fields of its join row. */
function linked({ type, id, meta }: RawResource): object {
  const pivot = meta?.['pivot']
  return pivot === undefined ? { type, id } : { type, id, $pivot: pivot }
}

/** Returns the members of linkage as identifiers. */
export function readLinkage({ data }: RawDocument): unknown {
  return each(data ?? null, linked)
}

function each(data: RawResource | readonly RawResource[] | null, read: (resource: RawResource) => object): unknown {
  if (data === null) return null
  return Array.isArray(data) ? (data as readonly RawResource[]).map(read) : read(data as RawResource)
}

function listOf(data: RawDocument['data']): readonly RawResource[] {
  if (data === undefined || data === null) return []
  return Array.isArray(data) ? data : [data as RawResource]
}

function keyOf({ type, id }: RawResource): string {
  return `${type} ${id}`
}
