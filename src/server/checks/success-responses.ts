import type { ResponseMember, SuccessResponse } from '../../resource/responses.js'
import { validOn } from '../../resource/responses.js'
import type { BuildRule, BuildWorld, DeclaredType, TypeFault } from './build-rule.js'
import { eachType } from './build-rule.js'
import { shown } from './shown.js'

/** The success responses of an operation are ones that it can give, each status once. */
export const successResponses: BuildRule = eachType((declared, world) =>
  (Object.keys(declared.type.responses) as ResponseMember[])
    .filter((member) => declared.given[member] !== undefined)
    .flatMap((member) => judge(member, declared, world)),
)

function judge(member: ResponseMember, declared: DeclaredType, world: BuildWorld): readonly TypeFault[] {
  const responses: readonly unknown[] = declared.type.responses[member]
  if (responses.length === 0) {
    return [{ member, problem: 'has no response', remedy: 'name one, or leave it out for the usual one' }]
  }
  return [
    ...responses.flatMap((response) => placeFaults(member, response)),
    ...repeatedStatuses(responses).map((status) => ({
      member,
      problem: `has two responses with the status ${status}`,
      remedy: 'keep one of them',
    })),
    ...responses.flatMap((response) => jobFaults(member, response, { declared, world })),
  ]
}

function placeFaults(member: ResponseMember, response: unknown): readonly TypeFault[] {
  const valid = Object.keys(validOn) as SuccessResponse['kind'][]
  const fitting = valid.filter((kind) => validOn[kind].includes(member)).map((kind) => `${kind}()`)
  const remedy = `use ${fitting.join(', ')}`
  const { kind } = isResponse(response) ? response : {}
  if (kind === undefined) return [{ member, problem: `${shown(response)} is no response`, remedy }]
  return validOn[kind].includes(member) ? [] : [{ member, problem: `cannot answer with ${kind}()`, remedy }]
}

interface Place {
  readonly declared: DeclaredType
  readonly world: BuildWorld
}

/** The job's document is rendered by the server that answers, so the job type is on it too. */
function jobFaults(member: ResponseMember, response: unknown, { declared, world }: Place): readonly TypeFault[] {
  if (!isResponse(response) || response.kind !== 'accepted') return []
  const { jobType } = response
  return declared.type.servers
    .filter((server) => world.typesOn.get(server)?.has(jobType) !== true)
    .map((server) => ({
      member,
      problem: `accepted(${shown(jobType)}) names a type that the server ${shown(server)} does not have`,
      remedy: 'declare the job type there, or name one that is declared',
    }))
}

function isResponse(value: unknown): value is SuccessResponse {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  return typeof value.kind === 'string' && Object.hasOwn(validOn, value.kind)
}

function repeatedStatuses(responses: readonly unknown[]): readonly number[] {
  const statuses = responses.filter(isResponse).map(({ status }) => status)
  return [...new Set(statuses.filter((status, index) => statuses.indexOf(status) !== index))]
}
