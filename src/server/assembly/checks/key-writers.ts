import type { CompiledRelation } from '../../../declare/resource/compiled/compiled-type.js'
import type { FieldSpec } from '../../../declare/resource/fields/field-spec.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { relationKeyColumns } from '../../../declare/resource/compiled/relation-link.js'
import { ownerSideKey } from '../../../declare/resource/compiled/resolve-storage.js'
import { storageOf } from '../declared/relation-reader.js'
import type { BuildRule, BuildContext, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { writersIn, writersOf } from './one-writer.js'
import { targetsOf } from './relation-paths.js'
import { describeValue } from '../declared/describe-value.js'

/**
 * Checks that the key columns of a relation are written by the relation only, and not by an attribute or a field of
 * join rows too. Otherwise one of the two values that were sent is lost, or a member is linked to another row. Two
 * relations may share a column: requests that set it to two different values are rejected.
 */
export const keyWriters: BuildRule = eachType((declared, context) => [
  ...attributeFaults(declared),
  ...declared.type.relations.flatMap((relation) => pivotFaults(relation, declared, context)),
])

function attributeFaults(declared: DeclaredType): readonly TypeFault[] {
  const { type } = declared
  const keys = type.relations.flatMap((relation) => {
    const key = relation.spec.fill === null ? ownerSideKey(relation, type) : null
    return key === null ? [] : [{ relation, columns: relationKeyColumns(key) }]
  })
  return writersOf(declared).flatMap(({ member, column, spec }) => {
    const conflict = keys.find(({ relation, columns }) => {
      return columns.includes(column) && areWrittenTogether(spec, relation.spec)
    })
    if (conflict === undefined) return []
    return [
      {
        member,
        problem: `writes the column ${describeValue(column)}, which the relation ${describeValue(conflict.relation.name)} writes too`,
        remedy: 'make one of the two readOnly(), or remove it',
      },
    ]
  })
}

/** Returns whether one request may write both fields. */
function areWrittenTogether(one: FieldSpec, other: FieldSpec): boolean {
  if (one.hidden === true || other.hidden === true) return false
  const onCreate = one.readOnlyOnCreate !== true && other.readOnlyOnCreate !== true
  return onCreate || (one.readOnlyOnUpdate !== true && other.readOnlyOnUpdate !== true)
}

function pivotFaults(relation: CompiledRelation, declared: DeclaredType, context: BuildContext): readonly TypeFault[] {
  const { name, spec } = relation
  if (!spec.traits.joined || !areWrittenTogether(spec, spec)) return []
  const found = storageOf({ relation, owner: declared, targets: targetsOf(context, declared, relation) })
  if (found.kind === 'missing' || found.storage.kind !== 'join') return []
  const { model, owner, member: target } = found.storage
  const primaryKey = context.types.find(({ type }) => type.model?.name === model)?.type.model?.key ?? 'id'
  const keys = [...relationKeyColumns(owner), ...relationKeyColumns(target), ...keyColumns(primaryKey)]
  return Object.entries(spec.pivot)
    .flatMap(([field, fieldSpec]) => writersIn(`${name}.${field}`, field, fieldSpec))
    .filter(({ column }) => keys.includes(column))
    .map(({ member, column }) => ({
      member,
      problem: `writes the column ${describeValue(column)}, which is a key of the join rows`,
      remedy: 'make it readOnly(), or store it in another column with storedAs()',
    }))
}
