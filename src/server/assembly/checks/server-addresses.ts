import { isAuthority } from '../../../core/http/authority.js'
import { readHost } from '../../../core/http/host.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { JsonMembers } from '../../../core/util/types.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, BuildContext } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { isPathSegment } from './path-segment.js'
import { describeValue } from '../declared/describe-value.js'
import { withoutSlashesAtEnd } from '../../../core/util/without-slashes-at-end.js'

const serverName = /^[A-Za-z][A-Za-z0-9_-]*$/

/** Checks that named servers have valid names, prefixes and hosts, and that no two have the same host and prefix. */
export const serverAddresses: BuildRule = (context) => {
  const servers: unknown = context.settings.servers
  if (servers === undefined) return []
  if (!isPlainObject(servers)) {
    return [
      settingFault(
        'servers',
        `is ${describeValue(servers)}`,
        'give an object keyed by server name: servers: { admin: {} }',
      ),
    ]
  }
  return [
    ...Object.entries(servers).flatMap(([name, server]) => serverFaults(name, server)),
    ...sharedAddresses(context, Object.entries(servers)),
  ]
}

function serverFaults(name: string, server: unknown): readonly BuildFault[] {
  const member = `servers.${name}`
  if (!isPlainObject(server)) {
    return [settingFault(member, `is ${describeValue(server)}`, "give its settings: { prefix: '/admin' }")]
  }
  const { prefix, host } = server
  return [
    ...routingFaults(member, server),
    ...(serverName.test(name)
      ? []
      : [
          settingFault(
            member,
            `${describeValue(name)} is not a name for a server`,
            'use a letter first, then letters, digits, hyphens and underscores',
          ),
        ]),
    ...(prefix === undefined || isPrefix(prefix)
      ? []
      : [
          settingFault(
            `${member}.prefix`,
            `${describeValue(prefix)} is not a path`,
            "leave it out, or start it with a slash: prefix: '/admin'",
          ),
        ]),
    ...(host === undefined || (typeof host === 'string' && isHostName(host))
      ? []
      : [
          settingFault(
            `${member}.host`,
            `${describeValue(host)} is not a host`,
            "give a name without scheme or path: host: 'admin.example.com'",
          ),
        ]),
  ]
}

/** A host that a request can have. Names may have underscores, which some internal networks use. */
function isHostName(text: string): boolean {
  const { name, port } = readHost(text)
  return isAuthority(text) && !name.includes('..') && (port === null || (port > 0 && port < 65_536)) && isAddress(name)
}

/** Returns whether a host in brackets is an IPv6 address. Other hosts pass. */
function isAddress(name: string): boolean {
  return !name.startsWith('[') || URL.canParse(`http://${name}`)
}

function routingFaults(member: string, { prefix, host, routing }: JsonMembers): readonly BuildFault[] {
  if (routing === undefined || routing === 'automatic') return []
  if (routing !== 'manual') {
    const remedy = "use 'automatic', or 'manual' for routes that the application places in its own router"
    return [settingFault(`${member}.routing`, `is ${describeValue(routing)}`, remedy)]
  }
  return Object.entries({ prefix, host }).flatMap(([name, value]) => {
    if (value === undefined) return []
    const remedy = `leave it out: the group of the application has the ${name}, and links follow it`
    return [settingFault(`${member}.${name}`, "is given together with routing: 'manual'", remedy)]
  })
}

function isPrefix(prefix: unknown): boolean {
  if (typeof prefix !== 'string') return false
  const path = withoutSlashesAtEnd(prefix)
  return path === '' || (path.startsWith('/') && path.slice(1).split('/').every(isPathSegment))
}

/** The implicit `default` server counts if it has a type. */
function sharedAddresses(
  { typesByServer: typesOn }: BuildContext,
  declared: readonly [string, unknown][],
): readonly BuildFault[] {
  const implicit: readonly [string, unknown][] = typesOn.has('default') ? [['default', {}]] : []
  const serverAt = new Map<string, string>()
  const all = new Map([...implicit, ...declared])
  return [...all].flatMap(([name, server]) => {
    if (!isPlainObject(server)) return []
    const { prefix = '', host = '', routing } = server
    if (routing === 'manual') return []
    if (typeof prefix !== 'string' || typeof host !== 'string') return []
    const { name: hostName, port } = readHost(host)
    const address = `${hostName}:${port ?? ''}${withoutSlashesAtEnd(prefix)}`
    const first = serverAt.get(address)
    if (first === undefined) {
      serverAt.set(address, name)
      return []
    }
    return [
      settingFault(
        `servers.${name}`,
        `has the same host and prefix as the server '${first}'`,
        "give one of the two another prefix or host: { prefix: '/admin' }",
      ),
    ]
  })
}
