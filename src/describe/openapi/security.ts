import type { Requirement } from '../contract/contract.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
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
