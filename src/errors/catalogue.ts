import { deepFreeze } from '../util/frozen.js'
import { atomicErrors } from './atomic-errors.js'
import type { CatalogueEntries } from './catalogue-entry.js'
import { documentErrors } from './document-errors.js'
import { identifierErrors } from './identifier-errors.js'
import { limitErrors } from './limit-errors.js'
import { negotiationErrors } from './negotiation-errors.js'
import { queryErrors } from './query-errors.js'
import { relationshipErrors } from './relationship-errors.js'
import { serverErrors } from './server-errors.js'

type Catalogue = typeof documentErrors &
  typeof identifierErrors &
  typeof relationshipErrors &
  typeof queryErrors &
  typeof negotiationErrors &
  typeof limitErrors &
  typeof atomicErrors &
  typeof serverErrors

/** Every code that the service itself answers with. */
export const catalogue: Catalogue = deepFreeze({
  ...documentErrors,
  ...identifierErrors,
  ...relationshipErrors,
  ...queryErrors,
  ...negotiationErrors,
  ...limitErrors,
  ...atomicErrors,
  ...serverErrors,
})

/** One chapter of the catalogue. */
export interface CatalogueSubject {
  readonly title: string
  readonly errors: CatalogueEntries
}

/** The catalogue by chapter, in the order in which the documentation tells it. */
export const catalogueSubjects: readonly CatalogueSubject[] = deepFreeze([
  { title: 'Documents', errors: documentErrors },
  { title: 'Ids and identifiers', errors: identifierErrors },
  { title: 'Resources and relationships', errors: relationshipErrors },
  { title: 'Query parameters', errors: queryErrors },
  { title: 'Media types', errors: negotiationErrors },
  { title: 'Limits and preconditions', errors: limitErrors },
  { title: 'Atomic operations', errors: atomicErrors },
  { title: 'The server itself', errors: serverErrors },
])

export type ErrorCode = keyof typeof catalogue

/** What may stand in place of a `{placeholder}`; a list comes joined, as the text shall show it. */
export type ContextValue = string | number

/** The context that a code's templates need: `ContextOf<'CURSOR_STALE'>` is `{ parameter: string | number }`. */
export type ContextOf<Code extends ErrorCode> = {
  readonly [Name in (typeof catalogue)[Code]['context'][number]]: ContextValue
}
