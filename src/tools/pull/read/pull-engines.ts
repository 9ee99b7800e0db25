import type { PullRules } from '../../../stores/sql/dialect/pull-rules.js'
import { postgresPull } from '../../../stores/sql/dialect/postgres/pull/postgres-pull.js'
import { sqlitePull } from '../../../stores/sql/dialect/sqlite/pull/sqlite-pull.js'
import type { ToolEngineName } from '../../../core/util/engine-name.js'

/** The engines that can be pulled, in the order in which they are asked whether an address is theirs. */
export const pullEngines: Readonly<Record<ToolEngineName, PullRules>> = { postgres: postgresPull, sqlite: sqlitePull }

/** Returns the engine of the database at an address: a URL, or the path of a file. */
export function engineAt(address: string): PullRules {
  return Object.values(pullEngines).find((engine) => engine.accepts(address)) ?? sqlitePull
}
