import { isBodyStream } from '../../core/http/body-stream.js'
import type { HttpResponse } from '../../core/http/response.js'

/** Response headers; names are case-insensitive. */
export interface TestHeaders extends Iterable<readonly [name: string, value: string]> {
  /** Returns the value, repeated headers joined with `, `; `null` if the header is absent. */
  get(name: string): string | null
  has(name: string): boolean
}

/** A resource object as a test reads it. */
export interface TestResource {
  readonly type: string
  readonly id: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, TestRelationship>>
  readonly links?: Readonly<Record<string, unknown>>
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface TestRelationship {
  readonly data?: TestIdentifier | readonly TestIdentifier[] | null
  readonly links?: Readonly<Record<string, unknown>>
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface TestIdentifier {
  readonly type: string
  readonly id: string
  readonly meta?: Readonly<Record<string, unknown>>
}

/** An error object as a test reads it. */
export interface TestError {
  readonly id?: string
  readonly status: string
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
  readonly links?: Readonly<Record<string, unknown>>
  readonly meta?: Readonly<Record<string, unknown>>
}

/** The result of one atomic operation: a resource, linkage, or no data. */
export interface TestResult {
  readonly data?: TestResource | TestIdentifier | readonly TestIdentifier[] | null
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A parsed document. The client validates it by default, so it has this shape. */
export interface TestDocument {
  readonly data?: TestResource | readonly TestResource[] | null
  readonly errors?: readonly TestError[]
  readonly 'atomic:results'?: readonly TestResult[]
  readonly included?: readonly TestResource[]
  readonly meta?: Readonly<Record<string, unknown>>
  readonly links?: Readonly<Record<string, unknown>>
  readonly jsonapi?: Readonly<Record<string, unknown>>
}

/** The response of a server. */
export interface TestResponse {
  readonly status: number
  readonly headers: TestHeaders
  /** The body as it was sent; empty without one. */
  readonly text: string
  /** The bytes of the body. */
  readonly bytes: Uint8Array
  /** The parsed body; `undefined` without one, or if it is not a JSON:API document. */
  readonly document: TestDocument | undefined
  /** The single resource of the document; throws if there is none, or a list. */
  readonly resource: TestResource
  /** The resources of a collection; throws if `data` is not a list. */
  readonly resources: readonly TestResource[]
  /** The results of atomic operations, in their order; throws if the document has none. */
  readonly results: readonly TestResult[]
  /** The errors of the document; empty for a successful response. */
  readonly errors: readonly TestError[]
}

/**
 * Reads an internal response, whose body is no stream. The response to `HEAD` has no body, because every adapter removes it.
 */
export function testResponse({ status, headers, body }: HttpResponse, method: string): TestResponse {
  if (isBodyStream(body)) throw new TypeError('Read the stream of the response first: wholeBody().')
  const bytes = method === 'HEAD' || body === null ? new Uint8Array() : bytesOf(body)
  const text = method === 'HEAD' || body === null ? '' : typeof body === 'string' ? body : decoder.decode(body)
  const testedHeaders = testHeaders(headers)
  const isDocument = text !== '' && /^application\/vnd\.api\+json\b/i.test(testedHeaders.get('content-type') ?? '')
  const document = isDocument ? parsed(text) : undefined
  return Object.freeze({
    status,
    headers: testedHeaders,
    text,
    bytes,
    document,
    get resource(): TestResource {
      const data = document?.data
      if (isResource(data)) return data
      throw new Error(`There is no single resource in this ${status} response: ${text}`)
    },
    get resources(): readonly TestResource[] {
      const data = document?.data
      if (data !== undefined && data !== null && !isResource(data)) return data
      throw new Error(`There is no list of resources in this ${status} response: ${text}`)
    },
    get results(): readonly TestResult[] {
      const results = document?.['atomic:results']
      if (results !== undefined) return results
      throw new Error(`There are no results of operations in this ${status} response: ${text}`)
    },
    errors: document?.errors ?? [],
  })
}

const decoder = new TextDecoder()

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body
}

function isResource(data: TestDocument['data']): data is TestResource {
  return data !== undefined && data !== null && 'type' in data
}

/** Parses a document; `undefined` for invalid JSON, which `responseProblems()` reports. */
function parsed(text: string): TestDocument | undefined {
  try {
    return JSON.parse(text) as TestDocument
  } catch {
    return undefined
  }
}

function testHeaders(headers: readonly string[]): TestHeaders {
  const entries: (readonly [string, string])[] = []
  for (let index = 0; index + 1 < headers.length; index += 2) {
    entries.push([headers[index] ?? '', headers[index + 1] ?? ''])
  }
  const valuesOf = (name: string): readonly string[] =>
    entries.filter(([other]) => other.toLowerCase() === name.toLowerCase()).map(([, value]) => value)
  return Object.freeze({
    get: (name: string) => (valuesOf(name).length === 0 ? null : valuesOf(name).join(', ')),
    has: (name: string) => valuesOf(name).length > 0,
    [Symbol.iterator]: () => entries[Symbol.iterator](),
  })
}
