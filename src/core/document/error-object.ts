import type { JsonValue } from '../util/types.js'

/** The source of an error: a pointer into the request body, a query parameter or a header. */
export type ErrorSource = { readonly pointer: string } | { readonly parameter: string } | { readonly header: string }

/** https://jsonapi.org/format/1.1/#error-objects */
export interface ErrorObject {
  readonly id?: string
  readonly status: string
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly source?: ErrorSource
  readonly links?: { readonly [name: string]: JsonValue }
  readonly meta?: { readonly [name: string]: JsonValue }
}
