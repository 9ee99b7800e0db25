import type { ErrorCode } from './error-code.js'

/** An error object of a response. https://jsonapi.org/format/1.1/#error-objects See {@link ClientError}. */
export interface ErrorObject {
  readonly id?: string
  readonly status?: string
  /** One of the codes of Ashlar, or of the application. */
  readonly code?: ErrorCode | (string & {})
  readonly title?: string
  readonly detail?: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
  readonly links?: Readonly<Record<string, unknown>>
  readonly meta?: Readonly<Record<string, unknown>>
}

/**
 * A response that is not a success, or that is not a JSON:API document. If it has no error objects, `errors` is empty. If there is no response
 * at all, the client throws the error of `fetch` instead: a `TypeError` for a lost connection, the reason of the signal, or a `TimeoutError`.
 *
 * @example
 * ```ts
 * import { ClientError } from '@ashlar/client'
 *
 * const messageAt = (thrown: unknown, field: string) =>
 *   thrown instanceof ClientError ? thrown.at[field]?.[0]?.detail : undefined
 * ```
 */
export class ClientError extends Error {
  declare readonly name: 'ClientError'
  declare readonly method: string
  declare readonly url: string
  declare readonly status: number
  declare readonly headers: Headers
  declare readonly errors: readonly ErrorObject[]
  /**
   * The errors by their source: the path of a member of the input, such as `title`, `releaseInfo.label`, `artist` or
   * `tracks.0.$pivot.position`, in a batch after the number of the operation, `1.title`; or the name of a query parameter or of a header. The
   * key is empty for errors about the whole request.
   */
  declare readonly at: Readonly<Partial<Record<string, readonly ErrorObject[]>>>

  constructor(
    { method, url }: { readonly method: string; readonly url: string },
    { status, headers }: { readonly status: number; readonly headers: Headers },
    errors: readonly ErrorObject[],
  ) {
    const [first] = errors
    super(first?.detail || first?.title || messageFor(status))
    // Not a class field, because bundlers for older browsers would add a function for it.
    const at = errorsByPath(errors)
    Object.assign(this, { name: 'ClientError', method, url, status, headers, errors, at })
  }

  /**
   * Returns whether one of the errors has a code. A code of the application must also be the type argument, so that the compiler finds misspelt
   * codes: `error.has<'SOLD_OUT'>('SOLD_OUT')`.
   */
  has<Own extends string = never>(code: ErrorCode | NoInfer<Own>): boolean {
    return this.errors.some((error) => error.code === code)
  }

  /** Returns the errors that are at none of these paths of `at`, for a message above a form with these fields. */
  notAt(paths: readonly string[]): readonly ErrorObject[] {
    const shown = new Set(paths.flatMap((path) => this.at[path] ?? []))
    return this.errors.filter((error) => !shown.has(error))
  }
}

function messageFor(status: number): string {
  return `The server responded with ${status}${status < 300 ? ', but not in the expected format' : ''}.`
}

function errorsByPath(errors: readonly ErrorObject[]): Record<string, ErrorObject[]> {
  // Without a prototype: paths have names that clients chose.
  const paths = Object.create(null) as Record<string, ErrorObject[]>
  for (const error of errors) {
    const { pointer, parameter, header } = error.source ?? {}
    const path = pointer === undefined ? (parameter ?? header ?? '') : inputPath(pointer)
    ;(paths[path] ??= []).push(error)
  }
  return paths
}

/** Returns the path of a member of the input from a pointer: `/data/attributes/releaseInfo/label` is `releaseInfo.label`. */
function inputPath(pointer: string): string {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const operation = names[0] === 'atomic:operations' ? names.splice(0, 2).slice(1) : []
  if (names[0] === 'data' || names[0] === 'ref') names.shift()
  if (names[0] === 'attributes') return [...operation, ...names.slice(1)].join('.')
  if (names[0] === 'relationships') {
    names.shift()
    // `artist/data` is `artist`, and `tracks/data/1` is `tracks.1`.
    if (names[1] === 'data') names.splice(1, 1)
  }
  // Input has the members of meta next to the others: `1/meta/pivot/position` is `1.$pivot.position`.
  const path = [...operation, ...names].join('.')
  return path.replace(/(^|\.)meta\.pivot(?=\.|$)/, '$1$$pivot').replace(/(^|\.)meta\.version$/, '$1version')
}
