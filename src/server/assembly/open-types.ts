import type { ErrorLog } from '../../core/errors/error-log.js'
import { logWarning } from '../../core/errors/error-log.js'
import type { BuildContext } from './declared/build-rule.js'
import { typesWithoutPolicy } from './declared/missing-policies.js'
import type { Service } from './service.js'

/** How many types the line at the start names. */
const NAMED_TYPES = 5

/** Returns the types that everybody may use because they have no policy, and the function that logs them once. */
export function openTypes(
  { types, settings, routeServers }: BuildContext,
  logger: ErrorLog,
): Pick<Service, 'typesWithoutPolicy' | 'start'> {
  const byServer = routeServers.map(({ name, isPlaced }) => ({
    name,
    isPlaced,
    types: typesWithoutPolicy(types, name),
  }))
  const all = [...new Set(byServer.flatMap((server) => server.types))]
  let isLogged = false
  const start = (): void => {
    if (isLogged) return
    isLogged = true
    logWarning(logger, { types: all }, sentence(all))
  }
  return {
    typesWithoutPolicy(server) {
      const asked = byServer.filter(({ name, isPlaced }) => (server === undefined ? !isPlaced : name === server))
      return [...new Set(asked.flatMap((each) => each.types))]
    },
    start: all.length === 0 || settings.access === 'open' ? null : start,
  }
}

function sentence(types: readonly string[]): string {
  const more = types.length - NAMED_TYPES
  const names = [...types.slice(0, NAMED_TYPES), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return (
    `The server is open: everybody may read and write the types without a policy (${names}). ` +
    "Declare who may do what by 'policy' in createServer(), or access: 'open' if that is intended."
  )
}
