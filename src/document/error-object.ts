import type { JsonValue } from '../util/types.js'

/** Exactly one of the three, as the error's nature asks. */
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
