import type { Finding } from '../compare/change.js'
import { compareNodes } from '../compare/compare-nodes.js'
import type { ContractRule, OperationPair, Sides } from '../compare/contract-rule.js'
import { operationPairs } from '../compare/contract-rule.js'
import { deprecationFindings } from '../compare/deprecation-findings.js'
import type { ParameterContract } from '../model/contract.js'

/** Compares headers, the ids in paths, and query parameters that are not part of JSON:API. */
export const parameters: ContractRule = (sides) =>
  operationPairs(sides).flatMap((pair) => {
    const [old, newer] = [pair.before.parameters, pair.after.parameters]
    const names = new Set([...old.keys(), ...newer.keys()])
    return [...names].flatMap((name) => parameterFindings(name, old.get(name), newer.get(name), { pair, sides }))
  })

interface Comparison {
  readonly pair: OperationPair
  readonly sides: Sides
}

/** Headers that clients may omit. If the service no longer reads one, requests with it still succeed. */
const hints: readonly string[] = ['If-None-Match', 'Read-After', 'X-Request-Id']

/** @param name `header If-Match` */
function parameterFindings(
  name: string,
  before: ParameterContract | undefined,
  after: ParameterContract | undefined,
  { pair, sides }: Comparison,
): readonly Finding[] {
  const { owner, key } = pair.before
  const [location = '', ...rest] = name.split(' ')
  const parameter = rest.join(' ')
  const noun = location === 'header' ? 'header' : location === 'path' ? 'path parameter' : 'parameter'
  const subject = (): string => `The ${noun} '${parameter}'`
  const finding = (code: Finding['code'], clause: string): Finding => ({
    code,
    type: owner,
    member: null,
    operations: [key],
    sentence: `${subject()} ${clause}`,
    deprecation: before?.deprecation ?? null,
  })
  const isRequired = after?.node.isRequired === true
  if (isRequired && before?.node.isRequired !== true) {
    const code = parameter === 'If-Match' ? 'precondition-required' : 'parameter-required'
    return [finding(code, 'is required.')]
  }
  if (after === undefined) {
    return hints.includes(parameter)
      ? [finding('header-ignored', 'has no effect any more.')]
      : [finding('parameter-removed', 'is gone.')]
  }
  if (before === undefined) return [finding('parameter-added', 'is new.')]
  const place = { sides, type: owner, member: null, operations: [key], subject }
  return [
    ...(before.node.isRequired && !isRequired ? [finding('parameter-optional', 'is no longer required.')] : []),
    ...deprecationFindings(before.deprecation, after.deprecation, finding),
    ...compareNodes({ query: optional(before) }, { query: optional(after) }, place).map((each) => ({
      ...each,
      member: null,
    })),
  ]
}

/** Makes a parameter optional, because `parameterFindings` compares whether it is required. */
function optional({ node }: ParameterContract): ParameterContract['node'] {
  return { ...node, isRequired: false }
}
