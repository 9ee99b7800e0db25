import type { CompiledAction } from '../../resource/actions/compiled-action.js'
import type { BuildRule, BuildWorld, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { shown } from '../declared/shown.js'

/** Behind every action is what it works with: a provider that finds the resource, types that say what documents hold. */
export const actionTypes: BuildRule = eachType((declared, world) =>
  declared.type.actions.flatMap((action) => [
    ...entityFaults(action, declared),
    ...inputFaults(action, declared, world),
    ...outputFaults(action, declared, world),
  ]),
)

function entityFaults({ path, scope }: CompiledAction, { provider }: DeclaredType): readonly TypeFault[] {
  if (scope === 'collection' || provider !== null) return []
  return [
    {
      member: `actions.${path}`,
      problem: 'is an action on a resource, which nobody finds: the type has no provider',
      remedy: "give the type a provider, put a store that reads it under 'data', or declare it with a.collection()",
    },
  ]
}

function inputFaults(
  { path, input, inputType }: CompiledAction,
  { type }: DeclaredType,
  { typesOn }: BuildWorld,
): readonly TypeFault[] {
  if (input !== 'document') return []
  const member = `actions.${path}.inputType`
  return type.servers.flatMap((server): readonly TypeFault[] => {
    const found = typesOn.get(server)?.get(inputType)
    if (found === undefined) {
      const problem = `${shown(inputType)} is no type of the server ${shown(server)}`
      return [{ member, problem, remedy: 'declare the type there, or name one that is declared' }]
    }
    if (found.hydrator !== null || found.type.attributes.length > 0) return []
    const problem = `documents of ${shown(inputType)} say nothing: the type has no attributes`
    return [{ member, problem, remedy: "give it attributes, name another type, or say input: 'none'" }]
  })
}

/** As for operations: what is made of capabilities is rendered by a serializer. */
function outputFaults(
  { path, responses }: CompiledAction,
  { type }: DeclaredType,
  { typesOn }: BuildWorld,
): readonly TypeFault[] {
  const bare = new Set<string>()
  for (const response of responses) {
    if (response?.kind !== 'actionResource' || response.type === null) continue
    for (const server of type.servers) {
      const found = typesOn.get(server)?.get(response.type)
      if (found?.type.origin === 'capabilities' && !isGiven(found.given['serializer'])) bare.add(response.type)
    }
  }
  return [...bare].map((name) => ({
    member: `actions.${path}.responds`,
    problem: `resources of ${shown(name)} cannot be rendered: the type has no serializer`,
    remedy: 'give it one, or declare the type with defineResource(), whose attributes say how it is rendered',
  }))
}

function isGiven(service: unknown): boolean {
  return service !== undefined && service !== null
}
