import { isPlainObject } from '../../util/frozen.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, BuildWorld } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { isPathSegment } from './path-segment.js'
import { shown } from '../declared/shown.js'

const serverName = /^[A-Za-z][A-Za-z0-9_-]*$/
const hostName = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d+)?$/

/** Named servers have a name for routes, a prefix that is a path, a host that is one, and a place of their own. */
export const serverPlaces: BuildRule = (world) => {
  const servers: unknown = world.settings.servers
  if (servers === undefined) return []
  if (!isPlainObject(servers)) {
    return [settingFault('servers', `is ${shown(servers)}`, 'give an object by server name: servers: { admin: {} }')]
  }
  return [
    ...Object.entries(servers).flatMap(([name, given]) => judge(name, given)),
    ...sharedPlaces(world, Object.entries(servers)),
  ]
}

function judge(name: string, given: unknown): readonly BuildFault[] {
  const member = `servers.${name}`
  if (!isPlainObject(given)) {
    return [settingFault(member, `is ${shown(given)}`, "give its settings: { prefix: '/admin' }")]
  }
  const { prefix, host } = given
  return [
    ...(serverName.test(name)
      ? []
      : [
          settingFault(
            member,
            `${shown(name)} is no name for a server`,
            'use a letter first, then letters, digits, hyphens and underscores',
          ),
        ]),
    ...(prefix === undefined || isPrefix(prefix)
      ? []
      : [
          settingFault(
            `${member}.prefix`,
            `${shown(prefix)} is no path`,
            "leave it out, or start it with a slash: prefix: '/admin'",
          ),
        ]),
    ...(host === undefined || (typeof host === 'string' && hostName.test(host))
      ? []
      : [
          settingFault(
            `${member}.host`,
            `${shown(host)} is no host`,
            "give a name without scheme or path: host: 'admin.example.com'",
          ),
        ]),
  ]
}

function isPrefix(prefix: unknown): boolean {
  if (typeof prefix !== 'string') return false
  const path = prefix.replace(/\/+$/, '')
  return path === '' || (path.startsWith('/') && path.slice(1).split('/').every(isPathSegment))
}

/** The implicit `default` server counts once a type is on it. */
function sharedPlaces({ typesOn }: BuildWorld, declared: readonly [string, unknown][]): readonly BuildFault[] {
  const implicit: readonly [string, unknown][] = typesOn.has('default') ? [['default', {}]] : []
  const places = new Map<string, string>()
  const all = new Map([...implicit, ...declared])
  return [...all].flatMap(([name, given]) => {
    if (!isPlainObject(given)) return []
    const { prefix = '', host = '' } = given
    if (typeof prefix !== 'string' || typeof host !== 'string') return []
    const place = `${host.toLowerCase()}${prefix.replace(/\/+$/, '')}`
    const first = places.get(place)
    if (first === undefined) {
      places.set(place, name)
      return []
    }
    return [
      settingFault(
        `servers.${name}`,
        `lies where the server '${first}' lies`,
        "give one of the two a prefix or a host of its own: { prefix: '/admin' }",
      ),
    ]
  })
}
