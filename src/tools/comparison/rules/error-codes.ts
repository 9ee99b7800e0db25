import type { Finding } from '../compare/change.js'
import type { ContractRule } from '../compare/contract-rule.js'
import { listDifference, quotedNames } from '../compare/contract-rule.js'

/** Compares the codes of errors by status. The codes of a new or removed status are not listed. */
export const errorCodes: ContractRule = ({ before, after }) =>
  [...before.errorCodes].flatMap(([status, codes]): readonly Finding[] => {
    const { added, removed } = listDifference(codes, after.errorCodes.get(status) ?? codes)
    const finding = (code: Finding['code'], clause: string): Finding => {
      return { code, type: null, member: null, operations: [], sentence: `Errors with the status ${status} ${clause}` }
    }
    return [
      ...(added.length === 0 ? [] : [finding('error-code-added', `may have the code ${quotedNames(added)}.`)]),
      ...(removed.length === 0
        ? []
        : [finding('error-code-removed', `no longer have the code ${quotedNames(removed)}.`)]),
    ]
  })
