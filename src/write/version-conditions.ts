import type { VersionMatch } from '../negotiate/preconditions.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { RowCondition } from '../resource/querying/row-condition.js'

const none: readonly RowCondition[] = Object.freeze([])

/**
 * Returns the condition that makes a statement write a row only in one of the versions that the request names. Returns
 * `null` if only a transaction can compare them, by the locked row.
 */
export function versionConditions(
  { type: { version } }: ServedType,
  ifMatch: VersionMatch | null,
): readonly RowCondition[] | null {
  if (ifMatch === null || ifMatch.versions === '*') return none
  if (version?.kind !== 'integer' && version?.kind !== 'xmin') return null
  const numbers = ifMatch.versions.map(Number)
  // A row without a number has the version 0, which a comparison would not find.
  if (numbers.length === 0 || !numbers.every((value) => Number.isSafeInteger(value) && value !== 0)) return null
  if (numbers.some((value, index) => String(value) !== ifMatch.versions[index])) return null
  const values = version.kind === 'xmin' ? ifMatch.versions : numbers
  const column = { of: 'row', name: version.column, kind: null, isKey: false } as const
  const [value] = values
  return values.length === 1
    ? [{ kind: 'compare', column, operator: '=', value }]
    : [{ kind: 'in', column, values, negated: false }]
}

/** Returns the column that a statement has to raise by one; `null` if there is none. */
export function raisedColumn({ type: { version } }: ServedType): string | null {
  return version?.kind === 'integer' ? version.column : null
}
