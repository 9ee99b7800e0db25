import type { DeclarationFault } from '../../resource/declaration-fault.js'
import { isPlainObject } from '../../util/frozen.js'
import type { Members } from '../../util/types.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, BuildWorld } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { isPathSegment } from './path-segment.js'
import { shown } from '../declared/shown.js'

/** Extensions are sound, each is there once, and has a path of its own where no type lies. */
export const extensionPaths: BuildRule = (world) => {
  const given: unknown = world.settings.extensions
  if (given === undefined) return []
  if (!Array.isArray(given)) return [settingFault('extensions', `is ${shown(given)}`, 'give a list of extensions')]
  return given.flatMap((extension: unknown, index) => {
    const faults = isPlainObject(extension)
      ? [...ownFaults(extension), ...repetitions(extension, given.slice(0, index)), ...placeFaults(extension, world)]
      : [{ problem: `is ${shown(extension)}`, remedy: "give what an extension made: atomic({ path: '/operations' })" }]
    return faults.map(({ problem, remedy }): BuildFault => settingFault(`extensions[${index}]`, problem, remedy))
  })
}

function ownFaults({ uri, serve, faults }: Members): readonly DeclarationFault[] {
  const found = [...((Array.isArray(faults) ? faults : []) as readonly DeclarationFault[])]
  if (typeof serve !== 'function') {
    found.push({ problem: 'does nothing', remedy: 'give what an extension made: atomic()' })
  }
  if (typeof uri !== 'string' || !URL.canParse(uri)) {
    found.push({ problem: `${shown(uri)} is no URI`, remedy: 'give the URI that the extension is known by' })
  }
  return found
}

function repetitions({ uri, path }: Members, before: readonly unknown[]): readonly DeclarationFault[] {
  const others = before.filter(isPlainObject)
  const found: DeclarationFault[] = []
  if (others.some((other) => other['uri'] === uri)) {
    found.push({ problem: `is ${shown(uri)}, which is there already`, remedy: 'take one of the two away' })
  }
  if (others.some((other) => other['path'] === path)) {
    found.push({ problem: `has the path ${shown(path)} of another extension`, remedy: 'give it one of its own' })
  }
  return found
}

function placeFaults({ path }: Members, world: BuildWorld): readonly DeclarationFault[] {
  if (typeof path !== 'string' || !path.startsWith('/')) {
    return [{ problem: `${shown(path)} is no path`, remedy: "start it with a slash: path: '/operations'" }]
  }
  if (!path.slice(1).split('/').every(isPathSegment)) {
    const remedy = "use letters, digits, hyphens and underscores between its slashes: path: '/operations'"
    return [{ problem: `${shown(path)} is no path`, remedy }]
  }
  const [there] = world.places.flatMap(({ prefix }) => typesAt(`${prefix}${path}`, world))
  if (there === undefined) return []
  const { type, address } = there
  const isCollection = world.places.some(({ prefix }) => `${prefix}${path}` === address)
  const what = isCollection ? `the collection of '${type}' lies` : `resources of '${type}' lie`
  const remedy = 'give the extension another path, or the type another uriType'
  return [{ problem: `has the path '${path}', where ${what}`, remedy }]
}

/** The types whose collection lies at an address, or above it, on whichever server. */
function typesAt(address: string, { places, typesOn }: BuildWorld): readonly { type: string; address: string }[] {
  return places.flatMap(({ name, prefix }) =>
    [...(typesOn.get(name)?.values() ?? [])]
      .map(({ type }) => ({ type: type.type, address: `${prefix}/${type.uriType}` }))
      .filter((collection) => `${address}/`.startsWith(`${collection.address}/`)),
  )
}
