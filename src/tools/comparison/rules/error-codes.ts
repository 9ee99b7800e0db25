import type { Finding } from '../compare/change.js'
import type { ContractRule } from '../compare/contract-rule.js'
import { listDifference, quotedNames, serviceFinding } from '../compare/contract-rule.js'

/** Compares the codes of errors by status. The codes of a new or removed status are not listed. */
export const errorCodes: ContractRule = ({ before, after }) =>
  [...before.errorCodes].flatMap(([status, codes]): readonly Finding[] => {
    const { added, removed } = listDifference(codes, after.errorCodes.get(status) ?? codes)
    const finding = (code: Finding['code'], clause: string, names: readonly string[]): readonly Finding[] =>
      names.length === 0
        ? []
        : [serviceFinding(code, `Errors with the status ${status} ${clause} the code ${quotedNames(names)}.`)]
    return [
      ...finding('error-code-added', 'may have', added),
      ...finding('error-code-removed', 'no longer have', removed),
    ]
  })
