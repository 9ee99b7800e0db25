import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Steps } from '../../core/util/in-slices.js'
import { memoize } from '../../core/util/memoize.js'
import { depthOf, relatedTypes } from '../contract/include-paths.js'
import { relationsFor } from '../contract/relation-uses.js'
import type { Api } from './described-server.js'
import { resourceSchema } from './resource-schemas.js'

/** Returns the types that resources of a type can include, by the paths that it allows. */
function reachableTypes(served: ServedType, serverDepth: number): ReadonlySet<ServedType> {
  return reachOf(served, serverDepth).included
}

/** The types that documents with resources of a type may show. */
interface Reach {
  readonly included: ReadonlySet<ServedType>
  /** These types and the type itself, sorted by name. */
  readonly shown: readonly ServedType[]
}

/** Returns the types of documents. Many operations show the same, so they are computed once for each type. */
function reachOf(served: ServedType, serverDepth: number): Reach {
  const byDepth = reachByDepth(served)
  const known = byDepth.get(serverDepth)
  if (known !== undefined) return known
  const included = searchedTypes(served, depthOf(served, serverDepth))
  const reach = { included, shown: sortedTypes([served, ...included]) }
  byDepth.set(serverDepth, reach)
  return reach
}

const reachByDepth = memoize((_served: ServedType): Map<number, Reach> => new Map())

function searchedTypes(root: ServedType, depth: number): ReadonlySet<ServedType> {
  const { allowedIncludePaths } = root.type
  if (allowedIncludePaths === null) return typesWithin(root, depth)
  return new Set(allowedIncludePaths.flatMap(({ path }) => [...typesAlong(root, path.split('.').slice(0, depth))]))
}

function typesWithin(root: ServedType, depth: number): ReadonlySet<ServedType> {
  const reached = new Set<ServedType>()
  let level = [root]
  for (let hops = 0; hops < depth && level.length > 0; hops += 1) {
    const next: ServedType[] = []
    for (const related of level.flatMap(includableTypes)) {
      if (reached.has(related)) continue
      reached.add(related)
      next.push(related)
    }
    level = next
  }
  return reached
}

/** The types that resources of a type can include directly. */
const includableTypes = memoize((served: ServedType): readonly ServedType[] => [
  ...new Set(relationsFor(served, 'includable').flatMap(relatedTypes)),
])

function typesAlong(root: ServedType, names: readonly string[]): ReadonlySet<ServedType> {
  const reached = new Set<ServedType>()
  let level: readonly ServedType[] = [root]
  for (const name of names) {
    const relations = level.flatMap((served) => relationsFor(served, 'includable')).filter((each) => each.name === name)
    level = relations.flatMap(relatedTypes)
    for (const served of level) reached.add(served)
  }
  return reached
}

/** Returns the schema of `included` in documents whose primary resources have these types. An empty `include` has an empty list. */
export function includedMember(api: Api, primary: readonly ServedType[]): { readonly included: JsonSchema } {
  const { maxIncludeDepth } = api.server
  const schemas = primary
    .filter((served) => reachableTypes(served, maxIncludeDepth).size > 0)
    .map((served) => includedSchema(api, served))
  const [only] = schemas
  if (only === undefined) return { included: { type: 'array', items: { type: 'object' }, maxItems: 0 } }
  return { included: { type: 'array', items: schemas.length === 1 ? only : { anyOf: schemas } } }
}

/**
 * The maximum number of types that are listed for each operation. If more can be included, operations share one list: if 200 types
 * include each other, the document would otherwise have 46 MB instead of 8.
 */
export const MAX_LISTED_TYPES = 30

/**
 * Creates the schemas of all types that documents may include, one by one. In documents of many types, the first document would otherwise
 * create all of them in one step.
 */
export function* includableSchemas(api: Api): Steps<void> {
  const { types, maxIncludeDepth } = api.server
  const created = new Set<ServedType>()
  for (const served of types) {
    if (served.type.operations.size === 0) continue
    for (const related of reachableTypes(served, maxIncludeDepth)) {
      if (created.has(related)) continue
      created.add(related)
      resourceSchema(api, related)
      yield
    }
    yield
  }
}

function includedSchema(api: Api, served: ServedType): JsonSchema {
  const { components, names, server } = api
  const { maxIncludeDepth } = server
  const reached = reachableTypes(served, maxIncludeDepth)
  const anyOf = (types: Iterable<ServedType>): JsonSchema => {
    const schemas = sortedTypes(types).map((related) => resourceSchema(api, related))
    const [only] = schemas
    return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas }
  }
  if (reached.size <= MAX_LISTED_TYPES) {
    return components.schema(`${names.ofType(served.type.type)}Included`, () => anyOf(reached))
  }
  return components.schema('Included', () =>
    anyOf(server.types.flatMap((each) => [...reachableTypes(each, maxIncludeDepth)])),
  )
}

/** Returns the types whose resources a document may show: the primary types, and those that they include. */
export function shownTypes({ server }: Api, primary: readonly ServedType[]): readonly ServedType[] {
  const [first, ...others] = primary.map((served) => reachOf(served, server.maxIncludeDepth).shown)
  return first !== undefined && others.length === 0 ? first : sortedTypes([...(first ?? []), ...others.flat()])
}

function sortedTypes(types: Iterable<ServedType>): readonly ServedType[] {
  return [...new Set(types)].toSorted((a, b) => (a.type.type < b.type.type ? -1 : 1))
}
