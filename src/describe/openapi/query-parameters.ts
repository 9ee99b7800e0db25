import { countableProfile, relationshipQueriesProfile } from '../../declare/profiles/profile.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { RelationContract, TypeContract } from '../contract/contract.js'
import { deprecationNotes } from '../contract/deprecated-members.js'
import { includePaths, relatedTypes } from '../contract/include-paths.js'
import type { ListKeys } from '../contract/listed-keys.js'
import { hasLinkagePages, keysOfMembers, offeredFilters, offeredSorts } from '../contract/listed-keys.js'
import { relationsFor } from '../contract/relation-uses.js'
import type { Api } from './described-server.js'
import { pascalCase } from './component-names.js'
import { sharedComponent } from './shared-component.js'
import { documentSchemaOf } from './enumerations.js'
import { filterParameter } from './filter-parameters.js'
import { MAX_LISTED_TYPES, shownTypes } from './included-types.js'
import { isCountedOnRequest, pageParameters } from './page-schemas.js'
import { isRegistered } from './registered-profile.js'

const text: JsonSchema = Object.freeze({ type: 'string' })

/** Parameters in the order in which the document has them. */
type Parameters = readonly JsonSchema[]

/** The parameters of a collection. */
export function collectionParameters(api: Api, type: TypeContract): Parameters {
  return [
    ...listParameters(api, type, true),
    ...(type.page === null ? [] : pageParameters(api, type.page)),
    ...resourceParameters(api, [type], { countsSelf: isCountedOnRequest(type), isCollection: true }),
  ]
}

/** The parameters of an endpoint that shows one resource. */
export function singleParameters(api: Api, type: TypeContract): Parameters {
  return resourceParameters(api, [type], { countsSelf: false })
}

/** The parameters of the related endpoint of a relation. */
export function relatedParameters(api: Api, relation: RelationContract): Parameters {
  const related = relatedTypes(relation, api.find)
  return [
    ...sharedByMembers(api, relation, [...memberParameters(api, relation), ...memberPages(api, relation)]),
    ...resourceParameters(api, related, { countsSelf: countsMembers(relation), isRelated: true }),
  ]
}

function memberPages(api: Api, { toMany, page }: RelationContract): Parameters {
  return toMany && page !== null ? pageParameters(api, page) : []
}

/** The parameters of the relationship endpoint of a relation. Its documents have identifiers only. */
export function relationshipParameters(api: Api, relation: RelationContract): Parameters {
  const count = relation.toMany ? countParameter(api, [], relation.countable) : []
  if (relation.toMany && !hasLinkagePages(relation)) return sharedByMembers(api, relation, count)
  const listed = [...memberParameters(api, relation), ...memberPages(api, relation), ...count]
  return sharedByMembers(api, relation, listed)
}

/** Returns references to the parameters of members: the relations of a type have most of them in common with its collection. */
function sharedByMembers(api: Api, { related }: RelationContract, parameters: Parameters): Parameters {
  const [only, ...others] = related
  const base = only === undefined || others.length > 0 ? '' : api.names.ofType(only)
  const listed = api.isCompact ? filtersTogether(parameters) : parameters
  return listed.map((parameter) => {
    const name = String(parameter['name'])
    // The pages of most types are the same.
    const wanted = name.startsWith('page') ? pascalCase(name) : `${base}${pascalCase(name)}`
    return sharedComponent(api, 'parameters', wanted, parameter)
  })
}

/** Returns parameters with one for all filters, whose schema has a member for each. */
function filtersTogether(parameters: Parameters): Parameters {
  const filters = parameters.flatMap((parameter) => {
    const key = filterKey(parameter)
    return key === undefined ? [] : [[key, parameter['schema']] as const]
  })
  if (filters.length < 2) return parameters
  const schema = { type: 'object', properties: Object.fromEntries(filters), additionalProperties: false }
  const together = { name: 'filter', in: 'query', style: 'deepObject', explode: true, schema }
  return [together, ...parameters.filter((parameter) => filterKey(parameter) === undefined)]
}

function filterKey({ name }: JsonSchema): string | undefined {
  return /^filter\[(.*)\]$/.exec(String(name))?.[1]
}

/** Whether a request to the related endpoint may request the number of members, and gets it. */
function countsMembers(relation: RelationContract): boolean {
  return relation.toMany && isCountedOnRequest(relation)
}

/** Returns the parameters of members. Members of several types cannot be filtered or sorted, and a to-one relation cannot be sorted. */
function memberParameters(api: Api, relation: RelationContract): Parameters {
  const [related, ...others] = relatedTypes(relation, api.findReferenced)
  if (relation.polymorphic || related === undefined || others.length > 0) return []
  const keys = keysOfMembers(relation, related)
  return listParameters(api, relation.toMany ? keys : { ...keys, sorts: {} }, false)
}

