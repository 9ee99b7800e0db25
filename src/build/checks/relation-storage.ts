import type { CompiledRelation } from '../../resource/compiled-type.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import type { DeclaredEnds } from '../declared/relation-reader.js'
import { relationReader, storageOf } from '../declared/relation-reader.js'
import { knownColumns } from './known-columns.js'
import { targetsOf } from './relation-paths.js'
import { oneOf, shown } from '../declared/shown.js'
import type { Finding } from './query-targets.js'

/** It is known where every relation is stored, and somebody can read it. */
export const relationStorage: BuildRule = eachType((declared, world) =>
  declared.type.relations.flatMap((relation) => {
    const targets = targetsOf(world, declared, relation)
    // A target that nobody declares is told by another rule.
    if (targets.length < relation.spec.targets.length || relation.spec.targets.length === 0) return []
    const finding = judge({ relation, owner: declared, targets })
    return finding === null ? [] : [{ member: relation.name, ...finding }]
  }),
)

function judge(ends: DeclaredEnds): Finding | null {
  const misnamed = misnamedColumn(ends.relation)
  if (misnamed !== null) return misnamed
  const found = storageOf(ends)
  if (found.kind === 'missing') return found.fault
  const column = missingColumn(ends)
  if (column !== null) return column
  // Without a provider there is nothing to read with; whether one is missing, other rules say.
  const served = [ends.owner, ...ends.targets].every(({ provider }) => provider !== null)
  if (!served || relationReader(ends) !== null) return null
  const names = ends.targets.map(({ type }) => `'${type.type}'`).join(', ')
  return found.storage.kind === 'join'
    ? {
        problem: 'is held by join rows, which the provider of this type does not read',
        remedy: "give the provider the function 'fetchRelated', or keep both types in one store",
      }
    : {
        problem: `cannot be read: no provider here reads collections of ${names}`,
        remedy: "give the related type a provider with 'fetchCollection', or this one the function 'fetchRelated'",
      }
}

/** Columns are named by texts. */
function misnamedColumn({ spec: { key, join } }: CompiledRelation): Finding | null {
  const optional: readonly unknown[] = [key?.type, join?.owner, join?.member?.id, join?.member?.type]
  const given = optional.filter((column) => column !== null && column !== undefined)
  const [wrong] = [...(key === null ? [] : [key.id]), ...given]
    .filter((column) => typeof column !== 'string' || column === '')
    .map(shown)
  if (wrong === undefined) return null
  return { problem: `has ${wrong} for the name of a column`, remedy: 'give via() and through() names of columns' }
}

/** A key column that convention made up and the model does not have; named ones are told by the rule for columns. */
function missingColumn({ relation, owner, targets }: DeclaredEnds): Finding | null {
  const found = storageOf({ relation, owner, targets })
  const known = knownColumns(owner.type)
  if (found.kind === 'missing' || found.storage.kind !== 'ownKey' || relation.spec.key !== null || known === null) {
    return null
  }
  const { key } = found.storage
  const missing = [key.id, ...(key.type === null ? [] : [key.type])].filter((column) => !known.includes(column))
  if (missing.length === 0) return null
  return {
    problem: `would be kept in ${missing.map(shown).join(' and ')}, which the model ${shown(owner.type.model?.name)} does not have`,
    remedy: `name ${oneOf(known)} with via('…')`,
  }
}
