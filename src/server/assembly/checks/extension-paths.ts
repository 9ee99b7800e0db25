import type { DeclarationFault } from '../../../declare/resource/parts/declaration-fault.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { JsonMembers } from '../../../core/util/types.js'
import type { RouteServer } from '../../../serve/route/route-server.js'
import { shareHost } from '../declared/share-host.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, BuildContext } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { isPathSegment } from './path-segment.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks that extensions are valid, that each is listed once, and that each has a path that no type uses. */
export const extensionPaths: BuildRule = (context) => {
  const extensions: unknown = context.settings.extensions
  if (extensions === undefined) return []
  if (!Array.isArray(extensions))
    return [settingFault('extensions', `is ${describeValue(extensions)}`, 'give a list of extensions')]
  return extensions.flatMap((extension: unknown, index) => {
    const faults = isPlainObject(extension)
      ? [
          ...extensionFaults(extension),
          ...repetitions(extension, extensions.slice(0, index)),
          ...pathFaults(extension, context),
        ]
      : [
          {
            problem: `is ${describeValue(extension)}`,
            remedy: "give the result of an extension function, such as atomic({ path: '/operations' })",
          },
        ]
    return faults.map(({ problem, remedy }): BuildFault => settingFault(`extensions[${index}]`, problem, remedy))
  })
}

function extensionFaults({ uri, serve, faults }: JsonMembers): readonly DeclarationFault[] {
  const found = [...((Array.isArray(faults) ? faults : []) as readonly DeclarationFault[])]
  if (typeof serve !== 'function') {
    found.push({
      problem: "has no function 'serve'",
      remedy: 'give the result of an extension function, such as atomic()',
    })
  }
  if (typeof uri !== 'string' || !URL.canParse(uri)) {
    found.push({ problem: `${describeValue(uri)} is not a URI`, remedy: 'give the URI that identifies the extension' })
  }
  return found
}

function repetitions({ uri, path }: JsonMembers, before: readonly unknown[]): readonly DeclarationFault[] {
  const others = before.filter(isPlainObject)
  const found: DeclarationFault[] = []
  if (others.some((other) => other['uri'] === uri)) {
    found.push({
      problem: `has the URI ${describeValue(uri)}, which another extension also has`,
      remedy: 'remove one of the two',
    })
  }
  if (others.some((other) => other['path'] === path)) {
    found.push({
      problem: `has the path ${describeValue(path)}, which another extension also has`,
      remedy: 'give it another path',
    })
  }
  return found
}

function pathFaults({ path }: JsonMembers, context: BuildContext): readonly DeclarationFault[] {
  if (typeof path !== 'string' || !path.startsWith('/')) {
    return [{ problem: `${describeValue(path)} is not a path`, remedy: "start it with a slash: path: '/operations'" }]
  }
  if (!path.slice(1).split('/').every(isPathSegment)) {
    const remedy = "use letters, digits, hyphens and underscores between its slashes: path: '/operations'"
    return [{ problem: `${describeValue(path)} is not a path`, remedy }]
  }
  const root = serverAtPath(path, context)
  if (root !== undefined) {
    const problem = `has the path '${path}', which is the prefix of the server '${root.name}'`
    return [{ problem, remedy: 'give the extension another path, or the server another prefix' }]
  }
  const [conflict] = context.routeServers.flatMap(({ prefix }) => typesAt(`${prefix}${path}`, context))
  if (conflict === undefined) return []
  const { type, address } = conflict
  const isCollection = context.routeServers.some(({ prefix }) => `${prefix}${path}` === address)
  const user = isCollection ? `the collection of '${type}'` : `resources of '${type}'`
  const remedy = 'give the extension another path, or the type another uriType'
  return [{ problem: `has the path '${path}', which is used by ${user}`, remedy }]
}

/** Returns the server whose root document would be at the path of the extension on another server. */
function serverAtPath(path: string, { routeServers, settings }: BuildContext): RouteServer | undefined {
  if (settings.rootDocument === false) return undefined
  const automatic = routeServers.filter(({ isPlaced }) => !isPlaced)
  return automatic.find((inner) =>
    automatic.some((outer) => shareHost(outer, inner) && `${outer.prefix}${path}` === inner.prefix),
  )
}

/** Returns the types of all servers whose collection is at an address, or above it. */
function typesAt(
  address: string,
  { routeServers, typesByServer }: BuildContext,
): readonly { type: string; address: string }[] {
  return routeServers.flatMap(({ name, prefix }) =>
    [...(typesByServer.get(name)?.values() ?? [])]
      .map(({ type }) => ({ type: type.type, address: `${prefix}/${type.uriType}` }))
      .filter((collection) => `${address}/`.startsWith(`${collection.address}/`)),
  )
}
