import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { ChildSpecs } from '../../declare/resource/fields/attribute-declaration.js'
import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import { stringKind } from '../../declare/resource/fields/value-kind.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { pivotSorts } from '../../serve/read/query/query-vocabulary.js'
import { describedRules } from './constraint-schema.js'
import type { FieldsContract, RelationContract, RelationshipChange, RelationUse } from './contract.js'
import { declaredType } from './declared-types.js'
import { filterContracts, sortContracts } from './filter-contract.js'
import { pageContract } from './page-contract.js'
import { declaredUses, relationUses } from './relation-uses.js'
import { mutateRequirement, readRequirement } from './requirements.js'
import { isAlwaysShown } from './shown-fields.js'
import type { ContractScope } from './contract-scope.js'
import type { EnumerationSchema } from './value-schema.js'
import { membersSchema } from './value-schema.js'

/** Returns what clients depend on of a relation. */
export function relationContract(
  relation: ServedRelation,
  owner: ServedType,
  { server, enumerations }: ContractScope,
): RelationContract {
  const { name, spec, uriName, related, paginator, storage, readBy } = relation
  const { toMany, polymorphic } = spec.traits
  const uses = relationUses(relation)
  const [only] = related.values()
  // Members of several types cannot be filtered or sorted.
  const queried = only === undefined || polymorphic || related.size > 1 ? null : { served: only, relation }
  const boundsOf = (mode: 'create' | 'update') => describedRules(spec.constraints, mode, stringKind).schemas
  return {
    owner: owner.type.type,
    name,
    path: uriName,
    description: spec.description,
    deprecation: spec.deprecation,
    examples: spec.examples,
    targets: spec.targets,
    related: related.size === 0 ? spec.targets : [...related.keys()],
    toMany,
    polymorphic,
    declaredUses: declaredUses(relation),
    uses,
    changes: relationshipChanges(uses, relation, owner),
    isAlwaysShown: isAlwaysShown(spec),
    isLinkable: storage.kind === 'ownKey' || (readBy !== 'none' && spec.linkage !== 'onlyWhenIncluded'),
    countable: spec.countable,
    links: spec.links,
    access: { read: readRequirement(server, owner, relation), mutate: mutateRequirement(server, owner, relation) },
    bounds: { create: boundsOf('create'), update: boundsOf('update') },
    pivot: pivotContract(relation, enumerations),
    filters: filterContracts(spec.filters, { owner, relation, queried }, enumerations),
    sorts: sortContracts(spec.sorts, queried),
    pivotSorts: sortContracts(pivotSorts(spec.pivot), queried),
    defaultSort: spec.defaultSort,
    declaredPage: spec.pagination === undefined ? 'inherited' : pageContract(spec.pagination),
    page: pageContract(paginator),
  }
}

const changeUses = Object.freeze({ update: 'replaceable', add: 'addable', remove: 'removable' })

function relationshipChanges(
  uses: readonly RelationUse[],
  { spec }: ServedRelation,
  { type }: ServedType,
): readonly RelationshipChange[] {
  if (!type.operations.has('Update') || !spec.relationshipEndpoint || !uses.includes('shown')) return []
  return (['update', 'add', 'remove'] as const).filter((change) => uses.includes(changeUses[change]))
}

function pivotContract({ spec: { pivot } }: ServedRelation, enumerations: EnumerationSchema): FieldsContract | null {
  if (Object.keys(pivot).length === 0) return null
  const of = (purpose: DocumentPurpose): FieldsContract[DocumentPurpose] => ({
    declared: declaredType(pivot, purpose),
    served: pivotSchema(pivot, purpose, enumerations),
  })
  return { read: of('read'), create: of('create'), update: of('update') }
}

function pivotSchema(pivot: ChildSpecs, purpose: DocumentPurpose, enumerations: EnumerationSchema): JsonSchema {
  const { properties, required } = membersSchema(pivot, purpose, enumerations)
  return {
    type: 'object',
    properties:
      purpose === 'read' ? markedReadOnly(properties as Readonly<Record<string, JsonSchema>>, pivot) : properties,
    // A member that stays in the relationship need not repeat its fields.
    ...(purpose !== 'update' && required !== undefined ? { required } : {}),
  }
}

/** Marks the fields that cannot be written. */
function markedReadOnly(properties: Readonly<Record<string, JsonSchema>>, fields: ChildSpecs): JsonSchema {
  const isReadOnly = (name: string): boolean =>
    fields[name]?.readOnlyOnCreate === true && fields[name].readOnlyOnUpdate === true
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      isReadOnly(name) ? { ...schema, readOnly: true } : schema,
    ]),
  )
}
