import { fail } from '../../errors/json-api-error.js'
import type { VersionMatch } from '../../negotiate/preconditions.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
import { versionOf } from '../../resource/versions/version-token.js'

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
