import type { QueryVocabulary } from '../../serve/read/query/query-vocabulary.js'
import { primaryVocabulary, relatedVocabulary } from '../../serve/read/query/query-vocabulary.js'
import type { AnyPaginator } from '../../declare/pagination/paginator.js'
import { countableProfile, relationshipQueriesProfile } from '../../declare/profiles/profile.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { SortSpecs } from '../../declare/resource/sorts/sort-spec.js'
import { hasLinkagePages } from '../../declare/resource/relations/relation-spec.js'
import { deprecationNotes } from './deprecated-members.js'
import { isShown } from '../contract/shown-fields.js'
import type { Api } from './described-server.js'
import { pascalCase } from './component-names.js'
import { sharedComponent } from './shared-component.js'
import { enumerations } from './enumerations.js'
import { filterParameters } from './filter-parameters.js'
import { includePaths } from '../contract/include-paths.js'
import { relationsFor, relationUses } from '../contract/relation-uses.js'
import { MAX_LISTED_TYPES, shownTypes } from './included-types.js'
import { offeredFilters, offeredSorts } from '../contract/offered-keys.js'
import { isCountedOnRequest, pageParameters } from './page-schemas.js'
import { isRegistered } from './registered-profile.js'

const text: JsonSchema = Object.freeze({ type: 'string' })

/** Parameters in the order in which the document has them. */
type Parameters = readonly JsonSchema[]

/** The parameters of a collection. */
export function collectionParameters(api: Api, served: ServedType): Parameters {
  return [
    ...listParameters(api, primaryVocabulary(served), served.paginator),
    ...(served.paginator === null ? [] : pageParameters(api, served.paginator)),
    ...resourceParameters(api, [served], {
      countsSelf: isCountedOnRequest({ paginator: served.paginator, countable: served.type.countable }),
      isCollection: true,
    }),
  ]
}

/** The parameters of an endpoint that shows one resource. */
export function singleParameters(api: Api, served: ServedType): Parameters {
  return resourceParameters(api, [served], { countsSelf: false })
}

/** The parameters of the related endpoint of a relation. */
export function relatedParameters(api: Api, relation: ServedRelation): Parameters {
  const { spec, related, paginator } = relation
  const pages = spec.traits.toMany && paginator !== null ? pageParameters(api, paginator) : []
  return [
    ...sharedByMembers(api, relation, [...memberParameters(api, relation), ...pages]),
    ...resourceParameters(api, [...related.values()], { countsSelf: countsMembers(relation), isRelated: true }),
  ]
}

/** The parameters of the relationship endpoint of a relation. Its documents have identifiers only. */
export function relationshipParameters(api: Api, relation: ServedRelation): Parameters {
  const { spec, paginator } = relation
  const count = spec.traits.toMany ? countParameter(api, [], spec.countable) : []
  if (spec.traits.toMany && !hasLinkagePages(spec)) return sharedByMembers(api, relation, count)
  const pages = spec.traits.toMany && paginator !== null ? pageParameters(api, paginator) : []
  return sharedByMembers(api, relation, [...memberParameters(api, relation), ...pages, ...count])
}

