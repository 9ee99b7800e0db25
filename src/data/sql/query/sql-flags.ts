import type { RowFlag } from '../../../resource/capabilities/provider.js'
import { sqlConditions } from './sql-conditions.js'
import type { RowsRead, Selected, StatementBuild } from './statement-build.js'

/** Converts flags to expressions to select. */
export function selectedFlags(flags: readonly RowFlag[], rows: RowsRead, build: StatementBuild): readonly Selected[] {
  if (flags.length === 0) return []
  build.shape.addKeyPart(`flags ${flags.length}`)
  return flags.map(({ condition }) => ({ name: null, expression: sqlConditions([condition], rows, build) }))
}
