import { expect, test } from 'vitest'
import { catalogue, catalogueSubjects, type ContextOf, type ErrorCode } from '../../src/core/errors/catalogue.js'
import type { CatalogueEntry } from '../../src/core/errors/catalogue-entry.js'
import { problem } from '../../src/core/errors/json-api-error.js'

const entries = Object.entries(catalogue) as unknown as readonly (readonly [ErrorCode, CatalogueEntry])[]

/** The contract with clients: taking a code away or giving it another status breaks them. */
const statuses: Readonly<Record<number, string>> = {
  400: `PRECONDITION_INVALID PREFERENCE_NOT_SUPPORTED REQUEST_BODY_INVALID_JSON REQUEST_BODY_UNDECODABLE REQUEST_BODY_INVALID_JSON_API REQUIRED_TOP_LEVEL_MEMBERS_MISSING
    TOP_LEVEL_MEMBERS_INCOMPATIBLE TOP_LEVEL_MEMBER_NOT_ALLOWED DATA_MEMBER_MISSING RESOURCE_TYPE_MISSING RESOURCE_ID_MISSING
    RESOURCE_ID_INVALID RESOURCE_IDENTIFIER_TYPE_MISSING RESOURCE_IDENTIFIER_TYPE_INVALID RESOURCE_IDENTIFIER_ID_MISSING
    RESOURCE_IDENTIFIER_ID_INVALID RESOURCE_IDENTIFIER_LID_INVALID LOCAL_ID_NOT_SUPPORTED LOCAL_ID_NOT_FOUND LOCAL_ID_CONFLICT
    RELATIONSHIP_TYPE_INAPPROPRIATE QUERY_PARAM_UNRECOGNIZED QUERY_PARAM_MALFORMED QUERY_PARAM_IN_URL QUERY_BODY_MALFORMED QUERY_MEMBER_INVALID FILTERING_UNRECOGNIZED FILTER_VALUE_INVALID
    SORTING_UNSUPPORTED SORTING_UNRECOGNIZED SORTING_WITHOUT_SEARCH FIELDSET_MEMBER_UNRECOGNIZED INCLUSION_UNSUPPORTED INCLUSION_UNRECOGNIZED
    INCLUSION_NOT_ALLOWED INCLUSION_DEPTH_EXCEEDED PAGINATION_KIND_UNKNOWN PAGINATION_COUNT_UNKNOWN CURSOR_MALFORMED CURSOR_STALE
    RELATIONSHIP_COUNT_NOT_ALLOWED RELATIONSHIP_LINKAGE_NOT_ALLOWED ATOMIC_OPERATIONS_INVALID ATOMIC_HREF_UNRESOLVABLE LIMIT_EXCEEDED QUERY_TOO_EXPENSIVE PATH_MALFORMED
    IDEMPOTENCY_KEY_INVALID READ_AFTER_INVALID`,
  401: 'UNAUTHENTICATED',
  403: `RESOURCE_ID_IMMUTABLE CLIENT_GENERATED_ID_NOT_SUPPORTED CLIENT_GENERATED_ID_REQUIRED FULL_REPLACEMENT_PROHIBITED ADDITION_PROHIBITED
    REMOVAL_PROHIBITED RELATIONSHIP_READ_ONLY ATOMIC_OPERATIONS_NOT_SUPPORTED ATOMIC_OPERATION_NOT_EXPOSED
    RESOURCE_OUT_OF_SCOPE FORBIDDEN`,
  404: 'PATH_NOT_FOUND RESOURCE_NOT_FOUND RELATIONSHIP_NOT_EXISTS RELATED_RESOURCE_NOT_FOUND ATOMIC_TARGET_TYPE_UNKNOWN',
  405: 'METHOD_NOT_ALLOWED',
  406: 'MEDIA_TYPE_UNACCEPTABLE RESPONSE_TYPE_UNACCEPTABLE',
  409: 'RESOURCE_TYPE_UNACCEPTABLE RESOURCE_ID_CONFLICT CLIENT_GENERATED_ID_ALREADY_EXISTS RESOURCE_ALREADY_EXISTS RESOURCE_IN_USE IDEMPOTENCY_KEY_IN_USE',
  412: 'PRECONDITION_FAILED',
  413: 'REQUEST_BODY_TOO_LARGE ATOMIC_OPERATIONS_TOO_MANY',
  414: 'URI_TOO_LONG',
  415: 'MEDIA_TYPE_UNSUPPORTED BODY_TYPE_UNSUPPORTED QUERY_MEDIA_TYPE_UNSUPPORTED CONTENT_ENCODING_UNSUPPORTED',
  421: 'HOST_NOT_ALLOWED',
  422: `VALIDATION_FAILED ATTRIBUTE_VALUE_INVALID RELATED_ATTRIBUTE_OWNER_MISSING RESOURCE_ID_UNDECODABLE ATTRIBUTE_UNRECOGNIZED
    RELATIONSHIP_UNRECOGNIZED ASYNC_WRITE_IN_ATOMIC_OPERATION IDEMPOTENCY_KEY_REUSED`,
  428: 'PRECONDITION_REQUIRED',
  429: 'RATE_LIMIT_EXCEEDED IDEMPOTENCY_KEYS_EXCEEDED',
  500: `APPLICATION_ERROR NO_RESOURCE_REGISTERED RESPONSE_BODY_INVALID_JSON RESPONSE_BODY_INVALID_JSON_API
    ATOMIC_OPERATIONS_UNAVAILABLE`,
  503: 'STORE_UNAVAILABLE SERVER_OVERLOADED REQUEST_BODY_REFUSED DEADLINE_EXCEEDED AUTHENTICATION_UNAVAILABLE',
}

