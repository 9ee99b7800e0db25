import type { TypeContract } from '../contract/contract.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Steps } from '../../core/util/in-slices.js'
import { memoize } from '../../core/util/memoize.js'
import { depthOf, relatedTypes } from '../contract/include-paths.js'
import { anyOf } from '../contract/merged-schema.js'
import { relationsFor } from '../contract/relation-uses.js'
import type { Api } from './described-server.js'
import { resourceSchema } from './resource-schemas.js'

/** The types that documents with resources of a type may show. */
interface Reach {
  readonly included: ReadonlySet<TypeContract>
  /** These types and the type itself, sorted by name. */
  readonly shown: readonly TypeContract[]
}

/** Returns the types of documents. Many operations show the same, so they are computed once for each type. */
const reachOf = memoize((api: Api) =>
  memoize((type: TypeContract): Reach => {
    const included = searchedTypes(api, type)
    return { included, shown: sortedTypes([type, ...included]) }
  }),
)

function searchedTypes(api: Api, root: TypeContract): ReadonlySet<TypeContract> {
  const depth = depthOf(root)
  const { allowed } = root.includes
  if (allowed === null) return typesWithin(api, root, depth)
  return new Set(allowed.flatMap((path) => [...typesAlong(api, root, path.split('.').slice(0, depth))]))
}

function typesWithin(api: Api, root: TypeContract, depth: number): ReadonlySet<TypeContract> {
  const reached = new Set<TypeContract>()
  let level = [root]
  for (let hops = 0; hops < depth && level.length > 0; hops += 1) {
    const next: TypeContract[] = []
    for (const related of level.flatMap(includableTypes(api))) {
      if (reached.has(related)) continue
      reached.add(related)
      next.push(related)
    }
    level = next
  }
  return reached
}

/** Returns the types that resources of a type can include directly. */
const includableTypes = memoize(({ find }: Api) =>
  memoize((type: TypeContract): readonly TypeContract[] => [
    ...new Set(relationsFor(type, 'includable').flatMap((relation) => relatedTypes(relation, find))),
  ]),
)

function typesAlong({ find }: Api, root: TypeContract, names: readonly string[]): ReadonlySet<TypeContract> {
  const reached = new Set<TypeContract>()
  let level: readonly TypeContract[] = [root]
  for (const name of names) {
    const relations = level.flatMap((type) => relationsFor(type, 'includable')).filter((each) => each.name === name)
    level = relations.flatMap((relation) => relatedTypes(relation, find))
    for (const type of level) reached.add(type)
  }
  return reached
}

/** Returns the schema of `included` in documents whose primary resources have these types. An empty `include` has an empty list. */
export function includedMember(api: Api, primary: readonly TypeContract[]): { readonly included: JsonSchema } {
  const schemas = primary
    .filter((type) => reachOf(api)(type).included.size > 0)
    .map((type) => includedSchema(api, type))
  if (schemas.length === 0) return { included: { type: 'array', items: { type: 'object' }, maxItems: 0 } }
  return { included: { type: 'array', items: anyOf(schemas) } }
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
  const created = new Set<TypeContract>()
  for (const type of api.contract.types) {
    if (type.operations.length === 0) continue
    for (const related of reachOf(api)(type).included) {
      if (created.has(related)) continue
      created.add(related)
      resourceSchema(api, related)
      yield
    }
    yield
  }
}

function includedSchema(api: Api, type: TypeContract): JsonSchema {
  const { components, names, contract } = api
  const reached = reachOf(api)(type).included
  const anyType = (types: Iterable<TypeContract>): JsonSchema =>
    anyOf(sortedTypes(types).map((related) => resourceSchema(api, related)))
  if (reached.size <= MAX_LISTED_TYPES) {
    return components.schema(`${names.ofType(type.type)}Included`, () => anyType(reached))
  }
  return components.schema('Included', () =>
    anyType(contract.types.flatMap((each) => [...reachOf(api)(each).included])),
  )
}

/** Returns the types whose resources a document may show: the primary types, and those that they include. */
export function shownTypes(api: Api, primary: readonly TypeContract[]): readonly TypeContract[] {
  const [first, ...others] = primary.map((type) => reachOf(api)(type).shown)
  return first !== undefined && others.length === 0 ? first : sortedTypes([...(first ?? []), ...others.flat()])
}

function sortedTypes(types: Iterable<TypeContract>): readonly TypeContract[] {
  return [...new Set(types)].toSorted((a, b) => (a.type < b.type ? -1 : 1))
}
