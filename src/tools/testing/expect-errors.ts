import type { TestError, TestResponse } from './test-response.js'

/** An expected error. An omitted member may have any value; `null` means that the member must be absent. */
export interface ExpectedError {
  readonly status?: number
  readonly code?: string | null
  readonly title?: string
  readonly detail?: string
  readonly pointer?: string | null
  readonly parameter?: string | null
  readonly header?: string | null
}

/**
 * Throws unless a response has exactly these errors, in any order. Returns the errors, for further assertions.
 *
 * @example
 * ```ts
 * expectErrors(await client.post('/albums', { body: untitled }), [
 *   { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/title' },
 * ])
 * ```
 */
export function expectErrors(
  response: Pick<TestResponse, 'status' | 'errors' | 'text'>,
  expected: readonly ExpectedError[],
): readonly TestError[] {
  const unexpected = [...response.errors]
  const missing = expected.filter((wanted) => {
    const index = unexpected.findIndex((error) => matches(error, wanted))
    if (index !== -1) unexpected.splice(index, 1)
    return index === -1
  })
  if (missing.length === 0 && unexpected.length === 0) return response.errors
  throw new Error(
    [
      `The response ${response.status} does not have the expected errors.`,
      ...missing.map((wanted) => `  - missing: ${JSON.stringify(wanted)}`),
      ...unexpected.map((error) => `  - not expected: ${JSON.stringify(error)}`),
      ...(response.errors.length === 0 ? [`  It has no errors: ${response.text}`] : []),
    ].join('\n'),
  )
}

function matches(error: TestError, { status, pointer, parameter, header, ...texts }: ExpectedError): boolean {
  if (status !== undefined && error.status !== String(status)) return false
  const members: readonly (readonly [string | undefined, string | null | undefined])[] = [
    [error.code, texts.code],
    [error.title, texts.title],
    [error.detail, texts.detail],
    [error.source?.pointer, pointer],
    [error.source?.parameter, parameter],
    [error.source?.header, header],
  ]
  return members.every(([actual, wanted]) => wanted === undefined || (actual ?? null) === wanted)
}
