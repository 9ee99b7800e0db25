import { compiledExport } from '../../../declare/resource/parts/export.js'
import type { AnyPaginator } from '../../../declare/pagination/paginator.js'
import { deprecationText } from '../../../declare/resource/compiled/type-headers.js'
import type { CompiledType, MemberFault } from '../../../declare/resource/compiled/compiled-type.js'
import { id as declareId } from '../../../declare/resource/fields/id-declaration.js'
import { isModel } from '../../../declare/resource/parts/model.js'
import type { RawDeclaration } from '../../../declare/resource/define/raw-declaration.js'
import type {
  ResourceOperation,
  ResponseMember,
  ServedOperation,
  SuccessResponse,
} from '../../../declare/resource/replies/responses.js'
import { defaultResponses, resourceOperations } from '../../../declare/resource/replies/responses.js'
import { readActions } from './compile-actions.js'
import { readAggregates } from './compile-aggregates.js'
import { compileAttribute } from '../../../declare/resource/compiled/compile-attribute.js'
import { fieldGuards } from './compile-guards.js'
import { compileId } from './compile-id.js'
import type { PolicyCompilation } from './compile-policy.js'
import { compilePolicy, noPolicy, withVisibility } from './compile-policy.js'
import { compileScope, readFilters, readSorts } from './compile-queries.js'
import type { UseGuards } from './compile-use-guards.js'
import { useGuards } from './compile-use-guards.js'
import { readSoftDeletes } from './compile-soft-deletes.js'
import type { VersionSettings } from './compile-version.js'
import { readVersion } from './compile-version.js'
import type { DeclaredFields } from './declared-fields.js'
import { readDeclaredFields } from './declared-fields.js'
import { isLinkagePolicy } from '../../../declare/resource/relations/relation-spec.js'

/**
 * Compiles a declaration. Never throws: the faults are part of the result.
 *
 * @param settings the version settings of the server
 * @param defaultPolicy the policy of a type that declares none; its faults are those of the server
 */
export function compileType(
  declaration: RawDeclaration,
  settings: VersionSettings = {},
  defaultPolicy: PolicyCompilation = noPolicy,
): CompiledType {
  const { members } = declaration
  // A type name that is not a string is reported by the rule typeNames.
  const typeName = text(declaration.type) ?? ''
  const inventory = readDeclaredFields(declaration)
  const model = isModel(members['model']) ? members['model'] : null
  const ids = inventory.ids.map(({ name, spec }) => compileId(spec, spec.column ?? name ?? model?.key ?? 'id'))
  const own = compilePolicy({ label: `'${typeName}'`, hasRows: true }, members['policy'])
  const access = own.isDeclared ? own : defaultPolicy
  const guards = fieldGuards(access.policy, members['abilities'])
  const uses = useGuards(guards.guardOf)
  const attributes = inventory.attributes.map(({ name, spec }) => compileAttribute(name, guards.onField(spec)))
  const relations = inventory.relations.map(({ name, spec }) =>
    Object.freeze({
      name,
      uriName: spec.uriName ?? name,
      spec: uses.onRelation(guards.onRelation(spec)),
      foreignColumns: Object.freeze([]),
    }),
  )
  // A serializer makes ids from whole rows, so that no column needs to contain them.
  const isQueriedById = ids[0]?.spec.queryable === true && (members['serializer'] ?? null) === null
  const filters = readFilters(members['filters'], inventory, isQueriedById)
  const sorts = readSorts(members['sorts'], inventory, isQueriedById || ids[0]?.spec.sortable === true)
  const actions = readActions(members['actions'], typeName)
  const aggregates = readAggregates(members['aggregates'], typeName)
  const id = ids[0] ?? compileId(declareId().spec, 'id')
  const { operations, ...served } = serving(declaration)
  const deletions = readSoftDeletes(members['softDeletes'], { type: typeName, operations })
  return Object.freeze<CompiledType>({
    type: typeName,
    uriType: text(members['uriType']) ?? typeName,
    origin: declaration.origin,
    servers: Object.freeze(serverNames(members['server'])),
    model,
    ids: Object.freeze(ids),
    id,
    attributes: Object.freeze(attributes),
    attributeNamed: new Map(attributes.map((attribute) => [attribute.name, attribute])),
    relations: Object.freeze(relations),
    relationNamed: new Map(relations.map((relation) => [relation.name, relation])),
    relationAtSegment: new Map(relations.map((relation) => [relation.uriName, relation])),
    filters: uses.onKeys(filters.specs),
    sorts: uses.onKeys(sorts.specs),
    defaultSort: list(members['defaultSort']),
    scope: withVisibility(compileScope(typeName, members['scope']), access.policy),
    policy: access.policy,
    declaresAccess: access.isDeclared,
    softDeletes: deletions.softDeletes,
    version: readVersion(members['version'], settings),
    lastModified: text(members['lastModified']),
    collectionTags: members['collectionTags'] === true,
    actions: Object.freeze([...actions.actions, ...deletions.actions].map(guards.onAction)),
    aggregates: aggregates.aggregates,
    groupsOf: null,
    ...documentSettings(declaration),
    allowedIncludePaths: allowedPaths(members['allowedIncludePaths'], uses),
    operations,
    ...served,
    ...services(members),
    faults: Object.freeze([
      ...inventory.faults,
      ...specFaults(inventory),
      ...filters.faults,
      ...sorts.faults,
      ...actions.faults,
      ...aggregates.faults,
      ...own.faults,
    ]),
  })
}

