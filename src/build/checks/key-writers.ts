import type { CompiledRelation } from '../../resource/compiled-type.js'
import type { FieldSpec } from '../../resource/fields/field-spec.js'
import type { RelationKey } from '../../resource/relations/relation-spec.js'
import { heldKey } from '../../resource/relations/resolve-storage.js'
import { storageOf } from '../declared/relation-reader.js'
import type { BuildRule, BuildWorld, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { writersIn, writersOf } from './one-writer.js'
import { targetsOf } from './relation-paths.js'
import { shown } from '../declared/shown.js'

/**
 * The columns that hold a relation are written by the relation, and by no attribute and no field of join rows besides:
 * else one of the two loses what was sent, or a member is led elsewhere. Two relations may share a column: requests that
 * want two things of it are refused.
 */
export const keyWriters: BuildRule = eachType((declared, world) => [
  ...attributeFaults(declared),
  ...declared.type.relations.flatMap((relation) => pivotFaults(relation, declared, world)),
])

function attributeFaults(declared: DeclaredType): readonly TypeFault[] {
  const { type } = declared
  const keys = type.relations.flatMap((relation) => {
    const key = relation.spec.fill === null ? heldKey(relation, type) : null
    return key === null ? [] : [{ relation, columns: columnsOf(key) }]
  })
  return writersOf(declared).flatMap(({ member, column, spec }) => {
    const twin = keys.find(({ relation, columns }) => {
      return columns.includes(column) && areWrittenTogether(spec, relation.spec)
    })
    if (twin === undefined) return []
    return [
      {
        member,
        problem: `writes the column ${shown(column)}, which the relation ${shown(twin.relation.name)} writes too`,
        remedy: 'make one of the two readOnly(), or take it away',
      },
    ]
  })
}

/** Whether one request may write both. */
function areWrittenTogether(one: FieldSpec, other: FieldSpec): boolean {
  if (one.hidden === true || other.hidden === true) return false
  const onCreate = one.readOnlyOnCreate !== true && other.readOnlyOnCreate !== true
  return onCreate || (one.readOnlyOnUpdate !== true && other.readOnlyOnUpdate !== true)
}

function pivotFaults(relation: CompiledRelation, declared: DeclaredType, world: BuildWorld): readonly TypeFault[] {
  const { name, spec } = relation
  if (!spec.traits.joined || !areWrittenTogether(spec, spec)) return []
  const found = storageOf({ relation, owner: declared, targets: targetsOf(world, declared, relation) })
  if (found.kind === 'missing' || found.storage.kind !== 'join') return []
  const { model, owner, member: target } = found.storage
  const ownKey = world.types.find(({ type }) => type.model?.name === model)?.type.model?.key ?? 'id'
  const keys = [...columnsOf(owner), ...columnsOf(target), ownKey]
  return Object.entries(spec.pivot)
    .flatMap(([field, own]) => writersIn(`${name}.${field}`, field, own))
    .filter(({ column }) => keys.includes(column))
    .map(({ member, column }) => ({
      member,
      problem: `writes the column ${shown(column)}, which is a key of the join rows`,
      remedy: 'make it readOnly(), or store it in another column with storedAs()',
    }))
}

function columnsOf({ id, type }: RelationKey): readonly string[] {
  return type === null ? [id] : [id, type]
}
