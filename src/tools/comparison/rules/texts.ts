import type { ContractRule } from '../compare/contract-rule.js'
import { eachOperation, serviceFinding } from '../compare/contract-rule.js'

/** Compares the descriptions of the service and of its operations. Descriptions of members are compared with the members. */
export const texts: ContractRule = (sides) => [
  ...(sides.before.text === sides.after.text
    ? []
    : [serviceFinding('text-changed', 'The service is described in other words.')]),
  ...operationTexts(sides),
]

const operationTexts = eachOperation(({ before, after }, finding) =>
  before.text === after.text ? [] : [finding('text-changed', 'The operation is described in other words.')],
)
