import { withScopes } from '../../read/rows/fill-scopes.js'
import type { RowFlag } from '../../../declare/resource/capabilities/provider.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { rowLinkage, visibilityFlag } from '../../../declare/resource/reading/row-linkage.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { RowSet } from '../../../core/rows/row-set.js'
import { rowSet } from '../../../core/rows/row-set.js'
import type { LinkageChange } from '../linkage/linkage-change.js'
import { dependsOn, looksAtModel } from '../../../stores/row-query/condition-analysis.js'

interface FlaggedWrite {
  readonly served: ServedType
  /** The row before the write, and the values that flags had then, by name. */
  readonly before: RowObject
  readonly values: ReadonlyMap<string, boolean>
  readonly changes: readonly LinkageChange[]
  readonly context: RequestContext
}

/**
 * Adds flags to a row that was updated, so that they are not read again: flags that depend on no column that has changed, and
 * those of linkage that was sent, since the related resource was found to be visible. The write must have changed no other row.
 */
export function withKnownFlags(updated: RowSet, flags: readonly RowFlag[], write: FlaggedWrite): RowSet {
  const { columns, rows } = updated
  const row = rows[0] ?? []
  const changed = columns.filter((column, position) => !Object.is(write.before[column], row[position]))
  const known = flags.flatMap((flag): readonly (readonly [string, boolean])[] => {
    if (isSentLinkage(flag, updated, write)) return [[flag.name, true]]
    const value = write.values.get(flag.name)
    return value === undefined || isAffected(flag, changed, write) ? [] : [[flag.name, value]]
  })
  if (known.length === 0) return updated
  return rowSet([...columns, ...known.map(([name]) => name)], [[...row, ...known.map(([, value]) => value)]])
}

/** A related resource that was found before the write is still visible, unless that depends on rows like the written one. */
function isSentLinkage({ name, condition }: RowFlag, { columns, rows }: RowSet, write: FlaggedWrite): boolean {
  const { served, changes, context } = write
  const change = changes.find(({ relation }) => visibilityFlag(relation) === name)
  const [sent] = change?.added ?? []
  if (change === undefined || sent === undefined || looksAtModel(condition, served, context)) return false
  const stored = rowLinkage(change.relation, columns)(rows[0] ?? [])
  return stored?.type === sent.type && stored.id === sent.id
}

function isAffected({ condition }: RowFlag, changed: readonly string[], { served, context }: FlaggedWrite): boolean {
  const { conditions } = withScopes({ conditions: [condition], context })
  return changed.some((column) => conditions.some((each) => dependsOn(each, column, served)))
}
