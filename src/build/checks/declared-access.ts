import { isPlainObject } from '../../util/deep-freeze.js'
import type { BuildRule, BuildContext } from '../declared/build-rule.js'
import { typeLabel } from '../declared/build-rule.js'

/** Checks that each type of a server that authenticates its callers says who may do what. */
export const declaredAccess: BuildRule = (context) => {
  const authenticating = context.servers.filter((name) => authenticates(name, context))
  return context.types.flatMap((declared) => {
    const { type } = declared
    const server = type.servers.find((name) => authenticating.includes(name))
    // A type that serves nothing is only named by linkage.
    const isServed = type.operations.size > 0 || type.actions.length > 0
    if (server === undefined || type.declaresAccess || !isServed) return []
    return [
      {
        type: typeLabel(declared),
        member: 'policy',
        problem: `is missing, but the server '${server}' authenticates its callers`,
        remedy: "declare who may do what, or policy: 'public' if everybody may do everything",
      },
    ]
  })
}

function authenticates(name: string, { settings }: BuildContext): boolean {
  const servers: Readonly<Record<string, unknown>> = isPlainObject(settings.servers) ? settings.servers : {}
  const server = servers[name]
  const own = isPlainObject(server) ? server['middleware'] : undefined
  const list: unknown = own ?? (name === 'default' ? settings.middleware : undefined)
  return Array.isArray(list) && list.some((each: unknown) => typeof each === 'function' && 'challenge' in each)
}
