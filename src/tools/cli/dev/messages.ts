import type { LoadFailure } from './load-failure.js'
import type { ReportedException } from './reported-exception.js'

/** A message of the host to a child. */
export type ToChild =
  | {
      readonly kind: 'load'
      /** An absolute path. */
      readonly module: string
      /** The file of the embedded database. */
      readonly database: string
    }
  /** Ends the child when its requests have their responses. */
  | { readonly kind: 'close'; readonly deadline: number }

/** A message of a child to the host. */
export type FromChild =
  | {
      readonly kind: 'serving'
      readonly port: number
      readonly service: ServedService
      readonly files: readonly string[]
    }
  | { readonly kind: 'failed'; readonly failure: LoadFailure; readonly files: readonly string[] }
  /** Files that were loaded later, by a request. */
  | { readonly kind: 'loaded'; readonly files: readonly string[] }
  | { readonly kind: 'exception'; readonly exception: ReportedException }

/** The description of a service that is printed. */
export interface ServedService {
  readonly types: readonly string[]
  readonly routes: readonly ServedRoute[]
  /** The file of the embedded database; null if the module has its own data. */
  readonly database: string | null
}

export interface ServedRoute {
  readonly method: string
  readonly path: string
  readonly name: string
  readonly server: string
}