function listParameters(api: Api, list: ListKeys, isPrimary: boolean): Parameters {
  const { filterValues: maxValues, sortKeys: maxItems } = api.contract.limits
  const sorts = offeredSorts(list)
  const options = { maxValues, isDescribed: !api.isCompact, isPrimary }
  const filters = offeredFilters(list).map(([key, filter]) =>
    documentSchemaOf(api, filterParameter(key, filter, options)),
  )
  if (sorts.length === 0) return filters
  const tokens = sorts.flatMap(([key]) => [key, `-${key}`])
  const sort = namesParameter('sort', tokens)
  return [
    ...filters,
    {
      ...sort,
      description: [
        'The order. A leading `-` means descending.',
        ...searchKeys(sorts),
        ...deprecatedKeys(list.sorts),
      ].join(' '),
      schema: { ...sort.schema, maxItems },
      ...deprecatedSorts(list.sorts),
      ...defaultNames(list.defaultSort),
    },
  ]
}

/** Returns the sunset dates of deprecated sort keys, by key: OpenAPI can deprecate a parameter, but not one of its values. */
function deprecatedSorts(sorts: ListKeys['sorts']): JsonSchema {
  const deprecated = Object.entries(sorts).flatMap(([key, { deprecation }]) =>
    deprecation === null ? [] : [[key, deprecation.sunset] as const],
  )
  return deprecated.length === 0 ? {} : { 'x-deprecated': Object.fromEntries(deprecated) }
}

function searchKeys(sorts: ReturnType<typeof offeredSorts>): readonly string[] {
  return sorts.flatMap(([key, { search }]) => (search === null ? [] : [`\`${key}\` needs \`filter[${search}]\`.`]))
}

function deprecatedKeys(sorts: ListKeys['sorts']): readonly string[] {
  return Object.entries(sorts).flatMap(([key, { deprecation }]) =>
    deprecationNotes(deprecation).map((note) => `\`${key}\`: ${note}`),
  )
}

/** Returns the names that apply to a request without the parameter. */
function defaultNames(names: readonly string[]): JsonSchema {
  return names.length > 0 ? { 'x-default': names } : {}
}

interface NamesParameter {
  readonly name: string
  readonly in: 'query'
  readonly style: 'form'
  readonly explode: false
  readonly schema: JsonSchema
}

/** A list of names, separated by commas. */
function namesParameter(name: string, names: readonly string[]): NamesParameter {
  // JSON Schema has no empty enumerations.
  const items = names.length === 0 ? { items: text, maxItems: 0 } : { items: { type: 'string', enum: names } }
  return { name, in: 'query', style: 'form', explode: false, schema: { type: 'array', ...items } }
}

interface ResourceOptions {
  /** Whether the primary collection can be counted. */
  readonly countsSelf: boolean
  /** Whether the operation reads the collection of a type. */
  readonly isCollection?: boolean
  /** Whether the operation reads related resources. */
  readonly isRelated?: boolean
}

/** The parameters of documents with resources. */
function resourceParameters(
  api: Api,
  primary: readonly TypeContract[],
  { countsSelf, isCollection = false, isRelated = false }: ResourceOptions,
): Parameters {
  const shown = shownTypes(api, primary)
  const isShort = api.isCompact && isRelated
  return [
    ...includeParameter(api, primary, isCollection),
    ...countParameter(api, primary, countsSelf),
    ...(isShort ? [] : relatedQueryParameter(api, primary)),
    ...(shown.length > MAX_LISTED_TYPES ? sharedParameters(api, isShort) : typeParameters(api, shown)),
  ]
}

/** Returns the parameters `fields` and `withLinkage` of each type. */
function typeParameters(api: Api, shown: readonly TypeContract[]): Parameters {
  return [
    ...shown.flatMap((type) => fieldsParameter(api, type)),
    ...shown.flatMap((type) => linkageParameter(api, type)),
  ]
}

/** Returns `typeParameters()` as parameters for all types together. Their size does not depend on the number of operations. */
function sharedParameters({ components, contract, server: { settings } }: Api, isShort: boolean): Parameters {
  const { types } = contract
  const fields = (): JsonSchema =>
    components.ref('parameters', 'Fields', () => ({
      ...byTypeParameter('fields', types, memberNames),
      description: 'The members that the document has, by type: names, separated by commas. All others are left out.',
    }))
  const linkage = (): JsonSchema =>
    components.ref('parameters', 'WithLinkage', () => ({
      ...byTypeParameter('withLinkage', types, linkageNames),
      description: 'The relationships that are shown with linkage, by type: names, separated by commas.',
    }))
  return [...(settings.fieldsets === false ? [] : [fields()]), ...(isShort ? [] : [linkage()])]
}

