import type { Finding } from '../compare/change.js'
import type { AddFinding, ContractRule } from '../compare/contract-rule.js'
import { eachOperation, listDifference, serviceFinding } from '../compare/contract-rule.js'
import type { SecurityContract } from '../model/contract.js'

/** Compares the credentials that requests need. */
export const security: ContractRule = (sides) => [...operationSecurity(sides), ...changedSchemes(sides)]

const operationSecurity = eachOperation(({ before, after }, finding) => [
  ...needFindings(before.security, after.security, finding),
  ...schemeFindings(before.security, after.security, finding),
])

function needFindings(
  { needs: old }: SecurityContract,
  { needs: newer }: SecurityContract,
  finding: AddFinding,
): readonly Finding[] {
  if (old === newer) return []
  if (newer === 'always') return [finding('credentials-required', 'Requests need credentials.')]
  if (old === 'never') return [finding('credentials-sometimes-required', 'Some requests need credentials.')]
  return [
    finding(
      'credentials-not-required',
      newer === 'never' ? 'Requests need no credentials.' : 'Some requests need no credentials.',
    ),
  ]
}

/** Compares the schemes of operations that need credentials in both contracts. */
function schemeFindings(before: SecurityContract, after: SecurityContract, finding: AddFinding): readonly Finding[] {
  if (before.needs === 'never' || after.needs === 'never') return []
  const { added, removed } = listDifference(before.schemes, after.schemes)
  return [
    ...removed.map((scheme) => finding('scheme-removed', `Credentials by '${scheme}' are no longer accepted.`)),
    ...added.map((scheme) => finding('scheme-added', `Credentials by '${scheme}' are accepted.`)),
  ]
}

const changedSchemes: ContractRule = ({ before, after }) =>
  [...before.schemes].flatMap(([name, scheme]): readonly Finding[] => {
    const newer = after.schemes.get(name)
    if (newer === undefined || newer === scheme) return []
    const sentence = `The security scheme '${name}' is ${newer} instead of ${scheme}.`
    return [serviceFinding('scheme-changed', sentence)]
  })
