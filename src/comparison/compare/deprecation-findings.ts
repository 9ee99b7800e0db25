import type { ChangeCode } from '../kinds/change-kinds.js'
import type { Finding } from './change.js'
import type { StatedDeprecation } from '../model/deprecation-of.js'

/** Returns how the deprecation of something has changed that is there before and after. */
export function deprecationFindings(
  before: StatedDeprecation | null,
  after: StatedDeprecation | null,
  finding: (code: ChangeCode, says: string) => Finding,
): readonly Finding[] {
  if (before === null && after === null) return []
  if (before === null) {
    const end = after?.sunset ?? null
    return [finding('deprecation-added', `is deprecated${end === null ? '' : `, until ${end}`}.`)]
  }
  if (after === null) return [finding('deprecation-removed', 'is no longer deprecated.')]
  const [old, recent] = [before.sunset, after.sunset]
  if (old === recent) return []
  // Without a day, the end may be any time later.
  const isEarlier = recent !== null && (old === null || Date.parse(recent) < Date.parse(old))
  const says =
    recent === null ? 'has no day on which it ends any more.' : `ends on ${recent} instead of ${old ?? 'no day'}.`
  return [finding(isEarlier ? 'sunset-earlier' : 'sunset-later', says)]
}
