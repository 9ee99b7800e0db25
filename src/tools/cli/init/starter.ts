import type { EngineName } from '../../../core/util/engine-name.js'
import type { PackageManager } from './package-manager.js'

/** A new service, as the user has chosen it. */
export interface Starter {
  /** The name of the package. */
  readonly name: string
  readonly engine: EngineName
  readonly manager: PackageManager
  /** The version of the package `ashlar` in package.json: a version range, or a path. */
  readonly ashlar: string
}
