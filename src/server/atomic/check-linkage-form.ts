import { inappropriate, readRelationships } from '../../serve/write/document/sent-linkage.js'
import type { ServedRelation } from '../../declare/resource/capabilities/served-type.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { JsonMembers } from '../../core/util/types.js'
import type { ProblemCollector } from './problem-collector.js'
import { localIdOf } from './local-ids.js'
import type { FindTypeOperation, TypeOperation } from './type-operation.js'
import type { SentOperation } from './sent-operation.js'

/** Reports linkage of the wrong form: an array for a to-one relation, or a single identifier for a to-many relation. */
export function checkLinkageForm(operation: SentOperation, kindOf: FindTypeOperation, faults: ProblemCollector): void {
  const found = kindOf(operation)
  if (found === null || !found.isExposed) return
  const { target, pointer: at } = operation
  if (target.relationship === null) {
    // The data of a 'remove' operation on a resource is ignored.
    if (operation.op !== 'remove') checkRelationships(operation, found, faults)
  } else {
    const relation = found.served.relations.get(target.relationship)
    const isList = Array.isArray(operation.data)
    if (relation === undefined || relation.writeBy === 'none' || isList === relation.spec.traits.toMany) return
    faults.report(inappropriate(relation, `${at}/data`))
  }
}

/** Checks the relationships of a resource object that a client may write, and no others. */
function checkRelationships(
  { data, pointer: at }: SentOperation,
  { writableRelations: writable }: TypeOperation,
  faults: ProblemCollector,
): void {
  const relationships = isPlainObject(data) ? data['relationships'] : undefined
  if (!isPlainObject(relationships)) return
  const isInvalid = ({ name, spec }: ServedRelation): boolean =>
    Object.hasOwn(relationships, name) && !isValid(relationships[name], spec.traits.toMany)
  const relations = writable().filter(isInvalid)
  if (relations.length === 0) return
  const invalid = Object.fromEntries(relations.map(({ name }) => [name, withoutLocalIds(relationships[name])]))
  for (const each of readRelationships({ relationships: invalid }, relations, Number.POSITIVE_INFINITY).problems) {
    if (faults.isFull()) return
    const { source } = each
    const hasPointer = source !== undefined && 'pointer' in source
    faults.report(hasPointer ? { ...each, source: { pointer: at + source.pointer } } : each)
  }
}

/** A fast check of a relationship. For an invalid one, `readRelationships()` then finds the problems. */
function isValid(relationship: unknown, toMany: boolean): boolean {
  if (!isPlainObject(relationship)) return false
  const { data } = relationship
  if (toMany) return Array.isArray(data) && data.every(isIdentifier)
  return data === null || isIdentifier(data)
}

function isIdentifier(value: unknown): boolean {
  if (!isPlainObject(value) || typeof value['type'] !== 'string') return false
  return value['lid'] === undefined ? typeof value['id'] === 'string' : localIdOf(value) !== null
}

/** Replaces local ids by empty ids, so that `readRelationships()` can check the form of the linkage. */
function withoutLocalIds(relationship: unknown): unknown {
  if (!isPlainObject(relationship) || !Object.hasOwn(relationship, 'data')) return relationship
  const { data } = relationship
  return { data: Array.isArray(data) ? data.map(withId) : withId(data) }
}

function withId(identifier: unknown): unknown {
  if (!isPlainObject(identifier) || localIdOf(identifier) === null) return identifier
  const { lid: _, ...rest }: JsonMembers = identifier
  return { ...rest, id: '' }
}
