import type { ChangeCode } from '../kinds/change-kinds.js'
import type { Finding } from './change.js'
import type { StatedDeprecation } from '../model/deprecation-of.js'

/** Compares the deprecations of a part that both contracts have. */
export function deprecationFindings(
  before: StatedDeprecation | null,
  after: StatedDeprecation | null,
  finding: (code: ChangeCode, clause: string) => Finding,
): readonly Finding[] {
  if (before === null && after === null) return []
  if (before === null) {
    const end = after?.sunset ?? null
    return [finding('deprecation-added', `is deprecated${end === null ? '' : `, until ${end}`}.`)]
  }
  if (after === null) return [finding('deprecation-removed', 'is no longer deprecated.')]
  const [old, newer] = [before.sunset, after.sunset]
  if (old === newer) return []
  // Without a sunset, the end is unknown, and may be later.
  const isEarlier = newer !== null && (old === null || Date.parse(newer) < Date.parse(old))
  const clause =
    newer === null ? 'has no day on which it ends any more.' : `ends on ${newer} instead of ${old ?? 'no day'}.`
  return [finding(isEarlier ? 'sunset-earlier' : 'sunset-later', clause)]
}
