import type {
  AggregateGroup,
  AggregateMeasure,
  CompiledAggregate,
} from '../../../declare/resource/aggregates/compiled-aggregate.js'
import type { CompiledAttribute, CompiledRelation } from '../../../declare/resource/compiled/compiled-type.js'
import type { FieldSpec } from '../../../declare/resource/fields/field-spec.js'
import type { ValueKind } from '../../../declare/resource/fields/value-kind.js'
import { isMemberName } from '../../../core/document/member-name.js'
import type { BuildContext, BuildRule, DeclaredType } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue, quoteList } from '../declared/describe-value.js'
import { storageOf } from '../declared/relation-reader.js'
import { isPathSegment } from './path-segment.js'
import type { Finding } from './query-targets.js'
import { refuseUnqueryable } from './refuse-unqueryable.js'
import { targetsOf } from './relation-paths.js'

/**
 * Checks that aggregates have legal names, that the store computes them, and that their fields are columns whose values clients see as
 * they are stored.
 */
export const aggregates: BuildRule = eachType((declared, context) => {
  const { type } = declared
  return type.aggregates.flatMap((aggregate) => {
    const member = `aggregates.${aggregate.name}`
    return [
      ...[...wholeFindings(aggregate, declared), ...typeFindings(aggregate, declared, context)].map((finding) => {
        return { member, ...finding }
      }),
      ...[...aggregate.groups, ...aggregate.measures].flatMap((field) => {
        const isGroup = 'part' in field
        const findings = [
          ...nameFindings(field.name),
          ...(isGroup ? groupFindings(field, declared, context) : measureFindings(field, declared)),
        ]
        return findings.map((finding) => ({ member: `${member}.${field.name}`, ...finding }))
      }),
    ]
  })
})

function wholeFindings(
  { measures }: CompiledAggregate,
  { provider, customReads, type }: DeclaredType,
): readonly Finding[] {
  const findings: Finding[] = []
  if (measures.length === 0) {
    findings.push({ problem: 'computes nothing', remedy: 'add a measure, such as g.count()' })
  }
  if (provider?.fetchGroups === undefined) {
    findings.push({
      problem: "needs a provider with 'fetchGroups', which that of the type does not have",
      remedy: 'add the function to the provider, or remove the aggregate',
    })
  } else if (customReads.size > 0 && !customReads.has('fetchGroups')) {
    findings.push({
      problem: `groups all rows of the store, but the provider replaces ${quoteList([...customReads])}, and not 'fetchGroups'`,
      remedy:
        'replace fetchGroups with a function that groups the same rows as the others, restrict the rows by a scope instead, or remove the aggregate',
    })
  }
  if (type.serializer !== null) {
    findings.push({
      problem: 'groups columns, but clients see the values that the serializer of the type returns',
      remedy: 'remove the serializer or the aggregate',
    })
  }
  return findings
}

function typeFindings(
  { name, type }: CompiledAggregate,
  declared: DeclaredType,
  { types }: BuildContext,
): readonly Finding[] {
  if (!isPathSegment(name) || !isMemberName(type)) {
    const remedy = 'use letters and digits, with hyphens or underscores between them'
    return [{ problem: `has a name that cannot be part of a path and of the type ${describeValue(type)}`, remedy }]
  }
  const shares = (other: DeclaredType): boolean =>
    other.type.servers.some((server) => declared.type.servers.includes(server))
  const isTaken = types.some(
    (other) =>
      shares(other) &&
      (other.type.type === type ||
        (other !== declared && other.type.aggregates.some((aggregate) => aggregate.type === type))),
  )
  if (!isTaken) return []
  return [{ problem: `has resources of the type '${type}', which is declared too`, remedy: 'give it another name' }]
}

function nameFindings(name: string): readonly Finding[] {
  if (isMemberName(name) && name !== 'id' && name !== 'type') return []
  return [
    {
      problem: `${describeValue(name)} is not a name that JSON:API allows for a field`,
      remedy: 'use letters and digits, with hyphens or underscores between them, but neither id nor type',
    },
  ]
}

