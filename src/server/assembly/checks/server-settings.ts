import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildContext, BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { declaredTwice } from '../declared/option-shapes.js'
import type { NamedServer } from '../declared/server-settings.js'
import { inheritedSettings, ownSettings, settingsOfDefault } from '../declared/settings-of-server.js'
import { cacheHeaders } from './cache-headers.js'
import { deprecationHeaders } from './deprecation-headers.js'
import { errorSettings } from './error-settings.js'
import { limits } from './limits.js'
import { openapiOptionValues } from './openapi.js'
import { paginators } from './paginators.js'
import { profiles } from './profiles.js'
import { queryCost } from './query-cost.js'
import { queryFamilies } from './query-families.js'
import { valueFaults } from './setting-values.js'

/** Settings of a named server that other rules check. */
const others: readonly (keyof NamedServer)[] = ['prefix', 'host', 'routing', 'middleware', 'idempotency', 'cors']

const rules: readonly BuildRule[] = [
  ({ settings }) => valueFaults({ ...settings }),
  limits,
  queryCost,
  profiles,
  queryFamilies,
  errorSettings,
  cacheHeaders,
  deprecationHeaders,
  paginators,
  openapiOptionValues,
]

/** Checks the own settings of a named server by the rules for the default server. */
export const serverSettings: BuildRule = (context) => {
  const servers: unknown = context.settings.servers
  return Object.entries(isPlainObject(servers) ? servers : {}).flatMap(([name, server]) =>
    isPlainObject(server) ? faultsOf(name, server, context) : [],
  )
}

function faultsOf(name: string, server: object, context: BuildContext): readonly BuildFault[] {
  const member = `servers.${name}`
  const own = ownSettings(context.settings, name)
  const known: readonly string[] = [...others, ...inheritedSettings]
  const unknown = Object.keys(server).filter((each) => !known.includes(each))
  const twice = name === 'default' ? Object.keys(own).filter((each) => isDeclared(context, each)) : []
  // The link of a sunset needs a date, which may be that of the default server.
  const sunset =
    own.sunsetLink === undefined || own.sunset !== undefined
      ? {}
      : { sunset: settingsOfDefault(context.settings).sunset }
  const ofServer: BuildContext = { ...context, types: [], settings: { ...own, ...sunset } as BuildContext['settings'] }
  return [
    ...unknown.map((each) =>
      settingFault(`${member}.${each}`, 'is not a setting of a named server', 'remove it, or correct its spelling'),
    ),
    ...twice.map((each) => declaredTwice(each, `${member}.${each}`)),
    ...rules
      .flatMap((rule) => rule(ofServer))
      .map((fault): BuildFault => ({ ...fault, member: `${member}.${fault.member}` })),
  ]
}

function isDeclared({ settings }: BuildContext, member: string): boolean {
  return (settings as unknown as Readonly<Record<string, unknown>>)[member] !== undefined
}
