import { deepFreeze } from '../util/deep-freeze.js'
import { accessErrors } from './access-errors.js'
import { atomicErrors } from './atomic-errors.js'
import type { CatalogueEntries } from './catalogue-entry.js'
import { documentErrors } from './document-errors.js'
import { identifierErrors } from './identifier-errors.js'
import { limitErrors } from './limit-errors.js'
import { negotiationErrors } from './negotiation-errors.js'
import { queryErrors } from './query-errors.js'
import { relationshipErrors } from './relationship-errors.js'
import { retryErrors } from './retry-errors.js'
import type { Sentence } from './sentence.js'
import { serverErrors } from './server-errors.js'

type Catalogue = typeof documentErrors &
  typeof identifierErrors &
  typeof relationshipErrors &
  typeof queryErrors &
  typeof accessErrors &
  typeof negotiationErrors &
  typeof limitErrors &
  typeof retryErrors &
  typeof atomicErrors &
  typeof serverErrors

/** Every error code that the framework itself uses in responses. */
export const catalogue: Catalogue = deepFreeze({
  ...documentErrors,
  ...identifierErrors,
  ...relationshipErrors,
  ...queryErrors,
  ...accessErrors,
  ...negotiationErrors,
  ...limitErrors,
  ...retryErrors,
  ...atomicErrors,
  ...serverErrors,
})

/** One section of the catalogue in the documentation. */
export interface CatalogueSubject {
  readonly title: string
  readonly errors: CatalogueEntries
}

/** The sections of the catalogue, in the order of the documentation. */
export const catalogueSubjects: readonly CatalogueSubject[] = deepFreeze([
  { title: 'Documents', errors: documentErrors },
  { title: 'Ids and identifiers', errors: identifierErrors },
  { title: 'Resources and relationships', errors: relationshipErrors },
  { title: 'Query parameters', errors: queryErrors },
  { title: 'Access, paths and methods', errors: accessErrors },
  { title: 'Media types', errors: negotiationErrors },
  { title: 'Limits and preconditions', errors: limitErrors },
  { title: 'Retries', errors: retryErrors },
  { title: 'Atomic operations', errors: atomicErrors },
  { title: 'The server itself', errors: serverErrors },
])

/**
 * The code of an error of the catalogue.
 *
 * @example
 * ```ts
 * const isConflict = (code: ErrorCode) => code === 'RESOURCE_IN_USE' || code === 'CLIENT_GENERATED_ID_ALREADY_EXISTS'
 * ```
 */
export type ErrorCode = keyof typeof catalogue

/** A value for a `{placeholder}`. The caller joins a list into the text that the message shows. */
export type ContextValue = string | number | Sentence

/** The placeholder values of one error, by placeholder name. Responses show them only inside messages. */
export interface MessageValues {
  readonly [name: string]: ContextValue
}

/** The placeholder values that a code needs: `ContextOf<'CURSOR_STALE'>` is `{ parameter: string | number }`. */
export type ContextOf<Code extends ErrorCode> = {
  readonly [Name in (typeof catalogue)[Code]['context'][number]]: ContextValue
}
