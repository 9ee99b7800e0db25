import { failAll } from '../../errors/json-api-error.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { Transaction } from '../../resource/capabilities/transactions.js'
import type { HandlerServices } from '../handler-services.js'
import type { LinkageChange } from '../linkage/linkage-change.js'
import { linkageProblems, missingRelations } from '../linkage/linkage-problems.js'
import { attributeProblems } from '../validation/attribute-problems.js'
import type { Validation } from '../validation/validation.js'
import { unknownMemberProblems } from './check-members.js'
import { clientIdProblems } from './new-key.js'
import type { ResourceDocument } from './resource-document.js'
import { declaredOrder, takenProblems } from './taken-problems.js'
import type { WritableMembers } from './writable-members.js'

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
export async function checkDocument(
  served: ServedType,
  document: ResourceDocument,
  write: Write,
  services: HandlerServices,
): Promise<void> {
  const { schemas, maxErrors: limit, unknownMembers } = services
  const { mode, context, row, stored, writable, changes } = write
  const validation = { mode, context, schemas, limit, unknownMembers }
  const attributes = await attributeProblems(document.attributes, {
    ...validation,
    row,
    stored,
    writable: writable.attributes,
  })
  const before = [
    ...(unknownMembers === 'reject' ? unknownMemberProblems(served, document, writable, limit) : []),
    ...(mode === 'create' ? clientIdProblems(served.type.id, document.id) : []),
  ]
  const after = mode === 'create' ? [...missingRelations(writable.relations, changes, validation)] : []
  for (const change of changes) {
    if (before.length + attributes.length + after.length >= limit) break
    after.push(...(await linkageProblems(change, validation)))
  }
  const found = [...before, ...attributes, ...after]
  if (found.length === 0) return
  const taken = found.length < limit ? await takenProblems(served, document, write, found) : []
  failAll([...before, ...declaredOrder(served.type, [...attributes, ...taken]), ...after].slice(0, limit))
}
