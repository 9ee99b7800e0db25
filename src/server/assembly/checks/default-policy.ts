import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { ownSettings } from '../declared/settings-of-server.js'

/** Checks the default policy of each server, once for all types that use it. */
export const defaultPolicy: BuildRule = ({ settings, defaultPolicies }) => {
  const reported = new Set<unknown>()
  return [...defaultPolicies].flatMap(([server, compilation]) => {
    if (reported.has(compilation)) return []
    reported.add(compilation)
    const place = ownSettings(settings, server).policy === undefined ? '' : `servers.${server}.`
    return compilation.faults.map(({ member, problem, remedy }) => settingFault(`${place}${member}`, problem, remedy))
  })
}
