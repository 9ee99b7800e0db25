import type { Problem } from '../errors/json-api-error.js'
import { problem } from '../errors/json-api-error.js'
import { isPlainObject } from '../util/frozen.js'
import { invalid } from './invalid.js'
import { localIdOf } from './local-ids.js'
import type { ResolveHref } from './resolve-href.js'
import type { OperationCode, SentTarget } from './sent-operation.js'

type Members = Readonly<Record<string, unknown>>

/** What an operation addresses, or why that cannot be said. */
interface ReadTarget {
  /** `null` where there are problems, and where the data that should say it has some. */
  readonly target: SentTarget | null
  /** `null` where it is not known. */
  readonly isRelationship: boolean | null
  readonly problems: readonly Problem[]
}

interface Place {
  /** Where the operation stands. */
  readonly at: string
  readonly resolveHref: ResolveHref
}

/** By `ref`, by `href`, or by the data of a resource that is added or updated. */
export function readTarget(operation: Members, op: OperationCode, { at, resolveHref }: Place): ReadTarget {
  const [hasRef, hasHref] = [Object.hasOwn(operation, 'ref'), Object.hasOwn(operation, 'href')]
  if (hasRef && hasHref) return unknown(invalid("an operation has 'ref' or 'href', not both", at))
  if (hasRef) return fitting(op, `${at}/ref`, readRef(operation['ref'], `${at}/ref`))
  if (hasHref) return fitting(op, `${at}/href`, readHref(operation['href'], `${at}/href`, resolveHref))
  if (op === 'remove') return unknown(invalid("what is removed is named by 'ref' or 'href'", at))
  return { ...impliedTarget(operation['data'], op, `${at}/data`), isRelationship: false }
}

/** https://jsonapi.org/ext/atomic/#operation-objects */
function readRef(ref: unknown, at: string): ReadTarget {
  if (!isPlainObject(ref)) return unknown(invalid("'ref' is an object", at))
  const { type, id, lid, relationship } = ref
  const local = localIdOf(ref)
  const problems = [
    ...(typeof type === 'string' && type !== '' ? [] : [invalid("'ref' names a type", inside(ref, 'type', at))]),
    ...(id === undefined || typeof id === 'string' ? [] : [invalid("'id' is a text", `${at}/id`)]),
    ...(lid === undefined || typeof lid === 'string' ? [] : [invalid("'lid' is a text", `${at}/lid`)]),
    ...(id === undefined && !Object.hasOwn(ref, 'lid') ? [invalid("'ref' names a resource by 'id' or 'lid'", at)] : []),
    ...(id === undefined && lid === '' ? [invalid("an empty 'lid' names nothing", `${at}/lid`)] : []),
    ...(id !== undefined && local !== null ? [invalid("'ref' has 'id' or 'lid', not both", at)] : []),
    ...(relationship === undefined || (typeof relationship === 'string' && relationship !== '')
      ? []
      : [invalid("'relationship' is the name of one", `${at}/relationship`)]),
  ]
  if (problems.length > 0) return unknown(...problems)
  const named = { type: type as string, id: (id as string | undefined) ?? null, lid: id === undefined ? local : null }
  return known({ ...named, relationship: (relationship as string | undefined) ?? null, typePointer: `${at}/type` })
}

function readHref(href: unknown, at: string, resolveHref: ResolveHref): ReadTarget {
  if (typeof href !== 'string') return unknown(invalid("'href' is a text", at))
  const found = resolveHref(href)
  if (found === null) return unknown(problem('ATOMIC_HREF_UNRESOLVABLE', { href }, { source: { pointer: at } }))
  const { type, id, relationship } = found
  return known({ type, id, lid: null, relationship, typePointer: at })
}

/** A resource says itself where it belongs, and one that is there which it is. */
function impliedTarget(data: unknown, op: OperationCode, at: string): Omit<ReadTarget, 'isRelationship'> {
  const none = { target: null, problems: [] }
  // What is wrong with the data is told of the data.
  if (!isPlainObject(data) || !hasType(data)) return none
  const { type, id } = data
  const named = (by: Pick<SentTarget, 'id' | 'lid'>): Omit<ReadTarget, 'isRelationship'> => {
    const target = { type, id: by.id, lid: by.lid, relationship: null, typePointer: `${at}/type` }
    return { target, problems: [] }
  }
  if (op === 'add') return named({ id: null, lid: null })
  if (typeof id === 'string') return named({ id, lid: null })
  if (id !== undefined) return none
  const lid = localIdOf(data)
  if (lid !== null) return named({ id: null, lid })
  const problems = [invalid("what is updated is named by 'ref' or 'href', or by the 'id' of the resource", at)]
  return { target: null, problems }
}

function hasType(data: Members): data is Members & { readonly type: string } {
  return typeof data['type'] === 'string'
}

/** Resources are added to collections; what is there is updated and removed. */
function fitting(op: OperationCode, at: string, read: ReadTarget): ReadTarget {
  const { target } = read
  if (target === null || target.relationship !== null) return read
  const isCollection = target.id === null && target.lid === null
  if (isCollection === (op === 'add')) return read
  const message =
    op === 'add'
      ? 'a resource is added to a collection, and what is named here is one that is there'
      : 'a collection is neither updated nor removed'
  return { ...read, target: null, problems: [invalid(message, at)] }
}

function inside(ref: Members, name: string, at: string): string {
  return Object.hasOwn(ref, name) ? `${at}/${name}` : at
}

function known(target: SentTarget): ReadTarget {
  return { target, isRelationship: target.relationship !== null, problems: [] }
}

function unknown(...problems: readonly Problem[]): ReadTarget {
  return { target: null, isRelationship: null, problems }
}
