import type { ToolEngineName } from '../../../core/util/engine-name.js'
import type { PackageManager } from './package-manager.js'

/** The versions of the own packages in package.json: version ranges, or paths. */
export interface OwnVersions {
  readonly ashlar: string
  readonly '@ashlar/cli': string
}

/** A new service, as the user has chosen it. */
export interface Starter {
  /** The name of the package. */
  readonly name: string
  readonly engine: ToolEngineName
  readonly manager: PackageManager
  readonly versions: OwnVersions
}
