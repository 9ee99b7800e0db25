import type { ResponseMember, ResponseOwner, SuccessResponse } from '../../../declare/resource/replies/responses.js'
import { isBytes, responseOwners } from '../../../declare/resource/replies/responses.js'
import type { BuildRule, BuildContext, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'
import { mediaTypeFaults } from './media-types.js'

/** Checks that an operation can send its success responses, and that each status occurs once. */
export const successResponses: BuildRule = eachType((declared, context) =>
  (Object.keys(declared.type.responses) as ResponseMember[])
    .filter((member) => declared.rawMembers[member] !== undefined)
    .flatMap((member) =>
      responseFaults(declared.type.responses[member], { member, operation: member, declared, context }),
    ),
)

/** The declaration that names the responses. */
interface ResponseDeclaration {
  readonly member: string
  readonly operation: ResponseOwner
  readonly declared: DeclaredType
  readonly context: BuildContext
}

export function responseFaults(responses: readonly unknown[], declaration: ResponseDeclaration): readonly TypeFault[] {
  const { member } = declaration
  if (responses.length === 0) {
    return [{ member, problem: 'has no response', remedy: 'name one, or leave it out for the default' }]
  }
  return [
    ...responses.flatMap((response) => kindFaults(response, declaration)),
    ...repeatedStatuses(responses).map((status) => ({
      member,
      problem: `has two responses with the status ${status}`,
      remedy: 'keep one of them',
    })),
    ...responses.flatMap((response) => typeFaults(response, declaration)),
  ]
}

function kindFaults(response: unknown, { member, operation }: ResponseDeclaration): readonly TypeFault[] {
  const valid = Object.keys(responseOwners) as SuccessResponse['kind'][]
  const fitting = valid.filter((kind) => responseOwners[kind].includes(operation)).map((kind) => `${kind}()`)
  const remedy = `use ${fitting.join(', ')}`
  const { kind } = isResponse(response) ? response : {}
  if (kind === undefined) return [{ member, problem: `${describeValue(response)} is not a response`, remedy }]
  if (!responseOwners[kind].includes(operation)) return [{ member, problem: `cannot respond with ${kind}()`, remedy }]
  if (isBytes(response)) return mediaTypeFaults(member, response.mediaTypes, 'exact')
  return dataFaults(response as SuccessResponse, member)
}

const contents: readonly unknown[] = Object.freeze(['one', 'oneOrNull', 'many'])

function dataFaults(response: SuccessResponse, member: string): readonly TypeFault[] {
  if (response.kind !== 'actionResource' || contents.includes(response.data)) return []
  const problem = `${describeValue(response.data)} is not what a document can have`
  return [{ member, problem, remedy: "use actionResource(type, 'one'), 'oneOrNull' or 'many'" }]
}

/** The server that sends the response renders the document, so the type must be on that server. */
function typeFaults(response: unknown, { member, declared, context }: ResponseDeclaration): readonly TypeFault[] {
  if (!isResponse(response)) return []
  const named = typeNamed(response)
  if (named === null) return []
  return declared.type.servers
    .filter((server) => context.typesByServer.get(server)?.has(named) !== true)
    .map((server) => ({
      member,
      problem: `${response.kind}(${describeValue(named)}) names a type that the server ${describeValue(server)} does not have`,
      remedy:
        response.kind === 'accepted'
          ? 'declare the job type there, or name one that is declared'
          : 'declare the type there, or name one that is declared',
    }))
}

function typeNamed(response: SuccessResponse): string | null {
  if (response.kind === 'accepted') return response.jobType
  return response.kind === 'actionResource' ? response.type : null
}

function isResponse(value: unknown): value is SuccessResponse {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  return typeof value.kind === 'string' && Object.hasOwn(responseOwners, value.kind)
}

function repeatedStatuses(responses: readonly unknown[]): readonly number[] {
  const statuses = responses.filter(isResponse).map(({ status }) => status)
  return [...new Set(statuses.filter((status, index) => statuses.indexOf(status) !== index))]
}