/** A parameter with a list of names for each type. Lists within objects have no style in OpenAPI, so they are described as strings. */
function byTypeParameter(
  name: string,
  types: readonly TypeContract[],
  namesOf: (type: TypeContract) => readonly string[],
): JsonSchema {
  const offered = types.map((type) => [type.type, namesOf(type)] as const)
  const properties = offered
    .filter(([, names]) => names.length > 0)
    .map(([type, names]) => [type, { type: 'string', description: names.join(', '), 'x-names': names }] as const)
  const schema = { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
  return { name, in: 'query', style: 'deepObject', explode: true, schema }
}

/** The parameter of operations other than collections in documents of many types. */
const anyInclude: JsonSchema = Object.freeze({
  name: 'include',
  in: 'query',
  style: 'form',
  explode: false,
  schema: { type: 'array', items: text },
  description: 'The related resources to include: the paths that the collection of the type lists.',
  'x-longer-paths': true,
})

/** The length of the include paths that documents of many types list. */
const COMPACT_DEPTH = 2

/**
 * A parameter by reference for resources of one type, because many operations have it. Generators look for the paths of a type in the
 * operation of its collection, and do not follow references there.
 */
function includeParameter(
  { find, components, names, isCompact }: Api,
  primary: readonly TypeContract[],
  isInline: boolean,
): Parameters {
  const [first, ...others] = primary
  const all = first !== undefined && others.length === 0 ? first.includes : includePaths(primary, find)
  const paths = isCompact ? all.paths.filter((path) => path.split('.').length <= COMPACT_DEPTH) : all.paths
  const hasMore = all.hasMore || paths.length < all.paths.length
  if (paths.length === 0) return []
  const description = `The related resources to include.${hasMore ? ' Longer paths are allowed, too.' : ''}`
  const create = (): JsonSchema => ({
    ...namesParameter('include', paths),
    description,
    ...(hasMore ? { 'x-longer-paths': true } : {}),
    ...(first !== undefined && others.length === 0 ? defaultNames(first.includes.default) : {}),
  })
  if (first === undefined || others.length > 0 || isInline) return [create()]
  if (isCompact) return [components.ref('parameters', 'Include', () => anyInclude)]
  return [components.ref('parameters', `${names.ofType(first.type)}Include`, create)]
}

/** The fieldset of a type: a parameter by reference, because many operations have it. None if fieldsets are not described. */
export function fieldsParameter({ components, names, server }: Api, contract: TypeContract): Parameters {
  const { type } = contract
  if (server.settings.fieldsets === false) return []
  const reference = components.ref('parameters', `${names.ofType(type)}Fields`, () => ({
    ...namesParameter(`fields[${type}]`, memberNames(contract)),
    description: `The members of \`${type}\` that the document has. All others are left out. Default: all but those that are shown on demand.`,
  }))
  return [reference]
}

/** Returns the names of the fields that some request may see. */
function memberNames(type: TypeContract): readonly string[] {
  const attributes = Object.keys(type.attributes.read.served['properties'] as JsonSchema)
  return [...attributes, ...relationsFor(type, 'shown').map(({ name }) => name)]
}

/** Returns the names of the relations whose linkage requests may name. */
function linkageNames(type: TypeContract): readonly string[] {
  return relationsFor(type, 'shown').flatMap(({ name, isLinkable }) => (isLinkable ? [name] : []))
}

function linkageParameter({ components, names }: Api, contract: TypeContract): Parameters {
  const { type } = contract
  const offered = linkageNames(contract)
  if (offered.length === 0) return []
  return [
    components.ref('parameters', `${names.ofType(type)}WithLinkage`, () => ({
      ...namesParameter(`withLinkage[${type}]`, offered),
      description: `The relationships of \`${type}\` that are shown with linkage.`,
    })),
  ]
}

/** `withCount` of the profile Countable. The relationships of resources of several types are not counted. */
function countParameter(api: Api, primary: readonly TypeContract[], countsSelf: boolean): Parameters {
  const [first, ...others] = primary
  const relations = first === undefined || others.length > 0 ? [] : relationsFor(first, 'countable')
  const counted = relations.map(({ name }) => name)
  const names = [...(countsSelf ? ['_self_'] : []), ...counted]
  if (names.length === 0 || !isRegistered(api, countableProfile)) return []
  const description = [
    ...(counted.length > 0 ? ['The relationships to count.'] : []),
    ...(countsSelf ? ['`_self_` counts the collection itself.'] : []),
  ].join(' ')
  return [{ ...namesParameter('withCount', names), description, 'x-profile': countableProfile.uri }]
}

/** `relatedQuery` of the profile Relationship Queries. */
function relatedQueryParameter(api: Api, primary: readonly TypeContract[]): Parameters {
  const isAddressable = primary.some((type) => relationsFor(type, 'shown').some(({ polymorphic }) => !polymorphic))
  if (!isAddressable || !isRegistered(api, relationshipQueriesProfile)) return []
  return [
    api.components.ref('parameters', 'RelatedQuery', () => ({
      name: 'relatedQuery',
      in: 'query',
      style: 'deepObject',
      explode: true,
      description:
        'Filters and sorts the members of relationships of the primary resources, by the name of the relationship: `relatedQuery[tracks][sort]=-title`, `relatedQuery[tracks][filter][explicit]=false`. A to-one relationship has filters only. While the profile is requested, a to-many relationship shows its first page; links lead to the others.',
      schema: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { filter: { type: 'object' }, sort: { type: 'string' } },
          additionalProperties: false,
        },
      },
      'x-profile': relationshipQueriesProfile.uri,
    })),
  ]
}
