import type {
  AggregateGroup,
  AggregateMeasure,
  CompiledAggregate,
} from '../../declare/resource/aggregates/compiled-aggregate.js'
import { aggregateSegment } from '../../declare/resource/aggregates/compiled-aggregate.js'
import { groupColumn, groupKeyColumn } from '../../declare/resource/aggregates/group-columns.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import { relationKeyColumns } from '../../declare/resource/compiled/relation-link.js'
import type { RawDeclaration } from '../../declare/resource/define/raw-declaration.js'
import { rawDeclaration } from '../../declare/resource/define/raw-declaration.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import { AttributeDeclaration, attributeOf } from '../../declare/resource/fields/attribute-declaration.js'
import { bigintSumKind } from '../../declare/resource/fields/bigint-kind.js'
import type { FieldSpec } from '../../declare/resource/fields/field-spec.js'
import { id } from '../../declare/resource/fields/id-declaration.js'
import { rule } from '../../declare/resource/fields/rule.js'
import type { ValueKind } from '../../declare/resource/fields/value-kind.js'
import { decimalKind, integerKind, stringKind } from '../../declare/resource/fields/value-kind.js'
import { isVisible } from '../../declare/resource/fields/visible-field.js'
import { RelationDeclaration, relationOf } from '../../declare/resource/relations/relation-declaration.js'
import type { SortDeclaration, SortKit } from '../../declare/resource/sorts/sort-kit.js'
import { keyColumn } from '../../declare/resource/parts/key-columns.js'
import { invariant } from '../../core/util/invariant.js'
import { numberPage } from '../../declare/pagination/paginator.js'
import { compileType } from './compile/compile-type.js'
import type { PolicyCompilation } from './compile/compile-policy.js'
import type { BuildContext, DeclaredType } from './declared/build-rule.js'
import type { ServerSettings } from './declared/server-settings.js'
import { storageOf } from './declared/relation-reader.js'
import { targetsOf } from './checks/relation-paths.js'

/** A type with aggregates, and the policy that it has if it declares none. */
interface AggregatedType {
  readonly declared: DeclaredType
  readonly defaultPolicy: PolicyCompilation
}

/**
 * Returns the types of the groups of all aggregates. A group is a resource like any other, so that fieldsets, sort keys, pages, API
 * descriptions and clients need no second form of it. Only its rows are read in another way: `source` of the served type.
 */
export function aggregateTypes(
  types: readonly AggregatedType[],
  context: BuildContext,
  settings: ServerSettings,
): readonly DeclaredType[] {
  return types.flatMap(({ declared, defaultPolicy }) =>
    declared.type.aggregates.map((aggregate): DeclaredType => {
      const declaration = declarationOf(aggregate, declared, context)
      const compiled = compileType(declaration, settings, defaultPolicy)
      const type: CompiledType = {
        ...compiled,
        // The rows of the owner are filtered, and its scope is applied to them.
        filters: declared.type.filters,
        scope: null,
        groupsOf: { aggregate, owner: declared.type.type },
      }
      return {
        ...declared,
        type: Object.freeze(type),
        serializer: null,
        hydrator: null,
        provider: null,
        providerStore: null,
        persister: null,
        persisterStore: null,
        isReadByStore: false,
        rawMembers: declaration.members,
      }
    }),
  )
}

/** The settings of a type that its aggregates have too. */
const inherited = [
  'server',
  'policy',
  'abilities',
  'cacheHeaders',
  'deprecation',
  'sunset',
  'sunsetLink',
  'tags',
] as const

function declarationOf(aggregate: CompiledAggregate, owner: DeclaredType, context: BuildContext): RawDeclaration {
  const { type, rawMembers } = owner
  const { groups, measures } = aggregate
  const attributes = [
    ...groups.flatMap((group) => groupAttribute(group, type)),
    ...measures.map((measure) => measureAttribute(measure, type)),
  ]
  const relations = groups.flatMap((group) => groupRelation(group, owner, context))
  return rawDeclaration('resource', aggregate.type, {
    ...Object.fromEntries(inherited.flatMap((name) => (name in rawMembers ? [[name, rawMembers[name]]] : []))),
    uriType: `${type.uriType}/${aggregateSegment}/${aggregate.name}`,
    id: id(groupKeyColumn)
      .withoutQueries()
      .describedAs('Identifies the group among those of requests with the same filters.'),
    attributes: () => Object.fromEntries(attributes),
    relations: () => Object.fromEntries(relations),
    sorts: (s: SortKit<string>): Readonly<Record<string, SortDeclaration>> =>
      Object.fromEntries(relations.map(([name, { spec }]) => [name, s.field(spec.key?.id ?? name)])),
    defaultSort: groups.map(({ name }) => name),
    operations: ['FetchCollection'],
    pagination: numberPage(aggregate.pages),
    countable: true,
    ...(groups.length === 0 ? { expectedRows: 1 } : {}),
    selfLink: false,
    ...(aggregate.description === null ? {} : { description: aggregate.description }),
  })
}

