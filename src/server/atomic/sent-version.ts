import { fail } from '../../core/errors/json-api-error.js'
import type { VersionMatch } from '../../serve/negotiate/preconditions.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { JsonMembers } from '../../core/util/types.js'

/** The member `meta.version` of an operation: the version that its target must have. */
export interface SentVersion {
  readonly value: unknown
  /** The pointer of the member within the operation. */
  readonly pointer: string
}

/** Returns `meta.version` of the data of an update, or of `ref`; `null` if there is none. */
export function sentVersion({ data, ref }: JsonMembers, isUpdate: boolean): SentVersion | null {
  const inData = isUpdate ? versionIn(data) : undefined
  if (inData !== undefined) return { value: inData, pointer: '/data/meta/version' }
  const inRef = versionIn(ref)
  return inRef === undefined ? null : { value: inRef, pointer: '/ref/meta/version' }
}

function versionIn(owner: unknown): unknown {
  const meta = isPlainObject(owner) ? owner['meta'] : undefined
  return isPlainObject(meta) ? meta['version'] : undefined
}

/**
 * Returns the precondition of an operation on a resource that exists. The member has no meaning for a type without
 * versions. Fails with 428 if the type requires a version, and there is none.
 */
export function versionMatch(
  { type: { version } }: ServedType,
  sent: SentVersion | null,
  { request }: RequestContext,
): VersionMatch | null {
  if (version === null) return null
  if (sent === null) {
    if (version.required && request !== null)
      fail('PRECONDITION_REQUIRED', { condition: "'meta.version'" }, { source: { pointer: '' } })
    return null
  }
  const { value, pointer } = sent
  if (typeof value !== 'string') {
    fail('REQUEST_BODY_INVALID_JSON_API', { message: "'version' must be a string" }, { source: { pointer } })
  }
  return { versions: [value], pointer }
}
