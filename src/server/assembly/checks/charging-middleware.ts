import type { Middleware } from '../../../declare/resource/request/middleware.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { settingsOfServer } from '../declared/settings-of-server.js'

/** Checks that middleware that takes the cost of requests is on servers that compute it. */
export const chargingMiddleware: BuildRule = ({ settings, servers }) =>
  servers.flatMap((name) => {
    const { queryCost = false } = settingsOfServer(settings, name)
    if (queryCost !== false) return []
    const named: unknown = isPlainObject(settings.servers) ? settings.servers[name] : undefined
    const own = isPlainObject(named) ? chargingFaults(`servers.${name}.middleware`, named['middleware']) : []
    return name === 'default' ? [...chargingFaults('middleware', settings.middleware), ...own] : own
  })

function chargingFaults(member: string, list: unknown): readonly BuildFault[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((middleware: Partial<Middleware> | null | undefined, index) =>
    middleware?.needsQueryCost === true
      ? [
          settingFault(
            `${member}[${index}]`,
            "takes the cost of requests, which the server does not compute without the setting 'queryCost'",
            'set queryCost: {}, or a budget: queryCost: { budget: 2_000 }',
          ),
        ]
      : [],
  )
}
