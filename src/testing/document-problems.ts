import { ATOMIC_EXTENSION } from '../document/media-type.js'
import { checkCompound } from './document/compound.js'
import { checkErrors } from './document/error-objects.js'
import type { DocumentProblem, Inspection, JsonObject } from './document/inspection.js'
import { isObject, note } from './document/inspection.js'
import { checkAtomicDocument } from './document/results.js'
import { checkIncluded, checkPrimaryData, checkTopLevel } from './document/top-level.js'

/** What the examiner of a document may know beside it. */
export interface DocumentExpectation {
  /** The HTTP status that the document came with. */
  readonly status?: number
  /**
   * What the document answers with, in the words of the response kinds: resources (`data`, `related`), linkage
   * (`identifier`), nothing but meta (`meta`), what became of atomic operations (`results`) or errors (`error`). Left out,
   * resources and linkage pass alike.
   */
  readonly kind?: 'data' | 'related' | 'identifier' | 'meta' | 'results' | 'error'
  /** URIs of the extensions that the response applies; without one, a member such as `atomic:results` is a fault. */
  readonly extensions?: readonly string[]
  /**
   * The types whose fields the request restricted, which may leave out the relationships that included resources hang
   * on; `true` where it is not known which.
   */
  readonly fieldsets?: boolean | readonly string[]
}

/**
 * Everything that makes a value no JSON:API 1.1 response document, each with a pointer; an empty list for a sound one.
 *
 * Checked are the top-level members and their company, resource objects, resource identifiers and relationships, the
 * shared namespace of fields, member names, links and link objects, pagination links, meta, the `jsonapi` object,
 * included resources (full linkage, none twice), error objects with their sources and statuses, and, where the extension
 * is applied, the results of atomic operations.
 *
 * @example
 * ```ts
 * documentProblems({ data: { type: 'albums', id: 1 } })
 * // [{ pointer: '/data/id', problem: 'This must be a string.' }]
 * ```
 */
export function documentProblems(document: unknown, expected: DocumentExpectation = {}): readonly DocumentProblem[] {
  const { extensions = [] } = expected
  const inspection: Inspection = { problems: [], extended: extensions.length > 0 }
  if (isObject(document)) inspect(document, expected, inspection)
  else note(inspection, [], 'A document is a JSON object.')
  return inspection.problems
}

function inspect(document: JsonObject, expected: DocumentExpectation, inspection: Inspection): void {
  checkTopLevel(document, inspection)
  checkKind(document, expected, inspection)
  if (expected.extensions?.includes(ATOMIC_EXTENSION)) checkAtomicDocument(document, inspection)
  if (Object.hasOwn(document, 'errors')) checkErrors(document['errors'], expected.status ?? null, inspection)
  if (!Object.hasOwn(document, 'data')) return
  checkPrimaryData(document['data'], expected.kind === 'identifier', inspection)
  checkIncluded(document, inspection)
  checkCompound(document, expected, inspection)
}

/** The member that makes a document one of its kind. */
const memberOf: Readonly<Record<NonNullable<DocumentExpectation['kind']>, string>> = Object.freeze({
  data: 'data',
  related: 'data',
  identifier: 'data',
  meta: 'meta',
  results: 'atomic:results',
  error: 'errors',
})

function checkKind(document: JsonObject, { kind, status }: DocumentExpectation, inspection: Inspection): void {
  const has = (member: string): boolean => Object.hasOwn(document, member)
  const failed = status !== undefined && status >= 400
  if (failed && !has('errors')) note(inspection, [], `A response ${status} has a document with 'errors'.`)
  if (status !== undefined && !failed && has('errors')) {
    note(inspection, ['errors'], `A response ${status} is a success, and has no errors to tell.`)
  }
  if (kind === undefined) return
  const wanted = memberOf[kind]
  if (!has(wanted)) note(inspection, [], `A document of this kind has the member '${wanted}'.`)
  if (kind === 'meta' && has('data')) note(inspection, ['data'], "A document of nothing but meta has no 'data'.")
}

/**
 * Throws an `Error` that lists every problem of a document, and does nothing for a sound one.
 *
 * @example
 * ```ts
 * assertDocument(await response.json(), { status: response.status })
 * ```
 */
export function assertDocument(document: unknown, expected: DocumentExpectation = {}): void {
  const problems = documentProblems(document, expected)
  if (problems.length > 0) throw new Error(`This is no JSON:API document:\n${listed(problems)}`)
}

export function listed(problems: readonly DocumentProblem[]): string {
  return problems.map(({ pointer, problem }) => `  - ${pointer === '' ? '(document)' : pointer}: ${problem}`).join('\n')
}
