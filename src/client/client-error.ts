import type { ErrorCode } from './error-code.js'

/** An error object of a response. https://jsonapi.org/format/1.1/#error-objects */
export interface ErrorObject {
  readonly id?: string
  readonly status?: string
  readonly code?: ErrorCode
  readonly title?: string
  readonly detail?: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
  readonly meta?: Readonly<Record<string, unknown>>
}

/**
 * A response that is not a success. If it has no document, `errors` is empty.
 *
 * @example
 * ```ts
 * import { ClientError } from 'ashlar/client'
 *
 * const messageAt = (thrown: unknown, field: string) =>
 *   thrown instanceof ClientError ? thrown.at[field]?.[0]?.detail : undefined
 * ```
 */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly status: number
  readonly errors: readonly ErrorObject[]
  /**
   * The errors by what they are about: the path of a field in what was sent, such as `title`, `releaseInfo.label` or `artist`; in a batch after
   * the number of the operation, `1.title`; else the name of a query parameter or of a header.
   */
  readonly at: Readonly<Record<string, readonly ErrorObject[]>>
  readonly headers: Headers

  constructor(response: Response, errors: readonly ErrorObject[]) {
    const [first] = errors
    super(first?.detail || first?.title || `The server responded with ${response.status}.`)
    this.status = response.status
    this.headers = response.headers
    this.errors = errors
    this.at = errorsByPlace(errors)
  }

  /** Returns whether one of the errors has a code. */
  has(code: ErrorCode): boolean {
    return this.errors.some((error) => error.code === code)
  }
}

function errorsByPlace(errors: readonly ErrorObject[]): Record<string, ErrorObject[]> {
  // Without a prototype: places have names that clients chose.
  const places = Object.create(null) as Record<string, ErrorObject[]>
  for (const error of errors) {
    const { pointer, parameter, header } = error.source ?? {}
    const place = pointer === undefined ? (parameter ?? header) : fieldPath(pointer)
    if (place !== undefined) (places[place] ??= []).push(error)
  }
  return places
}

/** Returns the path of a field from a pointer: `/data/attributes/releaseInfo/label` is `releaseInfo.label`. */
function fieldPath(pointer: string): string {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const batch = names[0] === 'atomic:operations' ? names.splice(0, 2).slice(1) : []
  if (names[0] === 'data') names.shift()
  if (names[0] === 'attributes') names.shift()
  else if (names[0] === 'relationships') {
    names.shift()
    // `artist/data` is `artist`, and `tracks/data/1` is `tracks.1`.
    if (names[1] === 'data') names.splice(1, 1)
  }
  return [...batch, ...names].join('.')
}
