import { failAll } from '../../errors/json-api-error.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../resource/compiled-type.js'
import type { HandlerServices } from '../handler-services.js'
import { attributeProblems } from '../validation/attribute-problems.js'
import type { Validation } from '../validation/validation.js'
import { unknownMemberProblems } from './check-members.js'
import type { ResourceDocument } from './resource-document.js'
import { writableAttributes } from './writable-attributes.js'

/** What is being written: in which mode, over which row, beside which other values. */
export type Write = Pick<Validation, 'mode' | 'context' | 'row' | 'sibling'>

/** 422 with every problem of the attributes at once, else the attributes that the document may write. */
export async function checkAttributes(
  served: ServedType,
  document: ResourceDocument,
  write: Write,
  { schemas, unknownMembers, maxErrors: limit }: HandlerServices,
): Promise<readonly CompiledAttribute[]> {
  const writable = writableAttributes(served.type, write.mode, write.context)
  const problems = [
    ...(unknownMembers === 'reject' ? unknownMemberProblems(served, document, writable, limit) : []),
    ...(await attributeProblems(document.attributes, { ...write, schemas, writable, limit })),
  ]
  if (problems.length > 0) failAll(problems.slice(0, limit))
  return writable
}