test('the catalogue has exactly the promised codes, each with its promised status', () => {
  const promised = Object.entries(statuses).flatMap(([status, codes]) =>
    codes.split(/\s+/).map((code) => [code, Number(status)] as const),
  )
  expect(Object.fromEntries(entries.map(([code, entry]) => [code, entry.status]))).toEqual(Object.fromEntries(promised))
})

test.each(entries)('the placeholders in the templates of %s are the names of its context', (_code, entry) => {
  const used = [...`${entry.title} ${entry.detail}`.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
  expect(new Set(used)).toEqual(new Set(entry.context))
})

test.each(entries)(
  '%s has a title without a full stop, a detail that is a sentence, and a condition for the docs',
  (_code, entry) => {
    expect(entry.title).toMatch(/^[A-Z].*[^.]$/)
    expect(entry.detail).toMatch(/^\{message\}$|^[A-Z].*\.$/)
    expect(entry.when).toMatch(/^[A-Z].*\.$/)
    expect(entry.source.length).toBeGreaterThan(0)
  },
)

test('the titles and details that the specification defines are literal', () => {
  expect(catalogue.VALIDATION_FAILED).toMatchObject({ title: 'Unprocessable Entity', detail: '{message}' })
  expect(catalogue.FILTER_VALUE_INVALID).toMatchObject({ title: 'Filter value is invalid', detail: '{message}' })
})

test('errors of query parameters name the parameter, and errors of negotiation the header', () => {
  for (const { title, errors } of catalogueSubjects) {
    if (title === 'Query parameters')
      for (const entry of Object.values(errors)) expect(entry.source).toEqual(['parameter'])
    if (title === 'Media types') for (const entry of Object.values(errors)) expect(entry.source).toEqual(['header'])
  }
})

test('every code belongs to exactly one subject', () => {
  const codes = catalogueSubjects.flatMap((subject) => Object.keys(subject.errors))
  expect(codes.toSorted()).toEqual(Object.keys(catalogue).toSorted())
})

test('the catalogue is frozen all the way down', () => {
  expect(Object.isFrozen(catalogue)).toBe(true)
  for (const [, entry] of entries) {
    expect(Object.isFrozen(entry)).toBe(true)
    expect(Object.isFrozen(entry.context)).toBe(true)
    expect(Object.isFrozen(entry.source)).toBe(true)
  }
})

test('the compiler requires exactly the context of a code', () => {
  const context: ContextOf<'RESOURCE_ID_CONFLICT'> = { documentId: '1', endpointId: 2 }
  expect(problem('RESOURCE_ID_CONFLICT', context).context).toEqual(context)
  expect(problem('RESOURCE_NOT_FOUND').context).toEqual({})
  expect(problem('RESOURCE_NOT_FOUND', {}, { source: { pointer: '/data' } }).source).toEqual({ pointer: '/data' })
  expect(problem('RESOURCE_NOT_FOUND', undefined, { meta: { tried: 2 } }).meta).toEqual({ tried: 2 })

  // @ts-expect-error a code with placeholders needs its context
  problem('RESOURCE_ID_CONFLICT')
  // @ts-expect-error all of it
  problem('RESOURCE_ID_CONFLICT', { documentId: '1' })
  // @ts-expect-error and nothing else
  problem('RESOURCE_ID_CONFLICT', { documentId: '1', endpointId: '2', id: '3' })
  // @ts-expect-error a code without placeholders takes none
  problem('RESOURCE_NOT_FOUND', { id: '1' })
  // @ts-expect-error a misspelt code
  expect(() => problem('RESOURCE_NOT_FOND')).toThrow("The error catalogue has no code 'RESOURCE_NOT_FOND'.")
})
