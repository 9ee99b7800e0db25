import { problem } from '../errors/json-api-error.js'
import { isPlainObject } from '../util/frozen.js'
import type { Members } from '../util/types.js'
import type { Faults } from './faults.js'
import { invalid } from './faults.js'
import { localIdOf } from './local-ids.js'
import type { ResolveHref } from './resolve-href.js'
import type { OperationCode, SentTarget } from './sent-operation.js'

/** Where an operation stands, and how its target is found. */
interface Occasion {
  readonly at: string
  readonly resolveHref: ResolveHref
  readonly faults: Faults
}

/** What an operation addresses. */
interface ReadTarget {
  /** `null` where that cannot be said; then there is a fault, or the data that should say it has one. */
  readonly target: SentTarget | null
  /** `null` where it is not known. */
  readonly isRelationship: boolean | null
}

const nowhere: ReadTarget = Object.freeze({ target: null, isRelationship: null })

/** By `ref`, by `href`, or by the data of a resource that is added or updated. */
export function readTarget(operation: Members, op: OperationCode, occasion: Occasion): ReadTarget {
  const { at, faults } = occasion
  const [hasRef, hasHref] = [Object.hasOwn(operation, 'ref'), Object.hasOwn(operation, 'href')]
  if (hasRef && hasHref) {
    faults.note(invalid("an operation has 'ref' or 'href', not both", at))
    return nowhere
  }
  if (hasRef) return refTarget(operation, op, `${at}/ref`, faults)
  if (hasHref) return fitting(readHref(operation['href'], occasion), op, `${at}/href`, faults)
  if (op === 'remove') {
    faults.note(invalid("what is removed is named by 'ref' or 'href'", at))
    return nowhere
  }
  return { target: impliedTarget(operation['data'], op, `${at}/data`, faults), isRelationship: false }
}

/** A resource that is added may be named as it names itself. */
function refTarget({ ref, data }: Members, op: OperationCode, at: string, faults: Faults): ReadTarget {
  const target = readRef(ref, at, faults)
  const isNew = op === 'add' && target !== null && target.relationship === null && isPlainObject(data)
  const namesItself =
    isNew && data['type'] === target.type && (data['id'] ?? null) === target.id && localIdOf(data) === target.lid
  if (!namesItself) return fitting(target, op, at, faults)
  return { target: { ...target, id: null, lid: null }, isRelationship: false }
}

/** https://jsonapi.org/ext/atomic/#operation-objects */
function readRef(ref: unknown, at: string, faults: Faults): SentTarget | null {
  if (!isPlainObject(ref)) {
    faults.note(invalid("'ref' is an object", at))
    return null
  }
  const { type, id, lid, relationship } = ref
  const local = localIdOf(ref)
  const problems = [
    ...(isName(type) ? [] : [invalid("'ref' names a type", type === undefined ? at : `${at}/type`)]),
    ...(id === undefined || typeof id === 'string' ? [] : [invalid("'id' is a text", `${at}/id`)]),
    ...(lid === undefined || typeof lid === 'string' ? [] : [invalid("'lid' is a text", `${at}/lid`)]),
    ...(id === undefined && lid === undefined ? [invalid("'ref' names a resource by 'id' or 'lid'", at)] : []),
    ...(id === undefined && lid === '' ? [invalid("an empty 'lid' names nothing", `${at}/lid`)] : []),
    ...(id !== undefined && local !== null ? [invalid("'ref' has 'id' or 'lid', not both", at)] : []),
    ...(relationship === undefined || isName(relationship)
      ? []
      : [invalid("'relationship' is the name of one", `${at}/relationship`)]),
  ]
  faults.note(...problems)
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

function readHref(href: unknown, { at, resolveHref, faults }: Occasion): SentTarget | null {
  const typePointer = `${at}/href`
  const found = typeof href === 'string' ? resolveHref(href) : null
  if (found !== null) {
    const { type, id, relationship } = found
    return { type, id, lid: null, relationship, typePointer }
  }
  faults.note(
    typeof href === 'string'
      ? problem('ATOMIC_HREF_UNRESOLVABLE', { href }, { source: { pointer: typePointer } })
      : invalid("'href' is a text", typePointer),
  )
  return null
}

/** A resource says itself where it belongs, and one that is there which it is. */
function impliedTarget(data: unknown, op: OperationCode, at: string, faults: Faults): SentTarget | null {
  // What is wrong with the data is told of the data.
  if (!isPlainObject(data) || typeof data['type'] !== 'string') return null
  const { type, id } = data
  const lid = op === 'add' ? null : localIdOf(data)
  const target = { type, id: null, lid: null, relationship: null, typePointer: `${at}/type` }
  if (op === 'add') return target
  if (typeof id === 'string') return { ...target, id }
  if (id !== undefined) return null
  if (lid !== null) return { ...target, lid }
  faults.note(invalid("what is updated is named by 'ref' or 'href', or by the 'id' of the resource", at))
  return null
}

/** Resources are added to collections; what is there is updated and removed. */
function fitting(target: SentTarget | null, op: OperationCode, at: string, faults: Faults): ReadTarget {
  if (target === null) return nowhere
  if (target.relationship !== null) return { target, isRelationship: true }
  const isCollection = target.id === null && target.lid === null
  if (isCollection === (op === 'add')) return { target, isRelationship: false }
  const message =
    op === 'add'
      ? 'a resource is added to a collection: leave this out, or name it as its data does'
      : 'a collection is neither updated nor removed'
  faults.note(invalid(message, at))
  return { target: null, isRelationship: false }
}
