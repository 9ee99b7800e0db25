import { deepFreeze } from '../../../core/util/deep-freeze.js'
import { deprecationChanges } from './deprecation-changes.js'
import { memberChanges } from './member-changes.js'
import { pageChanges } from './page-changes.js'
import { queryChanges } from './query-changes.js'
import { relationChanges } from './relation-changes.js'
import { responseChanges } from './response-changes.js'
import { securityChanges } from './security-changes.js'
import { serviceChanges } from './service-changes.js'
import { valueChanges } from './value-changes.js'

/** The effect of a change: it breaks correct clients, it may break clients that assume too much, or it is safe for all clients. */
export type Severity = 'breaking' | 'risky' | 'safe'

export const severities: readonly Severity[] = Object.freeze(['breaking', 'risky', 'safe'])

/** A kind of change. Its code never changes. */
export interface ChangeKind {
  readonly severity: Severity
  /** One sentence about when it occurs. */
  readonly when: string
  /** What to do instead. */
  readonly remedy?: string
  /** Whether it removes something that may have been deprecated. */
  readonly isRemoval?: true
}

/** The code of a kind of change. */
export type ChangeCode =
  | keyof typeof serviceChanges
  | keyof typeof memberChanges
  | keyof typeof valueChanges
  | keyof typeof relationChanges
  | keyof typeof queryChanges
  | keyof typeof pageChanges
  | keyof typeof responseChanges
  | keyof typeof securityChanges
  | keyof typeof deprecationChanges

/** Every kind of change, by its code. */
export const changeKinds: Readonly<Record<ChangeCode, ChangeKind>> = deepFreeze({
  ...serviceChanges,
  ...memberChanges,
  ...valueChanges,
  ...relationChanges,
  ...queryChanges,
  ...pageChanges,
  ...responseChanges,
  ...securityChanges,
  ...deprecationChanges,
})

/** One section of the kinds of change in the documentation. */
export interface ChangeSubject {
  readonly title: string
  readonly kinds: Readonly<Record<string, ChangeKind>>
}

/** The sections of the kinds of change, in the order of the documentation. */
export const changeSubjects: readonly ChangeSubject[] = deepFreeze([
  { title: 'Types and operations', kinds: serviceChanges },
  { title: 'Attributes, relations, and members of their values', kinds: memberChanges },
  { title: 'Values', kinds: valueChanges },
  { title: 'Relations and ids', kinds: relationChanges },
  { title: 'Queries', kinds: queryChanges },
  { title: 'Pages and limits', kinds: pageChanges },
  { title: 'Bodies and responses', kinds: responseChanges },
  { title: 'Security and addresses', kinds: securityChanges },
  { title: 'Deprecations and texts', kinds: deprecationChanges },
])
