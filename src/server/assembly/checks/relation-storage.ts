import { describeKey, isComposite, keyColumns } from '../../../declare/resource/parts/key-columns.js'
import type { RelationStorage } from '../../../declare/resource/compiled/relation-link.js'
import { referenceColumn, relationKeyColumns } from '../../../declare/resource/compiled/relation-link.js'
import type { CompiledRelation, CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { BuildRule, DeclaredType } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import type { DeclaredRelation } from '../declared/relation-reader.js'
import { relationReader, storageOf } from '../declared/relation-reader.js'
import { knownColumns } from './known-columns.js'
import { targetsOf } from './relation-paths.js'
import { oneOf, describeValue } from '../declared/describe-value.js'
import type { Finding } from './query-targets.js'

/** Checks that the storage of every relation is known, and that a provider can read it. */
export const relationStorage: BuildRule = eachType((declared, context) =>
  declared.type.relations.flatMap((relation) => {
    const targets = targetsOf(context, declared, relation)
    // An undeclared target is reported by the rule relationTargets.
    if (targets.length < relation.spec.targets.length || relation.spec.targets.length === 0) return []
    const finding = storageFinding({ relation, owner: declared, targets })
    return finding === null ? [] : [{ member: relation.name, ...finding }]
  }),
)

function storageFinding(ends: DeclaredRelation): Finding | null {
  const misnamed = misnamedColumn(ends.relation)
  if (misnamed !== null) return misnamed
  const found = storageOf(ends)
  if (found.kind === 'missing') return found.fault
  const column = missingColumn(ends) ?? mismatchedKey(ends, found.storage)
  if (column !== null) return column
  // Without a provider nothing is read. A missing provider is reported by other rules.
  const served = [ends.owner, ...ends.targets].every(({ provider }) => provider !== null)
  if (!served || relationReader(ends) !== null) return null
  const names = ends.targets.map(({ type }) => `'${type.type}'`).join(', ')
  return found.storage.kind === 'join'
    ? {
        problem: 'is stored in join rows, which the provider of this type does not read',
        remedy: "give the provider the function 'fetchRelated', or keep both types in one store",
      }
    : {
        problem: `cannot be read: no provider reads collections of ${names}`,
        remedy: "give the related type a provider with 'fetchCollection', or this one the function 'fetchRelated'",
      }
}

/** Reports a column name that is not a string. */
function misnamedColumn({ spec: { key, join } }: CompiledRelation): Finding | null {
  const optional: readonly unknown[] = [key?.type, join?.owner, join?.member?.id, join?.member?.type]
  const named = optional.filter((column) => column !== null && column !== undefined)
  const [wrong] = [...(key === null ? [] : [key.id]), ...named]
    .filter((column) => typeof column !== 'string' || column === '')
    .map(describeValue)
  if (wrong === undefined) return null
  return { problem: `has ${wrong} as the name of a column`, remedy: 'give column names to via() and through()' }
}

/** Reports keys with another number of columns than the key that they refer to. */
function mismatchedKey({ relation, owner, targets }: DeclaredRelation, storage: RelationStorage): Finding | null {
  const { kind, traits } = relation.spec
  const composite = targets.find(({ type }) => isComposite(referenceColumn(type)))
  if (traits.polymorphic && composite !== undefined && relation.spec.extract === null) {
    return {
      problem: `may refer to '${composite.type.type}', whose key has the columns ${describeKey(referenceColumn(composite.type))}: one column cannot hold it`,
      remedy: 'use belongsTo() or belongsToMany() for that type',
    }
  }
  const [target] = targets
  if (target === undefined) return null
  const wrong = keysOf(storage, owner, target).find(([column, type]) => {
    return keyColumns(column).length !== keyColumns(referenceColumn(type)).length
  })
  if (wrong === undefined) return null
  const [column, type, option] = wrong
  const referenced = referenceColumn(type)
  return {
    problem: `refers to '${type.type}' by ${describeKey(column)}, but the key of '${type.type}' is ${describeKey(referenced)}`,
    remedy: `name a column for each of them, in this order: ${kind}('${target.type.type}').${option(isComposite(referenced) ? "['…', '…']" : "'…'")}`,
  }
}

type ReferringKey = readonly [column: string, type: CompiledType, remedy: (columns: string) => string]

const via = (columns: string): string => `via(${columns})`

/** Returns the keys of a relation, with the types that they refer to. */
function keysOf(storage: RelationStorage, owner: DeclaredType, target: DeclaredType): readonly ReferringKey[] {
  switch (storage.kind) {
    case 'ownKey':
      return [[storage.key.id, target.type, via]]
    case 'relatedKey':
      return [[storage.key.id, owner.type, via]]
    case 'join': {
      const through = (side: string) => (columns: string) => `through('${storage.model}', { ${side}: ${columns}, … })`
      return [
        [storage.owner.id, owner.type, through('owner')],
        [storage.member.id, target.type, through('member')],
      ]
    }
    case 'function':
    case 'provider':
      return []
  }
}

/**
 * Reports a conventional key column that the model does not have. Declared key columns are checked by the rule columns.
 */
function missingColumn({ relation, owner, targets }: DeclaredRelation): Finding | null {
  const found = storageOf({ relation, owner, targets })
  const known = knownColumns(owner.type)
  if (found.kind === 'missing' || found.storage.kind !== 'ownKey' || relation.spec.key !== null || known === null) {
    return null
  }
  const { key } = found.storage
  const missing = relationKeyColumns(key).filter((column) => !known.includes(column))
  if (missing.length === 0) return null
  return {
    problem: `would be stored in ${missing.map(describeValue).join(' and ')}, which the model ${describeValue(owner.type.model?.name)} does not have`,
    remedy: `name ${oneOf(known)} with via('…')`,
  }
}
