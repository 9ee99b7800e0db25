import { isPlainObject } from '../../util/frozen.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, BuildWorld, DeclaredType } from '../declared/build-rule.js'
import { nameOf } from '../declared/build-rule.js'

interface Row {
  /** The sentence that tells what is missing. */
  readonly missing: string
  /** Where it is declared. */
  readonly places: (world: BuildWorld) => readonly Pick<BuildFault, 'type' | 'member'>[]
}

/** What can be declared and is not enforced yet: a row a feature, deleted once it is. */
const notEnforced: readonly Row[] = Object.freeze([
  {
    missing: 'access rules are not enforced yet',
    places: ofTypes(({ type }) => (type.policy === null ? [] : ['policy'])),
  },
  {
    missing: 'access rules are not enforced yet',
    places: ofTypes(({ type }) => (type.abilities === null ? [] : ['abilities'])),
  },
  {
    missing: 'access rules are not enforced yet',
    places: ofTypes(({ type }) =>
      type.relations.filter(({ spec }) => spec.security !== null).map(({ name }) => `${name}.security`),
    ),
  },
  { missing: 'middleware is not run yet', places: ({ settings }) => serversWithMiddleware(settings.servers) },
])

/** What would show or allow too much if it were passed over is refused until it is enforced. */
export const notEnforcedYet: BuildRule = (world) =>
  notEnforced.flatMap(({ missing, places }) =>
    places(world).map((place) => ({
      ...place,
      problem: `is declared, but ${missing}`,
      remedy: 'take it away until then',
    })),
  )

function ofTypes(members: (declared: DeclaredType) => readonly string[]): Row['places'] {
  return ({ types }) =>
    types.flatMap((declared) => members(declared).map((member) => ({ type: nameOf(declared), member })))
}

function serversWithMiddleware(servers: unknown): readonly Pick<BuildFault, 'type' | 'member'>[] {
  return Object.entries(isPlainObject(servers) ? servers : {})
    .filter(
      ([, server]) => isPlainObject(server) && server['middleware'] !== undefined && !isEmpty(server['middleware']),
    )
    .map(([name]) => ({ type: null, member: `servers.${name}.middleware` }))
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0
}
