import { isPlainObject } from '../../util/deep-freeze.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks that the middleware of each server is a list of functions, declared in one place. */
export const middleware: BuildRule = ({ settings }) => {
  const servers: Readonly<Record<string, unknown>> = isPlainObject(settings.servers) ? settings.servers : {}
  const named = Object.entries(servers).map(([name, server]) => {
    return [`servers.${name}.middleware`, isPlainObject(server) ? server['middleware'] : undefined] as const
  })
  const declared = [['middleware', settings.middleware as unknown] as const, ...named]
  const faults = declared.flatMap(([member, list]) => (list === undefined ? [] : faultsOf(member, list)))
  const isTwice =
    settings.middleware !== undefined && servers['default'] !== undefined && hasMiddleware(servers['default'])
  if (!isTwice) return faults
  const remedy = "leave one of them out: both are of the server 'default'"
  return [...faults, settingFault('middleware', "is also declared as 'servers.default.middleware'", remedy)]
}

function hasMiddleware(server: unknown): boolean {
  return isPlainObject(server) && server['middleware'] !== undefined
}

function faultsOf(member: string, list: unknown): readonly BuildFault[] {
  const remedy = 'give a list of functions: [(context, next) => next()]'
  if (!Array.isArray(list)) return [settingFault(member, `is ${describeValue(list)}`, remedy)]
  return list.flatMap((entry: unknown, index) =>
    typeof entry === 'function' ? [] : [settingFault(`${member}[${index}]`, `is ${describeValue(entry)}`, remedy)],
  )
}
