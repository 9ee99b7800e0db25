import type { CompiledAction } from '../../../declare/resource/actions/compiled-action.js'
import type { BuildRule, BuildContext, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks that an action has a provider that finds the resource, and types that describe its documents. */
export const actionTypes: BuildRule = eachType((declared, context) =>
  declared.type.actions.flatMap((action) => [
    ...entityFaults(action, declared),
    ...inputFaults(action, declared, context),
    ...outputFaults(action, declared, context),
  ]),
)

function entityFaults({ path, scope }: CompiledAction, { provider }: DeclaredType): readonly TypeFault[] {
  if (scope === 'collection' || provider !== null) return []
  return [
    {
      member: `actions.${path}`,
      problem: 'is an action on a resource, but the type has no provider to find it',
      remedy:
        "give the type a provider, put a store that reads it under 'data', or declare the action with a.collection()",
    },
  ]
}

function inputFaults(
  { path, input, inputType }: CompiledAction,
  { type }: DeclaredType,
  { typesByServer: typesOn }: BuildContext,
): readonly TypeFault[] {
  if (input !== 'document') return []
  const member = `actions.${path}.inputType`
  return type.servers.flatMap((server): readonly TypeFault[] => {
    const found = typesOn.get(server)?.get(inputType)
    if (found === undefined) {
      const problem = `${describeValue(inputType)} is not a type of the server ${describeValue(server)}`
      return [{ member, problem, remedy: 'declare the type there, or name one that is declared' }]
    }
    if (found.hydrator !== null || found.type.attributes.length > 0) return []
    const problem = `the type ${describeValue(inputType)} has no attributes that an input document could contain`
    return [{ member, problem, remedy: "give it attributes, name another type, or set input: 'none'" }]
  })
}

/** A type that is declared with `defineType()` is rendered by its serializer, in actions as in operations. */
function outputFaults(
  { path, responses }: CompiledAction,
  { type }: DeclaredType,
  { typesByServer: typesOn }: BuildContext,
): readonly TypeFault[] {
  const unrenderable = new Set<string>()
  for (const response of responses) {
    if (response?.kind !== 'actionResource' || response.type === null) continue
    for (const server of type.servers) {
      const found = typesOn.get(server)?.get(response.type)
      if (found?.type.origin === 'capabilities' && !isDeclared(found.rawMembers['serializer']))
        unrenderable.add(response.type)
    }
  }
  return [...unrenderable].map((name) => ({
    member: `actions.${path}.responds`,
    problem: `resources of ${describeValue(name)} cannot be rendered: the type has no serializer`,
    remedy: 'give it one, or declare the type with defineResource(), whose attributes define how it is rendered',
  }))
}

function isDeclared(service: unknown): boolean {
  return service !== undefined && service !== null
}