/** Returns references to the parameters of members: the relations of a type have most of them in common with its collection. */
function sharedByMembers(api: Api, { related, spec }: ServedRelation, parameters: Parameters): Parameters {
  const [only, ...others] = related.size === 0 ? spec.targets : [...related.keys()]
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
function countsMembers({ spec, paginator }: ServedRelation): boolean {
  return spec.traits.toMany && isCountedOnRequest({ paginator, countable: spec.countable })
}

/** Returns the parameters of members. Members of several types cannot be filtered or sorted, and a to-one relation cannot be sorted. */
function memberParameters(api: Api, relation: ServedRelation): Parameters {
  const { traits } = relation.spec
  if (traits.polymorphic || relation.related.size !== 1) return []
  const vocabulary = relatedVocabulary(relation)
  return listParameters(api, traits.toMany ? vocabulary : { ...vocabulary, sorts: {} }, relation.paginator)
}

function listParameters(api: Api, vocabulary: QueryVocabulary, paginator: AnyPaginator | null): Parameters {
  const { maxFilterValues, maxSortKeys } = api.server
  const keys = offeredSorts(vocabulary, paginator)
  const filters = filterParameters({
    filters: offeredFilters(vocabulary),
    rows: vocabulary,
    maxValues: maxFilterValues,
    enumerations: enumerations(api),
    isDescribed: !api.isCompact,
  })
  if (keys.length === 0) return filters
  const tokens = keys.flatMap((key) => [key, `-${key}`])
  const sort = namesParameter('sort', tokens)
  return [
    ...filters,
    {
      ...sort,
      description: ['The order. A leading `-` means descending.', ...deprecatedKeys(vocabulary.sorts)].join(' '),
      schema: { ...sort.schema, maxItems: maxSortKeys },
      ...deprecatedSorts(vocabulary.sorts),
      ...defaultNames(vocabulary.defaultSort.keys),
    },
  ]
}

/** Returns the sunset dates of deprecated sort keys, by key: OpenAPI can deprecate a parameter, but not one of its values. */
function deprecatedSorts(sorts: SortSpecs): JsonSchema {
  const deprecated = Object.entries(sorts).flatMap(([key, { deprecation }]) =>
    deprecation === null ? [] : [[key, deprecation.sunset] as const],
  )
  return deprecated.length === 0 ? {} : { 'x-deprecated': Object.fromEntries(deprecated) }
}

function deprecatedKeys(sorts: SortSpecs): readonly string[] {
  return Object.entries(sorts).flatMap(([key, { deprecation }]) =>
    deprecationNotes(deprecation).map((note) => `\`${key}\`: ${note}`),
  )
}

/** Returns the names that apply to a request without the parameter. */
function defaultNames(names: unknown): JsonSchema {
  return Array.isArray(names) && names.length > 0 ? { 'x-default': [...(names as readonly string[])] } : {}
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
  primary: readonly ServedType[],
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
function typeParameters(api: Api, shown: readonly ServedType[]): Parameters {
  return [
    ...shown.flatMap((served) => fieldsParameter(api, served)),
    ...shown.flatMap((served) => linkageParameter(api, served)),
  ]
}

/** Returns `typeParameters()` as parameters for all types together. Their size does not depend on the number of operations. */
function sharedParameters({ components, server: { types, settings } }: Api, isShort: boolean): Parameters {
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
  types: readonly ServedType[],
  namesOf: (served: ServedType) => readonly string[],
): JsonSchema {
  const offered = types.map((served) => [served.type.type, namesOf(served)] as const)
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
  { server, components, names, isCompact }: Api,
  primary: readonly ServedType[],
  isInline: boolean,
): Parameters {
  const all = includePaths(primary, server.maxIncludeDepth)
  const paths = isCompact ? all.paths.filter((path) => path.split('.').length <= COMPACT_DEPTH) : all.paths
  const hasMore = all.hasMore || paths.length < all.paths.length
  if (paths.length === 0) return []
  const [first, ...others] = primary
  const description = `The related resources to include.${hasMore ? ' Longer paths are allowed, too.' : ''}`
  const create = (): JsonSchema => ({
    ...namesParameter('include', paths),
    description,
    ...(hasMore ? { 'x-longer-paths': true } : {}),
    ...(others.length === 0 ? defaultNames(first?.type.defaultIncludes) : {}),
  })
  if (first === undefined || others.length > 0 || isInline) return [create()]
  if (isCompact) return [components.ref('parameters', 'Include', () => anyInclude)]
  return [components.ref('parameters', `${names.ofType(first.type.type)}Include`, create)]
}

/** The fieldset of a type: a parameter by reference, because many operations have it. None if fieldsets are not described. */
export function fieldsParameter({ components, names, server }: Api, served: ServedType): Parameters {
  const { type } = served.type
  if (server.settings.fieldsets === false) return []
  const reference = components.ref('parameters', `${names.ofType(type)}Fields`, () => ({
    ...namesParameter(`fields[${type}]`, memberNames(served)),
    description: `The members of \`${type}\` that the document has. All others are left out. Default: all but those that are shown on demand.`,
  }))
  return [reference]
}

/** Returns the names of the fields that some request may see. */
function memberNames(served: ServedType): readonly string[] {
  const { type, serializer } = served
  const serialized = serializer?.members ?? type.attributes.map(({ name }) => name)
  const isVisible = (name: string): boolean => {
    const spec = type.attributeNamed.get(name)?.spec
    return spec === undefined || isShown(spec)
  }
  const related = relationsFor(served, 'shown').map(({ name }) => name)
  return [...serialized.filter(isVisible), ...related]
}

/** Returns the names of the relations whose linkage requests may name. */
function linkageNames(served: ServedType): readonly string[] {
  const offered = relationsFor(served, 'shown').filter(({ spec, storage, readBy }) => {
    return storage.kind === 'ownKey' || (readBy !== 'none' && spec.linkage !== 'onlyWhenIncluded')
  })
  return offered.map(({ name }) => name)
}

function linkageParameter({ components, names }: Api, served: ServedType): Parameters {
  const { type } = served.type
  const offered = linkageNames(served)
  if (offered.length === 0) return []
  return [
    components.ref('parameters', `${names.ofType(type)}WithLinkage`, () => ({
      ...namesParameter(`withLinkage[${type}]`, offered),
      description: `The relationships of \`${type}\` that are shown with linkage.`,
    })),
  ]
}

/** `withCount` of the profile Countable. The relationships of resources of several types are not counted. */
function countParameter(api: Api, primary: readonly ServedType[], countsSelf: boolean): Parameters {
  const [first, ...others] = primary
  const relations = first === undefined || others.length > 0 ? [] : [...first.relations.values()]
  const counted = relations.filter((each) => relationUses(each).has('countable')).map(({ name }) => name)
  const names = [...(countsSelf ? ['_self_'] : []), ...counted]
  if (names.length === 0 || !isRegistered(api, countableProfile)) return []
  const description = [
    ...(counted.length > 0 ? ['The relationships to count.'] : []),
    ...(countsSelf ? ['`_self_` counts the collection itself.'] : []),
  ].join(' ')
  return [{ ...namesParameter('withCount', names), description, 'x-profile': countableProfile.uri }]
}

/** `relatedQuery` of the profile Relationship Queries. */
function relatedQueryParameter(api: Api, primary: readonly ServedType[]): Parameters {
  const relations = primary.flatMap((served) => [...served.relations.values()])
  const isAddressable = relations.some(({ spec }) => isShown(spec) && !spec.traits.polymorphic)
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
