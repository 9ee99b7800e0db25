import type { Finding } from './change.js'
import type { OperationContract } from '../model/contract.js'

/** Returns the location of a part of a query, and the text ` of 'albums'` for sentences. @param member `?sort=title` */
export function placeOfQuery(
  { key, subject }: OperationContract,
  member: string,
): { readonly place: Pick<Finding, 'type' | 'member' | 'operations'>; readonly of: string } {
  return {
    place: { type: subject, member, operations: [key] },
    of: subject === null ? ` of ${key}` : ` of '${subject}'`,
  }
}
