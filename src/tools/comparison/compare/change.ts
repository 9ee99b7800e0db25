import type { ChangeCode, Severity } from '../kinds/change-kinds.js'
import type { StatedDeprecation } from '../model/deprecation-of.js'

/** A difference that a rule has found. */
export interface Finding {
  readonly code: ChangeCode
  /** `null` if it is not about one type. */
  readonly type: string | null
  /** `.title` for a member of the type, `?sort=title` for a part of its queries; `null` for other findings. */
  readonly member: string | null
  /** The affected operations; empty for all operations with the member. */
  readonly operations: readonly string[]
  readonly sentence: string
  /** The deprecation of the removed part. */
  readonly deprecation?: StatedDeprecation | null
}

/** A change of a contract. */
export interface Change {
  readonly severity: Severity
  readonly code: ChangeCode
  /** The location as text: `albums.title`, `albums?sort=title`, `GET /albums`, `service`. */
  readonly place: string
  readonly type: string | null
  readonly operations: readonly string[]
  readonly sentence: string
  /** What to do instead; `null` if it is not breaking. */
  readonly remedy: string | null
}
