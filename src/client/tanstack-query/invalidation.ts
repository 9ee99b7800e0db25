/** The parts of a cached query that determine whether it is invalidated. */
interface CachedQuery {
  readonly queryKey: readonly unknown[]
  readonly state: { readonly data: unknown }
}

/**
 * The part of a `QueryClient` that marks queries as stale. It is described here, because the classes of two versions of TanStack Query are not
 * compatible.
 */
export interface Invalidating {
  invalidateQueries(filters: QueryFilters & { readonly refetchType?: 'none' }): Promise<void>
  removeQueries(filters: QueryFilters): void
}

interface QueryFilters {
  readonly queryKey?: readonly unknown[]
  readonly predicate?: (query: CachedQuery) => boolean
  readonly type?: 'inactive'
}

/** A resource that was written, or all resources of a type if there is no id. */
export interface Touched<T extends string = string> {
  readonly type: T
  readonly id?: string
  /** Whether the resource is deleted. Its own queries are not refetched, because the response would be 404. */
  readonly isDeleted?: boolean
}

/** The queries for collections. Any write to a resource of their type may change their resources and the order. */
const collectionQueries: readonly unknown[] = ['list', 'infinite', 'first']
const relatedQueries: readonly unknown[] = ['related', 'infiniteRelated', 'linkage', 'infiniteLinkage']

/**
 * Marks the queries that depend on resources as stale, and refetches those in use. These are the queries
 *
 * - for the resource, and for its related resources;
 * - for collections of its type, and of relations whose members have its type, or which are empty;
 * - whose data contain the resource, included or as an identifier.
 *
 * @param key the first part of the keys of the queries
 */
export async function invalidateTouched(client: Invalidating, key: string, touched: readonly Touched[]): Promise<void> {
  const deleted = touched.filter(({ isDeleted }) => isDeleted === true)
  const isOfDeleted = (query: CachedQuery): boolean =>
    query.queryKey[0] === key && deleted.some((resource) => isQueryFor(query, resource))
  if (deleted.length > 0) {
    client.removeQueries({ predicate: isOfDeleted, type: 'inactive' })
    await client.invalidateQueries({ predicate: isOfDeleted, refetchType: 'none' })
  }
  await client.invalidateQueries({
    predicate: (query) =>
      query.queryKey[0] === key &&
      !isOfDeleted(query) &&
      (touched.some((resource) => isQueryFor(query, resource) || isCollectionWith(query, resource)) ||
        mentionsAny(query.state.data, touched)),
  })
}

/** Returns whether a query is for a resource or for its related resources. */
function isQueryFor({ queryKey: [, type, verb, id] }: CachedQuery, resource: Touched): boolean {
  if (type !== resource.type) return false
  return resource.id === undefined || (!collectionQueries.includes(verb) && id === resource.id)
}

function isCollectionWith({ queryKey: [, type, verb], state }: CachedQuery, resource: Touched): boolean {
  if (collectionQueries.includes(verb)) return type === resource.type
  if (!relatedQueries.includes(verb)) return false
  // The key does not contain the type of the members. An empty list may be of any type.
  const members = primaryData(state.data)
  return members.length === 0 || members.some((member) => member.type === resource.type)
}

/** Returns the resources of all pages, or the member of a to-one relation. */
function primaryData(data: unknown): readonly Touched[] {
  const { pages = [data] } = (data ?? {}) as { readonly pages?: readonly unknown[] }
  return pages.flatMap((page) => ((page ?? {}) as { readonly data?: Touched | readonly Touched[] | null }).data ?? [])
}

/** Returns whether data contain one of the resources at any depth. */
function mentionsAny(data: unknown, touched: readonly Touched[]): boolean {
  if (typeof data !== 'object' || data === null) return false
  if (Array.isArray(data)) return data.some((member) => mentionsAny(member, touched))
  const { type, id } = data as Partial<Touched>
  return (
    (id !== undefined &&
      touched.some((resource) => resource.type === type && (resource.id === undefined || resource.id === id))) ||
    Object.values(data).some((member) => mentionsAny(member, touched))
  )
}