type Members = RawDeclaration['members']

type DocumentMembers = Pick<
  CompiledType,
  | 'defaultIncludes'
  | 'maxIncludeDepth'
  | 'linkage'
  | 'pagination'
  | 'countable'
  | 'exported'
  | 'expectedRows'
  | 'defaults'
  | 'selfLink'
  | 'objectType'
  | 'storedType'
  | 'meta'
  | 'links'
  | 'completionLocation'
>

/** Returns `null` for the depth of the server, which a type inherits if it declares none. */
function includeDepth(declared: unknown): number | null {
  if (declared === null) return 0
  return typeof declared === 'number' ? declared : null
}

function allowedPaths(declared: unknown, uses: UseGuards): CompiledType['allowedIncludePaths'] {
  return Array.isArray(declared) ? uses.onPaths(declared) : null
}

function documentSettings({ type, members }: RawDeclaration): DocumentMembers {
  const { defaultIncludes, maxIncludeDepth, linkage } = members
  return {
    defaultIncludes: typeof defaultIncludes === 'function' ? fn(defaultIncludes) : list(defaultIncludes),
    maxIncludeDepth: includeDepth(maxIncludeDepth),
    linkage: isLinkagePolicy(linkage) ? linkage : null,
    pagination: paginationOf(members['pagination']),
    countable: members['countable'] === true,
    exported: compiledExport(members['export']),
    expectedRows: typeof members['expectedRows'] === 'number' ? members['expectedRows'] : null,
    defaults: fnOrNull(members['defaults']),
    selfLink: members['selfLink'] !== false,
    objectType: fnOrNull(members['objectType']),
    storedType: text(members['storedType']) ?? text(type) ?? '',
    meta: fnOrNull(members['meta']),
    links: fnOrNull(members['links']),
    completionLocation: fnOrNull(members['completionLocation']),
  }
}

type ServingMembers = Pick<CompiledType, 'operations' | 'declaredOperations' | 'readOnly' | 'upsertBy' | 'responses'>

/**
 * By default, a type of `defineResource()` serves all five operations, and a type of `defineType()` none. An upsert creates and updates, so that
 * it is served only with both.
 */
function serving({ members, origin }: RawDeclaration): ServingMembers {
  const declared = list<ResourceOperation>(members['operations'])
  const readOnly = members['readOnly'] === true
  const byDefault = origin === 'resource' ? resourceOperations : []
  const operations: readonly ResourceOperation[] = readOnly ? ['FetchCollection', 'FetchOne'] : declared
  const responses: Partial<Record<ResponseMember, readonly SuccessResponse[]>> = {}
  for (const member of Object.keys(defaultResponses) as ResponseMember[]) {
    responses[member] =
      members[member] === undefined ? defaultResponses[member] : list<SuccessResponse>(members[member])
  }
  const served = new Set<ServedOperation>(operations.length === 0 ? byDefault : operations)
  const upsertBy = list(members['upsertBy'])
  if (upsertBy.includes('id') && served.has('Create') && served.has('Update')) served.add('Upsert')
  return {
    operations: served,
    declaredOperations: declared,
    readOnly,
    upsertBy,
    responses: Object.freeze(responses as CompiledType['responses']),
  }
}

type ServiceMembers = Pick<
  CompiledType,
  | 'serializer'
  | 'hydrator'
  | 'hooks'
  | 'abilities'
  | 'cacheHeaders'
  | 'deprecation'
  | 'sunset'
  | 'sunsetLink'
  | 'tags'
  | 'description'
>

/** Returns members without validation: the build rules check them. */
function services(members: Members): ServiceMembers {
  const memberOf = <Member extends keyof ServiceMembers>(member: Member): ServiceMembers[Member] =>
    (members[member] ?? null) as ServiceMembers[Member]
  return {
    serializer: memberOf('serializer'),
    hydrator: memberOf('hydrator'),
    hooks: memberOf('hooks'),
    abilities: memberOf('abilities'),
    cacheHeaders: memberOf('cacheHeaders'),
    deprecation: deprecationText(members['deprecation']),
    sunset: text(members['sunset']),
    sunsetLink: text(members['sunsetLink']),
    tags: list(members['tags']),
    description: text(members['description']),
  }
}

function specFaults(inventory: DeclaredFields): readonly MemberFault[] {
  const named = [
    ...inventory.ids.map(({ spec }) => ({ name: 'id', spec })),
    ...inventory.attributes,
    ...inventory.relations,
  ]
  return named.flatMap(({ name, spec }) => spec.faults.map((fault) => Object.freeze({ ...fault, member: name })))
}

function paginationOf(declared: unknown): CompiledType['pagination'] {
  if (typeof declared === 'function') return fn(declared)
  if (declared === undefined) return (serverDefault) => serverDefault
  return () => declared as AnyPaginator | null
}

/** Returns the names of the servers that serve a type. */
export function serverNames(declared: unknown): readonly string[] {
  const names = list(declared)
  return names.length === 0 ? ['default'] : names
}

function text(declared: unknown): string | null {
  return typeof declared === 'string' ? declared : null
}

function list<T = string>(declared: unknown): readonly T[] {
  if (declared === undefined || declared === null) return Object.freeze([])
  return Object.freeze((Array.isArray(declared) ? [...declared] : [declared]) as T[])
}

function fn<F>(declared: unknown): F {
  return declared as F
}

function fnOrNull<F>(declared: unknown): F | null {
  return typeof declared === 'function' ? fn<F>(declared) : null
}
