import { inappropriate } from '../write/document/sent-linkage.js'
import { readRelationships } from '../write/document/sent-relationships.js'
import type { ServedRelation } from '../resource/capabilities/served-type.js'
import { isPlainObject } from '../util/frozen.js'
import type { Members } from '../util/types.js'
import type { Faults } from './faults.js'
import { localIdOf } from './local-ids.js'
import type { KindOf, KindOfType } from './operation-kind.js'
import type { SentOperation } from './sent-operation.js'

/** Notes what is wrong with the form of linkage, of which only its relation can tell: whether it is one member or a list. */
export function noteLinkageForm(operation: SentOperation, kindOf: KindOf, faults: Faults): void {
  const found = kindOf(operation)
  if (found === null || !found.isExposed) return
  const { target, pointer: at } = operation
  if (target.relationship === null) {
    // Of what is removed, nobody looks at the data.
    if (operation.op !== 'remove') noteEmbedded(operation, found, faults)
  } else {
    const relation = found.served.relations.get(target.relationship)
    const isList = Array.isArray(operation.data)
    if (relation === undefined || relation.writeBy === 'nobody' || isList === relation.spec.traits.toMany) return
    faults.note(inappropriate(relation, `${at}/data`))
  }
}

/** Of the relationships of a resource object, only those are looked at that a client may write. */
function noteEmbedded({ data, pointer: at }: SentOperation, { writable }: KindOfType, faults: Faults): void {
  const relationships = isPlainObject(data) ? data['relationships'] : undefined
  if (!isPlainObject(relationships)) return
  const isUnsound = ({ name, spec }: ServedRelation): boolean =>
    Object.hasOwn(relationships, name) && !isSound(relationships[name], spec.traits.toMany)
  const relations = writable().filter(isUnsound)
  if (relations.length === 0) return
  const named = Object.fromEntries(relations.map(({ name }) => [name, withoutLocalIds(relationships[name])]))
  for (const each of readRelationships({ relationships: named }, relations).problems) {
    if (faults.isFull) return
    const { source } = each
    const isPlaced = source !== undefined && 'pointer' in source
    faults.note(isPlaced ? { ...each, source: { pointer: at + source.pointer } } : each)
  }
}

/** Whether there is nothing wrong with a relationship, at a glance: what is wrong, others find out. */
function isSound(relationship: unknown, toMany: boolean): boolean {
  if (!isPlainObject(relationship)) return false
  const { data } = relationship
  if (toMany) return Array.isArray(data) && data.every(isIdentifier)
  return data === null || isIdentifier(data)
}

function isIdentifier(value: unknown): boolean {
  if (!isPlainObject(value) || typeof value['type'] !== 'string') return false
  return value['lid'] === undefined ? typeof value['id'] === 'string' : localIdOf(value) !== null
}

/** Whatever a local id stands for is an id. */
function withoutLocalIds(relationship: unknown): unknown {
  if (!isPlainObject(relationship) || !Object.hasOwn(relationship, 'data')) return relationship
  const { data } = relationship
  return { data: Array.isArray(data) ? data.map(withId) : withId(data) }
}

function withId(identifier: unknown): unknown {
  if (!isPlainObject(identifier) || localIdOf(identifier) === null) return identifier
  const { lid: _, ...named }: Members = identifier
  return { ...named, id: '' }
}
