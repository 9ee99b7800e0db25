import { filterTreeProfile } from '../../declare/profiles/profile.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { FilterContract, RelationContract, TypeContract } from '../contract/contract.js'
import { deprecatedMembers } from '../contract/deprecated-members.js'
import { relatedTypes } from '../contract/include-paths.js'
import type { ListKeys } from '../contract/listed-keys.js'
import { keysOfMembers, offeredFilters } from '../contract/listed-keys.js'
import { annotatedSchema } from '../contract/merged-schema.js'
import type { Api } from './described-server.js'
import { documentSchemaOf } from './enumerations.js'
import { isRegistered } from './registered-profile.js'

/** The members of a filter tree that combine filters. A filter of such a name cannot be sent in JSON. */
const operators: readonly string[] = Object.freeze(['and', 'or', 'not'])

/** Returns the filter tree of a collection; `null` if it has no filters, or the server does not have filter trees. */
export function filterTreeOf(api: Api, type: TypeContract): JsonSchema | null {
  return filterTree(api, api.names.ofType(type.type), type)
}

/** Returns the filter tree of the members of a relation, which is that of the related type unless the relation has filters itself. */
export function filterTreeOfMembers(api: Api, relation: RelationContract): JsonSchema | null {
  const [related, ...others] = relatedTypes(relation, api.findReferenced)
  if (relation.polymorphic || related === undefined || others.length > 0) return null
  if (Object.keys(relation.filters).length === 0) return filterTreeOf(api, related)
  return filterTree(api, api.names.ofRelation(relation.owner, relation.name), keysOfMembers(relation, related))
}

function filterTree(api: Api, base: string, list: ListKeys): JsonSchema | null {
  const offered = offeredFilters(list).filter(([key]) => !operators.includes(key))
  if (offered.length === 0 || !isRegistered(api, filterTreeProfile)) return null
  const combinable = offered.filter(([, { isCombinable }]) => isCombinable)
  if (combinable.length === offered.length) return treeComponent(api, `${base}Filter`, offered, null)
  return treeComponent(api, `${base}Filter`, offered, treeComponent(api, `${base}CombinedFilter`, combinable, null))
}

/** @param nested the tree below operators; `null` if it is the same */
function treeComponent(
  api: Api,
  name: string,
  filters: ReturnType<typeof offeredFilters>,
  nested: JsonSchema | null,
): JsonSchema {
  const { filterDepth, filterLeaves } = api.contract.limits
  return api.components.schema(name, () => {
    const tree = nested ?? { $ref: `#/components/schemas/${name}` }
    const members = filters.map(([key, filter]) => [key, documentSchemaOf(api, filterValue(filter, api))] as const)
    return {
      type: 'object',
      description: `Filters, all of which must match. A query may have ${filterLeaves} filters, and ${filterDepth} levels of \`and\`, \`or\` and \`not\`.`,
      properties: {
        ...Object.fromEntries(members),
        and: { type: 'array', items: tree, description: 'All of these must match.' },
        or: { type: 'array', items: tree, description: 'One of these must match.' },
        not: annotatedSchema(tree, { description: 'This must not match.' }),
      },
      additionalProperties: false,
    }
  })
}

function filterValue(filter: FilterContract, { contract }: Api): JsonSchema {
  const { sentence, deprecation, examples } = filter
  const schema = annotatedSchema(valueOfShape(filter, contract.limits), { description: sentence, examples })
  return { ...schema, ...deprecatedMembers(deprecation) }
}

/** Lists are lists in JSON, whatever separates their values in a URL. */
function valueOfShape({ shape, value }: FilterContract, { queryFilterValues }: Api['contract']['limits']): JsonSchema {
  switch (shape) {
    case 'presence':
      return { const: true }
    case 'set':
      return { type: 'array', items: value, maxItems: queryFilterValues }
    case 'range':
      return { type: 'object', properties: { min: value, max: value }, additionalProperties: false }
    case 'value':
      return value
  }
}
