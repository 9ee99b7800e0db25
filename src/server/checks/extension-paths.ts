import type { DeclarationFault } from '../../resource/declaration-fault.js'
import { isPlainObject } from '../../util/frozen.js'
import type { BuildFault } from '../build-fault.js'
import type { BuildRule, BuildWorld } from './build-rule.js'
import { settingFault } from './build-rule.js'
import { isPathSegment } from './path-segment.js'
import { shown } from './shown.js'

/** Every extension has a URI and a path of its own, which no type's collection has. */
export const extensionPaths: BuildRule = (world) => {
  const given: unknown = world.settings.extensions
  if (given === undefined) return []
  if (!Array.isArray(given)) return [settingFault('extensions', `is ${shown(given)}`, 'give a list of extensions')]
  const paths: unknown[] = []
  return given.flatMap((extension: unknown, index) => {
    const member = `extensions[${index}]`
    if (!isPlainObject(extension)) {
      return [
        settingFault(member, `is ${shown(extension)}`, "give what an extension made: atomic({ path: '/operations' })"),
      ]
    }
    const { uri, path, serve, faults } = extension
    const repeated = paths.includes(path)
    paths.push(path)
    const own = (Array.isArray(faults) ? faults : []) as readonly DeclarationFault[]
    return [
      ...own.map(({ problem, remedy }) => settingFault(member, problem, remedy)),
      ...(typeof serve === 'function'
        ? []
        : [settingFault(member, 'does nothing', 'give what an extension made: atomic()')]),
      ...(typeof uri === 'string' && URL.canParse(uri)
        ? []
        : [settingFault(member, `${shown(uri)} is no URI`, 'give the URI that the extension is known by')]),
      ...(repeated
        ? [settingFault(member, `has the path ${shown(path)} of another extension`, 'give it one of its own')]
        : []),
      ...pathFaults(member, path, world),
    ]
  })
}

function pathFaults(member: string, path: unknown, { types }: BuildWorld): readonly BuildFault[] {
  if (typeof path !== 'string' || !path.startsWith('/') || !path.slice(1).split('/').every(isPathSegment)) {
    return [settingFault(member, `${shown(path)} is no path`, "start it with a slash: path: '/operations'")]
  }
  const collection = types.find(({ type }) => type.uriType === path.split('/')[1])
  if (collection === undefined) return []
  const isWithin = path !== `/${collection.type.uriType}`
  return [
    settingFault(
      member,
      `has the path '${path}', where ${isWithin ? 'resources' : 'the collection'} of '${collection.type.type}' ${isWithin ? 'lie' : 'lies'}`,
      'give the extension another path, or the type another uriType',
    ),
  ]
}
