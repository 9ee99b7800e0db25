import type { PackageManager } from './package-manager.js'

export const engines = ['sqlite', 'postgres'] as const

export type Engine = (typeof engines)[number]

/** A new service, as the user has chosen it. */
export interface Starter {
  /** The name of the package. */
  readonly name: string
  readonly engine: Engine
  readonly manager: PackageManager
  /** The version of the package `ashlar` in package.json: a version range, or a path. */
  readonly ashlar: string
}