type Named<Declared> = readonly [name: string, declared: Declared]

function groupAttribute(
  { name, field, part, description }: AggregateGroup,
  type: CompiledType,
): readonly Named<AttributeDeclaration>[] {
  const attribute = type.attributeNamed.get(field)
  if (attribute === undefined) return []
  const own = attribute.spec
  const spec =
    part === null
      ? valueSpec(own, own.constraints.filter(isNullableOrList))
      : { ...attributeOf(part === 'year' ? integerKind : stringKind, [rule.nullable()]).spec, hidden: concealment(own) }
  return [[name, fieldOf(name, spec, description ?? (part === null ? own.description : null))]]
}

/** The values of a value kind that a measure has: those of the attribute, or numbers. */
function measureAttribute(
  { name, function: computed, field, description }: AggregateMeasure,
  type: CompiledType,
): Named<AttributeDeclaration> {
  const own = field === null ? null : (type.attributeNamed.get(field)?.spec ?? null)
  const hidden = own === null ? false : concealment(own)
  const plain = (kind: ValueKind, isNullable: boolean): AttributeSpec => {
    return { ...attributeOf(kind, isNullable ? [rule.nullable()] : []).spec, hidden }
  }
  if (own === null || computed === 'count') return [name, fieldOf(name, plain(integerKind, false), description)]
  if (computed === 'avg') return [name, fieldOf(name, plain(decimalKind, true), description)]
  if (computed === 'sum') {
    const kind = own.kind.digits === null ? own.kind : bigintSumKind
    return [name, fieldOf(name, plain(kind, true), description)]
  }
  const values = own.constraints.filter((each) => isNullableOrList(each) && each.kind !== 'nullable')
  return [name, fieldOf(name, valueSpec(own, [...values, rule.nullable()]), description)]
}

/** Returns whether a constraint says which values an attribute may have: null, or those of a list. */
function isNullableOrList(constraint: AttributeSpec['constraints'][number]): boolean {
  if (constraint.on !== 'always') return false
  return constraint.kind === 'nullable' || (constraint.kind === 'schema' && constraint.name === 'in')
}

/** Returns the specification of an attribute with the values of another one. */
function valueSpec(own: AttributeSpec, constraints: AttributeSpec['constraints']): AttributeSpec {
  const { kind, enumeration, timezone } = own
  return { ...attributeOf(kind, constraints).spec, enumeration, timezone, hidden: concealment(own) }
}

function fieldOf(name: string, spec: AttributeSpec, description: string | null): AttributeDeclaration {
  return new AttributeDeclaration({
    ...spec,
    description,
    storedAs: groupColumn(name),
    sortable: true,
    readOnlyOnCreate: true,
    readOnlyOnUpdate: true,
  })
}

/**
 * Returns what hides a field of the groups: a caller sees it if the caller sees the field of all rows. A predicate or a guard that
 * decides for each row hides it, because groups would tell what single rows do not.
 */
function concealment(own: FieldSpec): FieldSpec['hidden'] {
  const mayBeHidden =
    typeof own.hidden === 'function' ||
    typeof own.writeOnly === 'function' ||
    own.guard !== null ||
    own.readGuard !== null
  return mayBeHidden ? (_row, context) => !isVisible(own, context) : false
}

function groupRelation(
  { name, field, description }: AggregateGroup,
  owner: DeclaredType,
  context: BuildContext,
): readonly Named<RelationDeclaration>[] {
  const relation = owner.type.relationNamed.get(field)
  if (relation === undefined) return []
  const { spec } = relation
  const storage = storageOf({ relation, owner, targets: targetsOf(context, owner, relation) })
  invariant(storage.kind === 'found' && storage.storage.kind === 'ownKey', `the groups '${name}' have no key`)
  const { key } = storage.storage
  const [stored, type] = [relationKeyColumns({ ...key, type: null }), key.type]
  return [
    [
      name,
      new RelationDeclaration({
        ...relationOf(spec.kind, spec.targets).spec,
        key: {
          id: keyColumn(stored.map((column) => groupColumn(name, column))),
          type: type === null ? null : groupColumn(name, type),
        },
        linkage: 'always',
        links: false,
        relatedEndpoint: false,
        relationshipEndpoint: false,
        constraints: spec.constraints.filter(({ kind }) => kind === 'nullable'),
        cannotBeIncluded: spec.cannotBeIncluded,
        includableIf: spec.includableIf,
        description: description ?? spec.description,
        hidden: concealment(spec),
        readOnlyOnCreate: true,
        readOnlyOnUpdate: true,
      }),
    ],
  ]
}
