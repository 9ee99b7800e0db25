import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { InheritedSettings, ServerSettings } from './server-settings.js'

type Settings = ServerSettings

/** The type of this record makes the compiler report missing entries. */
const inherited: Readonly<Record<keyof InheritedSettings, true>> = Object.freeze({
  baseUri: true,
  policy: true,
  version: true,
  jsonapiMeta: true,
  pagination: true,
  maxPageSize: true,
  maxIncludeDepth: true,
  unknownMembers: true,
  validateStored: true,
  linkage: true,
  respondWithLinkage: true,
  cacheHeaders: true,
  deprecation: true,
  sunset: true,
  sunsetLink: true,
  strictQueryParameters: true,
  strictPages: true,
  queryFamilies: true,
  profiles: true,
  requestEncodings: true,
  limits: true,
  queryCost: true,
  openapi: true,
  debug: true,
  exceptionMap: true,
  mappers: true,
  messages: true,
  logger: true,
})

/** The names of the settings that a named server has too, unless it has its own. */
export const inheritedSettings: readonly string[] = Object.freeze(Object.keys(inherited))

/** Returns the inherited settings that a named server declares itself. They are not checked. */
export function ownSettings({ servers }: { readonly servers?: unknown }, name: string): Partial<InheritedSettings> {
  const server: unknown = isPlainObject(servers) ? servers[name] : undefined
  if (!isPlainObject(server)) return {}
  return Object.fromEntries(
    inheritedSettings.flatMap((member) => (server[member] === undefined ? [] : [[member, server[member]]])),
  )
}

/** Returns the settings with those of the entry `servers.default`, which other servers inherit too. */
export function settingsOfDefault(settings: Settings): Settings {
  return withOwn(settings, ownSettings(settings, 'default'))
}

/**
 * Returns the settings of one server. They are the same object for all servers without own settings.
 *
 * @param settings the result of {@link settingsOfDefault}
 */
export function settingsOfServer(settings: Settings, name: string): Settings {
  return name === 'default' ? settings : withOwn(settings, ownSettings(settings, name))
}

function withOwn(settings: Settings, own: Partial<InheritedSettings>): Settings {
  if (Object.keys(own).length === 0) return settings
  // A server with an own limit inherits the other limits.
  const limits = own.limits === undefined ? {} : { limits: { ...settings.limits, ...own.limits } }
  const queryCost = isPlainObject(own.queryCost) ? { queryCost: { ...settings.queryCost, ...own.queryCost } } : {}
  return { ...settings, ...own, ...limits, ...queryCost }
}
