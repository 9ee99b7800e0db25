import type { Finding } from './change.js'
import type { OperationContract } from '../model/contract.js'

/** Returns the place of a part of the queries of an operation, and the words for whose it is. @param member `?sort=title` */
export function placeOfQuery(
  { key, subject }: OperationContract,
  member: string,
): { readonly place: Pick<Finding, 'type' | 'member' | 'operations'>; readonly of: string } {
  return {
    place: { type: subject, member, operations: [key] },
    of: subject === null ? ` of ${key}` : ` of '${subject}'`,
  }
}
