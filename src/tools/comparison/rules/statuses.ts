import type { ChangeCode } from '../kinds/change-kinds.js'
import type { ContractRule } from '../compare/contract-rule.js'
import { eachOperation, listDifference } from '../compare/contract-rule.js'

/** Compares the statuses of responses. */
export const statuses: ContractRule = eachOperation(({ before, after }, finding) => {
  const { added, removed } = listDifference(before.responses.keys(), after.responses.keys())
  return [
    ...removed.map((status) => finding(codeOf(status, 'removed'), `Responses no longer have ${statusText(status)}.`)),
    ...added.map((status) => finding(codeOf(status, 'added'), `Responses may have ${statusText(status)}.`)),
  ]
})

/** Clients must expect errors of any status, so errors of the application are safe. */
function codeOf(status: string, change: 'added' | 'removed'): ChangeCode {
  if (status === 'default') return `other-errors-${change}`
  return /^[23]/.test(status) ? `success-status-${change}` : `error-status-${change}`
}

function statusText(status: string): string {
  return status === 'default' ? 'other statuses, by errors of the application' : `the status ${status}`
}
