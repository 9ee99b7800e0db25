import type { ErrorObject } from '../document/error-object.js'
import { deepFreeze } from '../util/deep-freeze.js'

/**
 * An error response, ready to be written as an error document.
 *
 * @example
 * ```ts
 * const closed: ErrorReply = {
 *   status: 503,
 *   errors: [{ status: '503', title: 'The catalogue is being moved.' }],
 *   headers: ['Retry-After', '120'],
 * }
 * ```
 */
export interface ErrorReply {
  readonly status: number
  readonly errors: readonly ErrorObject[]
  /** Response headers as alternating names and values. */
  readonly headers: readonly string[]
}

/**
 * Returns a copy of an error response without empty members. Throws a `TypeError` if the response is invalid.
 *
 * Application code can make error responses, and no later step checks them: a bad status or header would throw in the
 * adapter, and a cycle would throw in the writer. The copy shares no object with its input, so a hostile object (a
 * proxy, a throwing getter) cannot reach those steps.
 */
export function checkedReply({ status, errors, headers = [] }: Partial<ErrorReply>): ErrorReply {
  if (!isErrorStatus(status))
    throw new TypeError(`The status of an error response must be from 400 to 599, not ${String(status)}.`)
  if (!Array.isArray(errors) || errors.length === 0) {
    throw new TypeError('An error response must have at least one error.')
  }
  const copied: readonly string[] = Array.isArray(headers) ? [...headers] : headers
  checkHeaders(copied)
  return Object.freeze({
    status,
    errors: Object.freeze(errors.map(withoutEmptyMembers)),
    headers: Object.freeze(copied),
  })
}

export function isErrorStatus(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
}

/** The members of an error object, in the order in which they are written. */
const stringMembers = ['id', 'status', 'code', 'title', 'detail'] as const
const objectMembers = ['source', 'links', 'meta'] as const

function withoutEmptyMembers(error: ErrorObject): ErrorObject {
  if (typeof error.status !== 'string') throw new TypeError('The status of an error object must be a string.')
  const clean: Record<string, unknown> = {}
  for (const member of stringMembers) {
    const value: unknown = error[member]
    if (isEmpty(value)) continue
    if (typeof value !== 'string') throw new TypeError(`The ${member} of an error object must be a string.`)
    clean[member] = value
  }
  for (const member of objectMembers) {
    const value: unknown = error[member]
    if (!isEmpty(value)) clean[member] = jsonCopy(value)
  }
  return Object.freeze(clean) as unknown as ErrorObject
}

/** Copies a value by converting it to JSON text. Throws if the value cannot be written as JSON. */
function jsonCopy(value: unknown): unknown {
  return deepFreeze(JSON.parse(JSON.stringify(value)) as unknown)
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Throws a `TypeError` if the value is not a list of alternating header names and values that can be sent. */
export function checkHeaders(headers: unknown): void {
  if (!Array.isArray(headers) || headers.length % 2 !== 0) {
    throw new TypeError('Response headers must be a list of alternating names and values.')
  }
  headers.forEach((text: unknown, index) => {
    const pattern = index % 2 === 0 ? headerName : headerValue
    if (typeof text !== 'string' || !pattern.test(text)) {
      throw new TypeError('A response header has an invalid name or value.')
    }
  })
}

/**
 * The names and values that `node:http` accepts; it throws for any other.
 * https://www.rfc-editor.org/rfc/rfc9110#section-5
 */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/
