import type { ErrorObject } from '../document/error-object.js'
import { deepFreeze } from '../util/frozen.js'

/** A failure, ready to be written as an error document. */
export interface ErrorAnswer {
  readonly status: number
  readonly errors: readonly ErrorObject[]
  /** Response headers, name and value by turns. */
  readonly headers: readonly string[]
}

/**
 * An answer that application code made, cleared of empty members, or a `TypeError` that says what is wrong with it.
 * Past this point nothing checks again: a bad status or header would throw in the adapter, a cycle in the writer. So
 * what is answered is a copy, and nothing of a hostile object is left in it.
 */
export function checkedAnswer({ status, errors, headers = [] }: Partial<ErrorAnswer>): ErrorAnswer {
  if (!isErrorStatus(status))
    throw new TypeError(`The status of an error answer is from 400 to 599, not ${String(status)}.`)
  if (!Array.isArray(errors) || errors.length === 0) throw new TypeError('An error answer has at least one error.')
  const sent: readonly string[] = Array.isArray(headers) ? [...headers] : headers
  checkHeaders(sent)
  return Object.freeze({ status, errors: Object.freeze(errors.map(withoutEmptyMembers)), headers: Object.freeze(sent) })
}

export function isErrorStatus(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
}

/** In the order in which they are written. */
const texts = ['id', 'status', 'code', 'title', 'detail'] as const
const objects = ['source', 'links', 'meta'] as const

function withoutEmptyMembers(error: ErrorObject): ErrorObject {
  if (typeof error.status !== 'string') throw new TypeError('The status of an error object is a string.')
  const clean: Record<string, unknown> = {}
  for (const member of texts) {
    const value: unknown = error[member]
    if (isEmpty(value)) continue
    if (typeof value !== 'string') throw new TypeError(`The ${member} of an error object is a string.`)
    clean[member] = value
  }
  for (const member of objects) {
    const value: unknown = error[member]
    if (!isEmpty(value)) clean[member] = jsonCopy(value)
  }
  return Object.freeze(clean) as unknown as ErrorObject
}

/** The attempt shows whether the value is JSON. */
function jsonCopy(value: unknown): unknown {
  return deepFreeze(JSON.parse(JSON.stringify(value)) as unknown)
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Throws a `TypeError` where a list of names and values cannot be sent as response headers. */
export function checkHeaders(headers: unknown): void {
  if (!Array.isArray(headers) || headers.length % 2 !== 0) {
    throw new TypeError('Response headers are a list of names and values by turns.')
  }
  headers.forEach((text: unknown, index) => {
    const rule = index % 2 === 0 ? headerName : headerValue
    if (typeof text !== 'string' || !rule.test(text)) throw new TypeError('A response header cannot be sent as it is.')
  })
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-5: what `node:http` accepts; anything else throws there. */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/
