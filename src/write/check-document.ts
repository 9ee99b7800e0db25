import type { Problem } from '../errors/json-api-error.js'
import { failAll } from '../errors/json-api-error.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { Transaction } from '../resource/capabilities/transactions.js'
import type { Awaitable } from '../util/types.js'
import { collectUpTo, mapAwaitable } from '../util/awaitable.js'
import type { RequestServices } from '../read/request-services.js'
import type { LinkageChange } from './linkage/linkage-change.js'
import { linkageProblems, missingRelations, unsentChanges } from './linkage/linkage-problems.js'
import { attributeProblems } from '../validation/attribute-problems.js'
import type { Validation } from '../validation/validation.js'
import { unknownMemberProblems } from './document/check-members.js'
import { clientIdProblems } from './document/new-key.js'
import type { ResourceDocument } from './document/resource-document.js'
import { declaredOrder, takenProblems } from './conflicts/taken-problems.js'
import type { WritableMembers } from './document/writable-members.js'

/** What is being written: in which mode, and over what. */
export interface Write extends Pick<Validation, 'mode' | 'context' | 'row' | 'stored'> {
  readonly writable: WritableMembers
  /** What becomes of the relations that the document names. */
  readonly changes: readonly LinkageChange[]
  /** Whether the document becomes a row as it stands: only then can its values be taken. */
  readonly storesRow: boolean
  /** The transaction to look up taken values in. */
  readonly transaction: Transaction | null
}

/** 422 with everything that is wrong with the values of a resource object: all of it at once. */
export function checkDocument(
  served: ServedType,
  document: ResourceDocument,
  write: Write,
  services: RequestServices,
): Awaitable<void> {
  const { schemas, maxErrors: limit, unknownMembers, validateStored } = services
  const { mode, context, row, stored, writable, changes } = write
  const validation = { mode, context, schemas, limit, unknownMembers, validateStored }
  const changed = mode === 'update' ? changedByRelations(served, changes) : nothingChanged
  const judged = { mode, context, schemas, limit, row, stored, validateStored, changed, writable: writable.attributes }
  return mapAwaitable(attributeProblems(document.attributes, judged), (attributes) => {
    const unknown = unknownMembers === 'reject' ? unknownMemberProblems(served, document, writable, limit) : none
    const ids = mode === 'create' && document.id !== null ? clientIdProblems(served.type.id, document.id) : none
    const before = ids.length === 0 ? unknown : [...unknown, ...ids]
    const missing = mode === 'create' ? missingRelations(writable.relations, changes, validation) : none
    const unsent = mode === 'create' ? unsentChanges(writable.relations, changes, validation) : []
    const judgedChanges = unsent.length === 0 ? changes : [...changes, ...unsent]
    const room = limit - before.length - attributes.length - missing.length
    const linkage = collectUpTo(judgedChanges, room, (change) => linkageProblems(change, validation))
    return mapAwaitable(linkage, (found) => {
      if (before.length + attributes.length + missing.length + found.length === 0) return
      return refuse(served, document, { write, limit, before, attributes, after: [...missing, ...found] })
    })
  })
}

const none: readonly Problem[] = Object.freeze([])

const nothingChanged: ReadonlySet<string> = new Set()

/** The names of the attributes that are stored in a row that another member of a relation brings. */
function changedByRelations({ type }: ServedType, changes: readonly LinkageChange[]): ReadonlySet<string> {
  if (changes.length === 0) return nothingChanged
  const relations = new Set(changes.map(({ relation }) => relation.name))
  const changed = type.attributes.filter(({ spec }) => spec.on !== null && relations.has(spec.on[0] ?? ''))
  return new Set(changed.map(({ name }) => name))
}

interface Refusal {
  readonly write: Write
  readonly limit: number
  /** The problems of attributes, and those that are told before and after them. */
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
