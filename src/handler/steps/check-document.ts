import type { Problem } from '../../errors/json-api-error.js'
import { failAll } from '../../errors/json-api-error.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { HandlerServices } from '../handler-services.js'
import type { LinkageChange } from '../linkage/linkage-change.js'
import { linkageProblems, missingRelations } from '../linkage/linkage-problems.js'
import { attributeProblems } from '../validation/attribute-problems.js'
import type { Validation } from '../validation/validation.js'
import { unknownMemberProblems } from './check-members.js'
import { clientIdProblems } from './new-key.js'
import type { ResourceDocument } from './resource-document.js'
import type { WritableMembers } from './writable-members.js'

/** What is being written: in which mode, and over what. */
export interface Write extends Pick<Validation, 'mode' | 'context' | 'row' | 'stored'> {
  readonly writable: WritableMembers
  /** What becomes of the relations that the document names. */
  readonly changes: readonly LinkageChange[]
}

/** 422 with everything that is wrong with the values of a resource object: all of it at once. */
export async function checkDocument(
  served: ServedType,
  document: ResourceDocument,
  { writable, changes, ...write }: Write,
  services: HandlerServices,
): Promise<void> {
  const { schemas, maxErrors: limit, unknownMembers } = services
  const { mode, context, row, stored } = write
  const validation = { mode, context, schemas, limit }
  const problems: Problem[] = [
    ...(unknownMembers === 'reject' ? unknownMemberProblems(served, document, writable, limit) : []),
    ...(mode === 'create' ? clientIdProblems(served.type.id, document.id) : []),
    ...(await attributeProblems(document.attributes, { ...validation, row, stored, writable: writable.attributes })),
  ]
  if (mode === 'create') problems.push(...missingRelations(writable.relations, changes, validation))
  for (const change of changes) {
    if (problems.length >= limit) break
    problems.push(...(await linkageProblems(change, validation)))
  }
  if (problems.length > 0) failAll(problems.slice(0, limit))
}
