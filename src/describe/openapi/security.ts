import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { OperationContext } from '../../declare/resource/request/memoize-in-request.js'
import { requiredAbility } from '../../declare/resource/policy/abilities.js'
import { inheritsRead, mutateAbility } from '../../declare/resource/relations/relation-security.js'
import type { Authentication, DescribedServer } from './described-server.js'

/** Returns the security schemes of a server by name: those of the settings, or those of its middleware. */
export function securitySchemes({ settings, traits }: DescribedServer): Readonly<Record<string, JsonSchema>> {
  if (settings.securitySchemes !== undefined) return settings.securitySchemes
  return Object.fromEntries(traits.authentication.map((each) => schemeOf(each)))
}

/** Returns the security scheme of a challenge, which begins with its name: `Bearer realm="api"`. */
function schemeOf({ challenge, header }: Authentication): readonly [name: string, scheme: JsonSchema] {
  const scheme = (/^[\w-]+/.exec(challenge)?.[0] ?? '').toLowerCase()
  if (header.toLowerCase() !== 'authorization') return ['apiKey', { type: 'apiKey', in: 'header', name: header }]
  return scheme === 'bearer' || scheme === 'basic'
    ? [scheme, { type: 'http', scheme }]
    : [scheme === '' ? 'credentials' : scheme, { type: 'http', scheme: scheme === '' ? 'basic' : scheme }]
}

/**
 * Whether a request needs credentials. `some` means that it depends on the request, or on the requested rows. `none` means that requests without
 * credentials pass, although the policy may refuse some callers. `open` means that no policy is evaluated.
 */
export type Requirement = 'all' | 'some' | 'none' | 'open'

const byStrictness: readonly Requirement[] = Object.freeze(['all', 'some', 'none', 'open'])

/** Returns the requirement of an operation that needs several abilities. */
export function strictestOf(...requirements: readonly Requirement[]): Requirement {
  return byStrictness.find((each) => requirements.includes(each)) ?? 'open'
}

/** Returns the member `security` of an operation; nothing if the server has no security schemes. */
export function securityOf(
  server: DescribedServer,
  requirement: Requirement,
): { readonly security?: readonly JsonSchema[] } {
  const names = Object.keys(securitySchemes(server))
  if (names.length === 0) return {}
  const alternatives = names.map((name) => ({ [name]: [] }))
  if (requirement === 'all' || server.traits.requiresCredentials) return { security: alternatives }
  return { security: requirement === 'some' ? [{}, ...alternatives] : [] }
}

/** Returns whether an operation that needs an ability of a type needs credentials. */
export function abilityRequirement(server: DescribedServer, { type }: ServedType, usual: string): Requirement {
  const ability = requiredAbility(type.abilities, usual)
  return ability === null ? 'open' : namedRequirement(server, { type }, ability)
}

/** Evaluates the policy for an anonymous request: if it is refused, the operation needs credentials. */
export function namedRequirement(
  { name }: Pick<DescribedServer, 'name'>,
  { type }: Pick<ServedType, 'type'>,
  ability: string,
): Requirement {
  const { policy } = type
  if (policy === null) return 'open'
  try {
    const context = new OperationContext(type.type, 'FetchResource', { server: name, caller: null, request: null })
    const permission = policy.permission(ability, context)
    return permission === false ? 'all' : permission === true ? 'none' : 'some'
  } catch {
    // A function of the application may need the request, which does not exist here.
    return 'some'
  }
}

/** Returns the requirement of the endpoints that read a relation. */
export function readRequirement(server: DescribedServer, owner: ServedType, { spec }: ServedRelation): Requirement {
  if (inheritsRead(spec)) return abilityRequirement(server, owner, 'view')
  return typeof spec.security?.read === 'string' ? namedRequirement(server, owner, spec.security.read) : 'open'
}

/** Returns the requirement of the endpoint that changes a relation. */
export function mutateRequirement(server: DescribedServer, owner: ServedType, { spec }: ServedRelation): Requirement {
  const ability = mutateAbility(spec)
  if (ability === null) return 'open'
  return ability === 'update' ? abilityRequirement(server, owner, 'update') : namedRequirement(server, owner, ability)
}
