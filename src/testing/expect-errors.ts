import type { TestError, TestResponse } from './test-response.js'

/** What an error shall be; what is left out may be anything. `null` demands that the member is absent. */
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
 * Throws unless a response has exactly these errors, in any order. Answers the errors, for a closer look.
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
  const left = [...response.errors]
  const missing = expected.filter((wanted) => {
    const index = left.findIndex((error) => matches(error, wanted))
    if (index !== -1) left.splice(index, 1)
    return index === -1
  })
  if (missing.length === 0 && left.length === 0) return response.errors
  throw new Error(
    [
      `The response ${response.status} has other errors than expected.`,
      ...missing.map((wanted) => `  - missing: ${JSON.stringify(wanted)}`),
      ...left.map((error) => `  - not expected: ${JSON.stringify(error)}`),
      ...(response.errors.length === 0 ? [`  It has none at all: ${response.text}`] : []),
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
  return members.every(([told, wanted]) => wanted === undefined || (told ?? null) === wanted)
}