function groupFindings(group: AggregateGroup, declared: DeclaredType, context: BuildContext): readonly Finding[] {
  const relation = declared.type.relationNamed.get(group.field)
  if (relation !== undefined) return relationFindings(group, relation, declared, context)
  const attribute = declared.type.attributeNamed.get(group.field)
  if (attribute === undefined) return [unknownField(group.field, 'an attribute or a to-one relation')]
  const finding = attributeFinding(attribute) ?? kindFinding(group, attribute.spec.kind)
  return finding === null ? [] : [finding]
}

function kindFinding({ field, part }: AggregateGroup, kind: ValueKind): Finding | null {
  const isDated = kind.comparedAs === 'moment' && kind.storageType !== 'time'
  if (part !== null) {
    if (isDated) return null
    return { problem: `takes the ${part} of '${field}', which is no date`, remedy: 'group by a date or a dateTime' }
  }
  if (isDated && kind.storageType === 'instant') {
    const problem = `groups by '${field}', which hardly has equal values`
    return { problem, remedy: `group by a part: g.day('${field}'), g.week(…), g.month(…), g.quarter(…) or g.year(…)` }
  }
  const isGroupable = kind.comparedAs === 'text' || kind.comparedAs === 'boolean' || kind.comparedAs === 'number'
  if ((isGroupable && !kind.isRounded) || isDated) return null
  return {
    problem: `groups by '${field}', whose kind ${describeValue(kind.name)} has no values to group by`,
    remedy: 'group by texts, whole numbers, booleans, dates or to-one relations',
  }
}

function relationFindings(
  { field, part }: AggregateGroup,
  relation: CompiledRelation,
  declared: DeclaredType,
  context: BuildContext,
): readonly Finding[] {
  if (part !== null) return [unknownField(field, 'an attribute with a date')]
  const targets = targetsOf(context, declared, relation)
  const storage = storageOf({ relation, owner: declared, targets })
  if (relation.spec.traits.toMany || storage.kind !== 'found' || storage.storage.kind !== 'ownKey') {
    const problem = `groups by '${field}', whose key is not in the rows of the type`
    return [{ problem, remedy: 'group by a relation that belongs to one resource' }]
  }
  if (isHiddenFromAll(relation.spec)) return [hiddenField(field)]
  const mayHide = targets.some(({ type }) => type.scope !== null || type.softDeletes !== null)
  const unqueryable = mayHide ? refuseUnqueryable(relation, declared, context) : null
  if (unqueryable === null) return []
  const remedy = 'read both types from one store, since related rows may be hidden from clients'
  return [{ problem: unqueryable, remedy }]
}

function measureFindings({ function: name, field }: AggregateMeasure, { type }: DeclaredType): readonly Finding[] {
  if (field === null) return []
  const attribute = type.attributeNamed.get(field)
  if (attribute === undefined) return [unknownField(field, `an attribute: g.${name}('title')`)]
  const { kind } = attribute.spec
  const finding = attributeFinding(attribute)
  if (finding !== null) return [finding]
  if (name === 'count') return []
  const isAdded = name === 'sum' || name === 'avg'
  const isOrdered = kind.comparedAs === 'number' || kind.comparedAs === 'text' || kind.comparedAs === 'moment'
  if (isAdded ? kind.comparedAs === 'number' : isOrdered) return []
  return [
    {
      problem: `has ${name}() of '${field}', whose kind is ${describeValue(kind.name)}`,
      remedy: isAdded ? 'take a number' : 'take a number, a text, a date or a time',
    },
  ]
}

/** Returns why the stored values of an attribute are not those that clients see; `null` if they are. */
function attributeFinding({ name, spec, column }: CompiledAttribute): Finding | null {
  if (isHiddenFromAll(spec)) return hiddenField(name)
  const isConverted = spec.extract !== null || spec.serialize !== null || spec.kind.children !== 'none'
  if (column !== null && !isConverted) return null
  return {
    problem: `takes '${name}', whose values are not those of a column of the type`,
    remedy: 'take an attribute with a column, that no function computes or converts',
  }
}

function isHiddenFromAll({ hidden, writeOnly }: Pick<FieldSpec, 'hidden' | 'writeOnly'>): boolean {
  return hidden === true || writeOnly === true
}

function hiddenField(name: string): Finding {
  return {
    problem: `takes '${name}', which is hidden from all clients`,
    remedy: 'take a field that clients can see',
  }
}

function unknownField(name: string, expected: string): Finding {
  return { problem: `takes '${name}', which the type does not have`, remedy: `name ${expected}` }
}
