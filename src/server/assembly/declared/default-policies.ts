import type { RawDeclaration } from '../../../declare/resource/define/raw-declaration.js'
import { serverNames } from '../compile/compile-type.js'
import { compilePolicy, noPolicy, type PolicyCompilation } from '../compile/compile-policy.js'
import type { ServerSettings } from './server-settings.js'
import { ownSettings, settingsOfDefault, settingsOfServer } from './settings-of-server.js'

/** The policies of types that declare none, by the name of the server. Servers with the same policy share it. */
export type DefaultPolicies = ReadonlyMap<string, PolicyCompilation>

/** Compiles the setting `policy` of each server. */
export function defaultPolicies(settings: ServerSettings, servers: readonly string[]): DefaultPolicies {
  const ofDefault = settingsOfDefault(settings)
  const compiled = new Map<unknown, PolicyCompilation>()
  return new Map(
    ['default', ...servers].map((name) => {
      const { policy } = settingsOfServer(ofDefault, name)
      const isOwn = name !== 'default' && ownSettings(settings, name).policy !== undefined
      const label = isOwn ? `the server '${name}'` : 'the server'
      const compilation = compiled.get(policy) ?? compilePolicy({ label, hasRows: false }, policy)
      compiled.set(policy, compilation)
      return [name, compilation]
    }),
  )
}

/** A declaration, and the policy of the server if it has none. */
export interface DeclarationWithPolicy {
  readonly declaration: RawDeclaration
  readonly defaultPolicy: PolicyCompilation
}

/**
 * Gives a declaration the default policy of its server. A type without a policy on servers with different policies becomes
 * several, as if it were declared by `with({ server })` for each of them.
 */
export function withDefaultPolicy(
  declaration: RawDeclaration,
  policies: DefaultPolicies,
): readonly DeclarationWithPolicy[] {
  const policyOf = (server: string): PolicyCompilation => policies.get(server) ?? policies.get('default') ?? noPolicy
  const servers = serverNames(declaration.members['server'])
  const different = new Set(servers.map(policyOf))
  if ((declaration.members['policy'] ?? null) !== null || different.size < 2) {
    const [defaultPolicy = noPolicy] = different
    return [{ declaration, defaultPolicy }]
  }
  return [...different].map((defaultPolicy) => {
    const own = servers.filter((server) => policyOf(server) === defaultPolicy)
    return { declaration: declaration.with({ server: own }), defaultPolicy }
  })
}
