import type { OpenApiDocument } from 'ashlar'
import type { TestRequestOptions, TestResponse } from 'ashlar/testing'
import { type Json, parametersOf } from './described-parameters.js'

/** Headers of requests, and whether a response shows that one of them was applied. */
const applied: readonly (readonly [name: string, isApplied: (response: TestResponse) => boolean])[] = [
  ['Prefer', ({ headers }) => headers.has('preference-applied')],
  ['Idempotency-Key', ({ headers }) => headers.has('idempotency-replayed')],
  ['If-None-Match', ({ status }) => status === 304],
  ['If-Modified-Since', ({ status }) => status === 304],
  ['Content-Encoding', ({ status }) => status < 300],
]

/** Returns the headers of a request that the server has applied although they are not described. */
export function sentHeaderProblems(
  document: OpenApiDocument,
  operation: Json,
  { sent, response }: { readonly sent: TestRequestOptions; readonly response: TestResponse },
): readonly string[] {
  const names = new Set(Object.keys(sent.headers ?? {}).map((name) => name.toLowerCase()))
  const described = new Set(parametersOf(document, operation).map(({ name }) => name.toLowerCase()))
  const isMissing = (name: string): boolean => names.has(name.toLowerCase()) && !described.has(name.toLowerCase())
  return applied
    .filter(([name, isApplied]) => isMissing(name) && isApplied(response))
    .map(([name]) => `the header ${name} of the request is not described`)
}
