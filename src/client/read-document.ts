/** A resource object or an identifier, as it is sent. See {@link raw}. */
export interface RawResource {
  readonly type: string
  readonly id: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, RawRelationship>>
  readonly links?: Readonly<Record<string, unknown>>
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A relationship, as it is sent. See {@link raw}. */
export interface RawRelationship {
  readonly data?: RawResource | readonly RawResource[] | null
  readonly links?: Readonly<Record<string, unknown>>
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A document, as it is sent. See {@link raw}. */
export interface RawDocument {
  readonly data?: RawResource | readonly RawResource[] | null
  readonly included?: readonly RawResource[]
  readonly meta?: Readonly<Record<string, unknown>>
  readonly links?: Readonly<Record<string, unknown>>
}

/** The resource objects from which the resources of results were created. */
const sources = new WeakMap<object, RawResource>()

/**
 * Returns the resource object from which a resource of a result was created, with its links, its meta and its relationships; `undefined` for any other
 * object.
 *
 * @example
 * ```ts
 * import { raw } from '@ashlar/client'
 *
 * const selfLink = (album: { readonly type: string }) => raw(album)?.links?.['self']
 * ```
 */
export function raw(resource: object): RawResource | undefined {
  return sources.get(resource)
}

/** A node in the tree of include paths. */
interface IncludeNode {
  /** The relations that are included at this node. */
  readonly relations: ReadonlyMap<string, IncludeNode>
  /** The resources that were created at this node, by {@link keyOf}. */
  readonly created: Map<string, object>
}

/**
 * Returns the data of a document: each resource has its attributes and its relations side by side. It is a tree along the include paths, not a
 * graph, so that it can be converted to JSON and cloned. At one node of the tree, a resource is always the same object.
 */
export function readData({ data, included = [] }: RawDocument, include: readonly string[] = []): unknown {
  const known = new Map([...included, ...[data ?? []].flat()].map((resource) => [keyOf(resource), resource]))
  const read = (resource: RawResource, pivot: unknown, { relations, created }: IncludeNode): object => {
    const key = keyOf(resource, pivot)
    const existing = created.get(key)
    if (existing !== undefined) return existing
    const result = flatResource(resource, pivot)
    created.set(key, result)
    sources.set(result, resource)
    for (const [name, { data: linkage }] of Object.entries(resource.relationships ?? {})) {
      const node = relations.get(name)
      const member = (identifier: RawResource): object =>
        node === undefined
          ? linked(identifier)
          : read(known.get(keyOf(identifier)) ?? identifier, identifier.meta?.['pivot'], node)
      if (linkage !== undefined) setMember(result, name, each(linkage, member))
    }
    return result
  }
  const root = includeTree(include)
  return each(data ?? null, (resource) => read(resource, resource.meta?.['pivot'], root))
}

function includeTree(paths: readonly string[]): IncludeNode {
  const rests = new Map<string, string[]>()
  for (const path of paths) {
    const [first = '', ...rest] = path.split('.')
    rests.set(first, [...(rests.get(first) ?? []), ...(rest.length === 0 ? [] : [rest.join('.')])])
  }
  return { relations: new Map([...rests].map(([name, rest]) => [name, includeTree(rest)])), created: new Map() }
}

/** Returns the attributes of a resource next to its type and id, with the fields of its join row and the counts of its relations. */
function flatResource({ type, id, attributes = {}, relationships = {} }: RawResource, pivot: unknown): object {
  const result = { type, id }
  for (const [name, value] of Object.entries(attributes)) setMember(result, name, value)
  if (pivot !== undefined) setMember(result, '$pivot', pivot)
  const counts = Object.entries(relationships).flatMap(([name, { meta }]) =>
    meta?.['total'] === undefined ? [] : [[name, meta['total']] as const],
  )
  if (counts.length > 0) setMember(result, '$counts', Object.fromEntries(counts))
  return result
}

/** JSON:API has no fields with these names. If a server sends them nevertheless, they must not replace the type or the id of a resource. */
const reserved: readonly string[] = ['type', 'id', '__proto__']

function setMember(result: object, name: string, value: unknown): void {
  if (!reserved.includes(name)) (result as Record<string, unknown>)[name] = value
}

/** Returns an identifier with the fields of its join row. */
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

/** Only the id may contain a line break or a slash, and it is last. */
function keyOf({ type, id }: RawResource, pivot?: unknown): string {
  return `${pivot === undefined ? '' : JSON.stringify(pivot)}\n${type}/${id}`
}
