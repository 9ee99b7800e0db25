import type { Problem } from '../../core/errors/json-api-error.js'
import { failAll } from '../../core/errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { Transaction } from '../../declare/resource/request/transactions.js'
import { collectUpTo, isPromise } from '../../core/util/awaitable.js'
import { memoize } from '../../core/util/memoize.js'
import { pausedAfter } from '../../core/util/time-slices.js'
import type { Awaitable } from '../../core/util/types.js'
import type { RequestServices } from '../read/read-context.js'
import type { LinkageChange } from './linkage/linkage-change.js'
import { isPresence, linkageProblems, missingRelations, unsentChanges } from './linkage/linkage-problems.js'
import { areCertainlyValid, attributeProblems } from '../validation/attribute-problems.js'
import type { Validation } from '../validation/validation.js'
import { nothingStored } from '../validation/validation.js'
import { unknownMemberProblems } from './document/check-members.js'
import type { ResourceDocument } from './document/resource-document.js'
import { clientIdProblems } from './document/resource-document.js'
import { declaredOrder, takenProblems } from './conflicts/taken-problems.js'
import type { WritableMembers } from './document/writable-members.js'

/** The write that a document is checked for. */
export interface Write extends Pick<Validation, 'mode' | 'context' | 'row' | 'stored'> {
  readonly writable: WritableMembers
  /** The changes of the relations in the document. */
  readonly changes: readonly LinkageChange[]
  /** The relations in which a new resource names itself by its local id. They are linked once its id is known. */
  readonly selfLinkage?: readonly Pick<LinkageChange, 'relation'>[]
  /** Whether the document is stored as a row. Only then can its values conflict with those of other rows. */
  readonly storesRow: boolean
  /** The transaction in which the values of other rows are read. */
  readonly transaction: Transaction | null
}

/** Fails with 422 and all problems of the values of a resource object together. Returns what the caller goes on with. */
export function checkDocument<Checked>(
  served: ServedType,
  document: ResourceDocument,
  write: Write,
  services: RequestServices,
  checked: Checked,
): Awaitable<Checked> {
  if (write.mode === 'create' && isCertainlyValid(document, write, services)) return checked
  const { schemas, maxErrors: limit, unknownMembers, validateStored } = services
  const { mode, context, row, stored, writable, changes, selfLinkage = [] } = write
  const validation = { mode, context, schemas, limit, unknownMembers, validateStored }
  const changed = mode === 'update' ? changedByRelations(served, changes) : nothingChanged
  const attributes = attributeProblems(document.attributes, {
    mode,
    context,
    schemas,
    limit,
    row,
    stored,
    validateStored,
    changed,
    writable: writable.attributes,
  })
  const sent = selfLinkage.length === 0 ? changes : [...changes, ...selfLinkage]
  const unsent = mode === 'create' ? unsentChanges(writable.relations, sent, validation) : []
  const judged = unsent.length === 0 ? changes : [...changes, ...unsent]
  const linkageFound = ({ length }: readonly Problem[]): Awaitable<readonly Problem[]> =>
    collectUpTo(judged, limit - length, (change) => linkageProblems(change, validation))
  const finish = (ofAttributes: readonly Problem[], ofLinkage: readonly Problem[]): Awaitable<Checked> => {
    const unknown = unknownMembers === 'reject' ? unknownMemberProblems(served, document, writable, limit) : none
    const ids = mode === 'create' && document.id !== null ? clientIdProblems(served.type.id, document.id) : none
    const missing = mode === 'create' ? missingRelations(writable.relations, sent, validation) : none
    if (unknown.length + ids.length + ofAttributes.length + missing.length + ofLinkage.length === 0) return checked
    const around = { before: [...unknown, ...ids], attributes: ofAttributes, after: [...missing, ...ofLinkage] }
    return refuse(served, document, { write, limit, ...around })
  }
  if (isPromise(attributes) || hasLongList(document.attributes)) return finishLater()
  const linkage = linkageFound(attributes)
  return isPromise(linkage) ? linkage.then((found) => finish(attributes, found)) : finish(attributes, linkage)

  async function finishLater(): Promise<Checked> {
    const isLong = hasLongList(document.attributes)
    const found = await (isLong ? pausedAfter(attributes) : attributes)
    return finish(found, await linkageFound(found))
  }
}

