import { problem } from '../../core/errors/json-api-error.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { JsonMembers } from '../../core/util/types.js'
import type { ProblemCollector } from './problem-collector.js'
import { invalidBatch } from './problem-collector.js'
import { localIdOf } from './local-ids.js'
import type { ResolveHref } from './resolve-href.js'
import type { OperationCode, SentTarget } from './sent-operation.js'

/** The parameters for reading the target of an operation. */
interface TargetReading {
  /** The pointer of the operation. */
  readonly at: string
  readonly resolveHref: ResolveHref
  readonly faults: ProblemCollector
}

/** The target of an operation. */
interface ReadTarget {
  /**
   * `null` if the target is invalid. That is reported here, or by the check of the data if the data names the target.
   */
  readonly target: SentTarget | null
  /** `null` if the target is invalid. */
  readonly isRelationship: boolean | null
}

const invalidTarget: ReadTarget = Object.freeze({ target: null, isRelationship: null })

/** Reads the target from `ref`, `href`, or the data of a resource that is added or updated. */
export function readTarget(operation: JsonMembers, op: OperationCode, reading: TargetReading): ReadTarget {
  const { at, faults } = reading
  const [hasRef, hasHref] = [Object.hasOwn(operation, 'ref'), Object.hasOwn(operation, 'href')]
  if (hasRef && hasHref) {
    faults.report(invalidBatch("an operation has 'ref' or 'href', not both", at))
    return invalidTarget
  }
  if (hasRef) return refTarget(operation, op, `${at}/ref`, faults)
  if (hasHref) return checkedTarget(readHref(operation['href'], reading), op, `${at}/href`, faults)
  if (op === 'remove') {
    faults.report(invalidBatch("a 'remove' operation must have 'ref' or 'href'", at))
    return invalidTarget
  }
  return { target: impliedTarget(operation['data'], op, `${at}/data`, faults), isRelationship: false }
}

/** Reads `ref`. The `ref` of an added resource may repeat the identity of its data. */
function refTarget({ ref, data }: JsonMembers, op: OperationCode, at: string, faults: ProblemCollector): ReadTarget {
  const target = readRef(ref, at, faults)
  const isNew = op === 'add' && target !== null && target.relationship === null && isPlainObject(data)
  const repeatsIdentity =
    isNew && data['type'] === target.type && (data['id'] ?? null) === target.id && localIdOf(data) === target.lid
  if (!repeatsIdentity) return checkedTarget(target, op, at, faults)
  return { target: { ...target, id: null, lid: null }, isRelationship: false }
}

/** https://jsonapi.org/ext/atomic/#operation-objects */
function readRef(ref: unknown, at: string, faults: ProblemCollector): SentTarget | null {
  if (!isPlainObject(ref)) {
    faults.report(invalidBatch("'ref' must be an object", at))
    return null
  }
  const { type, id, lid, relationship } = ref
  const local = localIdOf(ref)
  const problems = [
    ...(isName(type) ? [] : [invalidBatch("'ref' must have a 'type'", type === undefined ? at : `${at}/type`)]),
    ...(id === undefined || typeof id === 'string' ? [] : [invalidBatch("'id' must be a string", `${at}/id`)]),
    ...(lid === undefined || typeof lid === 'string' ? [] : [invalidBatch("'lid' must be a string", `${at}/lid`)]),
    ...(id === undefined && lid === undefined ? [invalidBatch("'ref' must have 'id' or 'lid'", at)] : []),
    ...(id === undefined && lid === '' ? [invalidBatch("'lid' must not be empty", `${at}/lid`)] : []),
    ...(id !== undefined && local !== null ? [invalidBatch("'ref' has 'id' or 'lid', not both", at)] : []),
    ...(relationship === undefined || isName(relationship)
      ? []
      : [invalidBatch("'relationship' must be the name of a relationship", `${at}/relationship`)]),
  ]
  faults.report(...problems)
  if (problems.length > 0 || !isName(type)) return null
  return {
    type,
    id: typeof id === 'string' ? id : null,
    lid: id === undefined ? local : null,
    relationship: isName(relationship) ? relationship : null,
    typePointer: `${at}/type`,
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function readHref(href: unknown, { at, resolveHref, faults }: TargetReading): SentTarget | null {
  const typePointer = `${at}/href`
  const found = typeof href === 'string' ? resolveHref(href) : null
  if (found !== null) {
    const { type, id, relationship } = found
    return { type, id, lid: null, relationship, typePointer }
  }
  faults.report(
    typeof href === 'string'
      ? problem('ATOMIC_HREF_UNRESOLVABLE', { href }, { source: { pointer: typePointer } })
      : invalidBatch("'href' must be a string", typePointer),
  )
  return null
}

/** Reads the target from the data: the type of an added resource, or the identity of an updated one. */
function impliedTarget(data: unknown, op: OperationCode, at: string, faults: ProblemCollector): SentTarget | null {
  // The check of the data reports these problems.
  if (!isPlainObject(data) || typeof data['type'] !== 'string') return null
  const { type, id } = data
  const lid = op === 'add' ? null : localIdOf(data)
  const target = { type, id: null, lid: null, relationship: null, typePointer: `${at}/type` }
  if (op === 'add') return target
  if (typeof id === 'string') return { ...target, id }
  if (id !== undefined) return null
  if (lid !== null) return { ...target, lid }
  faults.report(invalidBatch("an 'update' operation must have 'ref', 'href', or an 'id' in its data", at))
  return null
}

/**
 * Checks that a resource is added to a collection, and that an update or removal has a single resource as its target.
 */
function checkedTarget(target: SentTarget | null, op: OperationCode, at: string, faults: ProblemCollector): ReadTarget {
  if (target === null) return invalidTarget
  if (target.relationship !== null) return { target, isRelationship: true }
  const isCollection = target.id === null && target.lid === null
  if (isCollection === (op === 'add')) return { target, isRelationship: false }
  const message =
    op === 'add'
      ? "a resource is added to a collection: leave this member out, or repeat the 'type', 'id' and 'lid' of 'data' in 'ref'"
      : 'a collection cannot be updated or removed'
  faults.report(invalidBatch(message, at))
  return { target: null, isRelationship: false }
}
