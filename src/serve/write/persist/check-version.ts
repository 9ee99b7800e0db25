import { fail } from '../../../core/errors/json-api-error.js'
import type { VersionMatch } from '../../negotiate/preconditions.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { versionOf } from '../../../declare/resource/versions/version-token.js'

/**
 * Fails with 428 if a write has to name the version of the resource and does not. Operations that the application
 * dispatches itself need no version.
 */
export function requireVersion(
  { type: { version } }: ServedType,
  ifMatch: VersionMatch | null,
  { request }: RequestContext,
): void {
  if (version === null || !version.required || ifMatch !== null || request === null) return
  fail('PRECONDITION_REQUIRED', { condition: 'If-Match' }, { source: { header: 'If-Match' } })
}

/**
 * Fails with 412 if the version of a stored row is none of those that the request names.
 *
 * @param row the row with all columns, locked by the transaction of the write
 */
export function checkVersion({ type }: ServedType, row: RowObject, ifMatch: VersionMatch | null): void {
  if (ifMatch === null || ifMatch.versions === '*') return
  const version = versionOf(type, row)
  if (version !== null && ifMatch.versions.includes(version)) return
  const { pointer } = ifMatch
  if (pointer === undefined) {
    fail('PRECONDITION_FAILED', { condition: 'If-Match' }, { source: { header: 'If-Match' } })
  }
  fail('PRECONDITION_FAILED', { condition: "'meta.version'" }, { source: { pointer } })
}

/** The condition of a write that names no version. */
export const anyVersion: readonly RowCondition[] = Object.freeze([])

/**
 * Returns the condition that makes a statement write a row only in one of the versions that the request names. Returns
 * `null` if only a transaction can compare them, by the locked row.
 */
export function versionConditions(
  { type: { version } }: ServedType,
  ifMatch: VersionMatch | null,
): readonly RowCondition[] | null {
  if (ifMatch === null || ifMatch.versions === '*') return anyVersion
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