/**
 * Fast path for new resources: whether a document certainly meets all rules. Most do, and then no problems have to be collected. The result
 * may be false for a valid document too.
 */
function isCertainlyValid(
  { id, attributes }: ResourceDocument,
  { mode, row, stored, writable, changes, selfLinkage = [] }: Write,
  { schemas, maxErrors: limit, unknownMembers }: RequestServices,
): boolean {
  if (id !== null || unknownMembers === 'reject' || selfLinkage.length > 0) return false
  if (row !== null || stored !== nothingStored || hasLongList(attributes)) return false
  if (!areCertainlyValid(attributes, { mode, writable: writable.attributes, schemas, limit })) return false
  let sent = 0
  for (const { relation, isPlain, hasConstraints } of relationRules(writable.relations)) {
    const change = changes[sent]?.relation === relation ? changes[sent] : undefined
    if (change === undefined) {
      if (hasConstraints) return false
      continue
    }
    sent += 1
    if (!isPlain || (hasConstraints && change.sent.length === 0)) return false
    for (const { type, id: of } of change.sent)
      if (relation.related.get(type)?.type.id.hasFormat(of) !== true) return false
  }
  return sent === changes.length
}

/** The rules of one relation for new resources. */
interface RelationRules {
  readonly relation: ServedRelation
  /** Whether any linkage with members of the right format meets the rules. */
  readonly isPlain: boolean
  /** Whether a resource without members of the relation may violate a rule. */
  readonly hasConstraints: boolean
}

/** The rules in the order of the relations, which is that of the changes. Memoized per list of relations. */
const relationRules = memoize((relations: readonly ServedRelation[]): readonly RelationRules[] =>
  relations.map((relation) => {
    const { constraints, pivot } = relation.spec
    const isPlain = Object.keys(pivot).length === 0 && constraints.every(isPresence)
    return { relation, isPlain, hasConstraints: constraints.length > 0 }
  }),
)

/** A number of items that take so long to check that other requests should get a turn before they are stored. */
const LONG_LIST = 2_000

function hasLongList(attributes: Readonly<Record<string, unknown>>): boolean {
  for (const name in attributes) {
    const value = attributes[name]
    if (Array.isArray(value) && value.length > LONG_LIST) return true
  }
  return false
}

const none: readonly Problem[] = Object.freeze([])

const nothingChanged: ReadonlySet<string> = new Set()

/** Returns the names of the flattened attributes whose related row changes with a relation. */
function changedByRelations({ type }: ServedType, changes: readonly LinkageChange[]): ReadonlySet<string> {
  if (changes.length === 0) return nothingChanged
  const relations = new Set(changes.map(({ relation }) => relation.name))
  const changed = type.attributes.filter(({ spec }) => spec.on !== null && relations.has(spec.on[0] ?? ''))
  return new Set(changed.map(({ name }) => name))
}

interface Refusal {
  readonly write: Write
  readonly limit: number
  /** The problems that are reported before and after those of attributes. */
  readonly before: readonly Problem[]
  readonly attributes: readonly Problem[]
  readonly after: readonly Problem[]
}

async function refuse(
  served: ServedType,
  document: ResourceDocument,
  { write, limit, before, attributes, after }: Refusal,
): Promise<never> {
  const found = [...before, ...attributes, ...after]
  const taken = found.length < limit ? await takenProblems(served, document, write, found) : []
  failAll([...before, ...declaredOrder(served.type, [...attributes, ...taken]), ...after].slice(0, limit))
}
