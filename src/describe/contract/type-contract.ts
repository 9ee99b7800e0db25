import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import { isIdOfMembers } from '../../declare/resource/compiled/cleared-columns.js'
import type { ResourceHooks } from '../../declare/resource/events/hooks.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import type { RelationSpec } from '../../declare/resource/relations/relation-spec.js'
import { servedOperations } from '../../declare/resource/replies/responses.js'
import { attributesSchema } from './attributes-schema.js'
import type {
  ActionContract,
  ActionMember,
  FieldsContract,
  GroupsContract,
  IdContract,
  IncludeContract,
  TypeContract,
} from './contract.js'
import type { ContractScope } from './contract-scope.js'
import { declaredType, serializedType } from './declared-types.js'
import { filterContracts, sortContracts } from './filter-contract.js'
import { pathId, readId, sentId } from './id-schema.js'
import { pageContract } from './page-contract.js'
import { relationContract } from './relation-contract.js'
import { abilityRequirement, actionRequirement } from './requirements.js'

/** Returns what clients depend on of a type. */
export function typeContract(served: ServedType, scope: ContractScope): TypeContract {
  const { type } = served
  const queried = { served, relation: null }
  // The filters of groups test the rows that are grouped.
  const rows = { served: served.source ?? served, relation: null }
  const filters = filterContracts(
    type.filters,
    { owner: rows.served, relation: null, queried: rows },
    scope.enumerations,
  )
  const headers = scope.headersOf(type)
  const accessOf = (ability: keyof TypeContract['access']) => abilityRequirement(scope.server, served, ability)
  return {
    type: type.type,
    path: type.uriType,
    description: type.description,
    tags: type.tags,
    isDeprecated: typeof type.deprecation === 'string',
    sunset: type.sunset,
    operations: servedOperations.filter((operation) => type.operations.has(operation)),
    isWritable: served.persister !== null,
    id: idContract(served),
    attributes: attributesContract(served, scope),
    relations: [...served.relations.values()].map((relation) => relationContract(relation, served, scope)),
    filters: served.source === null ? filters : ofGroups(filters),
    sorts: sortContracts(type.sorts, queried),
    defaultSort: type.defaultSort,
    includes: includeContract(served, scope),
    page: pageContract(served.paginator),
    countable: type.countable,
    upsertBy: type.operations.has('Create') && type.operations.has('Update') ? type.upsertBy : [],
    exportFormats: type.exported?.formats ?? [],
    exportRows: type.exported?.maxRows ?? null,
    actions: type.actions.map((action) => actionContract(action, served, scope)),
    aggregates: Object.fromEntries(type.aggregates.map((each) => [each.name, each.type])),
    groupsOf: groupsContract(served),
    responses: type.responses,
    hooks: replacingHooks.filter((name) => type.hooks?.[name] !== undefined),
    hasApplicationCode: hasApplicationCode(served),
    hasPolicy: type.policy !== null,
    access: {
      viewAny: abilityRequirement(scope.server, served, listAbility(served)),
      view: accessOf('view'),
      create: accessOf('create'),
      update: accessOf('update'),
      delete: accessOf('delete'),
    },
    selfLink: type.selfLink,
    version: type.version === null ? null : { required: type.version.required },
    lastModified: type.lastModified !== null,
    collectionTags: type.collectionTags,
    headers: { always: headers.always, cacheControl: headers.cacheControl },
  }
}

function groupsContract({ type }: ServedType): GroupsContract | null {
  if (type.groupsOf === null) return null
  const { owner, aggregate } = type.groupsOf
  const { name, groups, measures, minGroupSize } = aggregate
  const fields = groups.flatMap(
    (group) => type.attributeNamed.get(group.name) ?? type.relationNamed.get(group.name) ?? [],
  )
  return {
    owner,
    name,
    groups: Object.fromEntries(groups.map((each) => [each.name, computedBy(each.part, each.field)])),
    measures: Object.fromEntries(measures.map((each) => [each.name, computedBy(each.function, each.field)])),
    minGroupSize,
    mayBeHidden: fields.some(({ spec }) => spec.hidden !== false),
  }
}

/** `sum(amount)`, `count()`, or `title` for the value itself. */
function computedBy(name: string | null, field: string | null): string {
  return name === null ? String(field) : `${name}(${field ?? ''})`
}

/** A filter with at most one match chooses rows of groups like any other. */
function ofGroups(filters: TypeContract['filters']): TypeContract['filters'] {
  return Object.fromEntries(Object.entries(filters).map(([key, filter]) => [key, { ...filter, isSingular: false }]))
}

function listAbility({ source, type }: ServedType): string {
  return source !== null && type.policy?.declares('aggregate') === true ? 'aggregate' : 'viewAny'
}

function idContract({ type }: ServedType): IdContract {
  const { spec } = type.id
  const client = spec.clientIds === 'forbidden' ? 'never' : spec.clientIds
  return {
    client,
    mayExist: client !== 'never' || isIdOfMembers(type),
    read: readId(spec),
    sent: sentId(spec),
    path: pathId(spec),
  }
}

function attributesContract(served: ServedType, { enumerations }: ContractScope): FieldsContract {
  const { type, serializer } = served
  const specs = Object.fromEntries(type.attributes.map(({ name, spec }) => [name, spec]))
  const of = (purpose: DocumentPurpose): FieldsContract[DocumentPurpose] => ({
    declared:
      purpose === 'read' && serializer !== null ? serializedType(serializer, specs) : declaredType(specs, purpose),
    served: attributesSchema(served, purpose, enumerations),
  })
  return { read: of('read'), create: of('create'), update: of('update') }
}

/** The paths are those of all types, so they are listed after the types. */
function includeContract({ type }: ServedType, { maxIncludeDepth }: ContractScope): IncludeContract {
  const { defaultIncludes, allowedIncludePaths } = type
  return {
    paths: [],
    hasMore: false,
    allowed: allowedIncludePaths?.map(({ path }) => path) ?? null,
    depth: Math.max(0, type.maxIncludeDepth ?? maxIncludeDepth),
    default: typeof defaultIncludes === 'function' ? [] : defaultIncludes,
  }
}

const actionMembers: readonly ActionMember[] = Object.freeze([
  'path',
  'scope',
  'methods',
  'input',
  'inputType',
  'inputMediaTypes',
  'responses',
  'description',
  'deprecation',
  'tags',
  'builtIn',
])

function actionContract(action: CompiledAction, owner: ServedType, { server }: ContractScope): ActionContract {
  const members = Object.fromEntries(actionMembers.map((name) => [name, action[name]])) as Omit<
    ActionContract,
    'access'
  >
  return { ...members, access: actionRequirement(server, owner, action) }
}

const replacingHooks: readonly (keyof ResourceHooks)[] = Object.freeze([
  'afterFetchCollection',
  'afterFetchOne',
  'afterCreate',
  'afterUpdate',
  'afterSave',
  'afterDelete',
  'afterRelationshipMutate',
])

/** Whether functions of the application may fail with any status: hooks, providers, and functions of fields. */
function hasApplicationCode({ type, isReadByStore, serializer, hydrator }: ServedType): boolean {
  return (
    type.hooks !== null ||
    !isReadByStore ||
    serializer !== null ||
    hydrator !== null ||
    [...type.attributes, ...type.relations].some(({ spec }) => hasFunction(spec))
  )
}

function hasFunction(spec: AttributeSpec | RelationSpec): boolean {
  if (spec.extract !== null || spec.fill !== null) return true
  return spec.role === 'attribute' && (spec.serialize !== null || spec.deserialize !== null)
}
