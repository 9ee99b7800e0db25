import { ATOMIC_EXTENSION } from '../document/media-type.js'
import { checkCompound } from './document/compound.js'
import { checkErrors } from './document/error-objects.js'
import type { DocumentProblem, DocumentInspection, JsonObject } from './document/document-inspection.js'
import { isJsonObject, reportProblem } from './document/document-inspection.js'
import { checkAtomicDocument } from './document/results.js'
import { checkIncluded, checkPrimaryData, checkTopLevelMembers } from './document/top-level.js'

/** Expectations of a document that its content alone does not show. */
export interface DocumentExpectation {
  /** The HTTP status of the response. */
  readonly status?: number
  /**
   * The kind of the response: resources (`data`, `related`), linkage (`identifier`), only meta (`meta`), the results of
   * atomic operations (`results`) or errors (`error`). Without it, both resources and linkage are valid.
   */
  readonly kind?: 'data' | 'related' | 'identifier' | 'meta' | 'results' | 'error'
  /** URIs of the extensions that the response applies. Without one, a member such as `atomic:results` is a problem. */
  readonly extensions?: readonly string[]
  /**
   * The types with a sparse fieldset in the request. It may leave out the relationships that link to included
   * resources. `true` if the types are unknown.
   */
  readonly fieldsets?: boolean | readonly string[]
}

/**
 * Returns all problems of a JSON:API 1.1 response document, each with a pointer; an empty list for a valid document.
 *
 * It checks the top-level members and their combinations, resource objects, resource identifiers and relationships, the
 * shared namespace of fields, member names, links and link objects, pagination links, meta, the `jsonapi` object,
 * included resources (full linkage, no duplicates), error objects with their sources and statuses, and the results of
 * atomic operations if the extension is applied.
 *
 * @example
 * ```ts
 * documentProblems({ data: { type: 'albums', id: 1 } })
 * // [{ pointer: '/data/id', problem: 'This must be a string.' }]
 * ```
 */
export function documentProblems(document: unknown, expected: DocumentExpectation = {}): readonly DocumentProblem[] {
  const { extensions = [] } = expected
  const inspection: DocumentInspection = { problems: [], extended: extensions.length > 0 }
  if (isJsonObject(document)) inspect(document, expected, inspection)
  else reportProblem(inspection, [], 'A document must be a JSON object.')
  return inspection.problems
}

function inspect(document: JsonObject, expected: DocumentExpectation, inspection: DocumentInspection): void {
  checkTopLevelMembers(document, inspection)
  checkKind(document, expected, inspection)
  if (expected.extensions?.includes(ATOMIC_EXTENSION)) checkAtomicDocument(document, inspection)
  if (Object.hasOwn(document, 'errors')) checkErrors(document['errors'], expected.status ?? null, inspection)
  if (!Object.hasOwn(document, 'data')) return
  checkPrimaryData(document['data'], expected.kind === 'identifier', inspection)
  checkIncluded(document, inspection)
  checkCompound(document, expected, inspection)
}

/** The member that a document of each kind must have. */
const memberByKind: Readonly<Record<NonNullable<DocumentExpectation['kind']>, string>> = Object.freeze({
  data: 'data',
  related: 'data',
  identifier: 'data',
  meta: 'meta',
  results: 'atomic:results',
  error: 'errors',
})

function checkKind(document: JsonObject, { kind, status }: DocumentExpectation, inspection: DocumentInspection): void {
  const has = (member: string): boolean => Object.hasOwn(document, member)
  const failed = status !== undefined && status >= 400
  if (failed && !has('errors'))
    reportProblem(inspection, [], `The document of a response ${status} must have the member 'errors'.`)
  if (status !== undefined && !failed && has('errors')) {
    reportProblem(inspection, ['errors'], `A response ${status} is a success and must not have errors.`)
  }
  if (kind === undefined) return
  const required = memberByKind[kind]
  if (!has(required))
    reportProblem(inspection, [], `A document of the kind '${kind}' must have the member '${required}'.`)
  if (kind === 'meta' && has('data')) {
    reportProblem(inspection, ['data'], "A document of the kind 'meta' must not have the member 'data'.")
  }
}

/**
 * Throws an `Error` that lists all problems of a document. Does nothing for a valid document.
 *
 * @example
 * ```ts
 * assertDocument(await response.json(), { status: response.status })
 * ```
 */
export function assertDocument(document: unknown, expected: DocumentExpectation = {}): void {
  const problems = documentProblems(document, expected)
  if (problems.length > 0) throw new Error(`This is not a valid JSON:API document:\n${formatProblems(problems)}`)
}

/** Formats problems as lines of an error message. */
export function formatProblems(problems: readonly DocumentProblem[]): string {
  return problems.map(({ pointer, problem }) => `  - ${pointer === '' ? '(document)' : pointer}: ${problem}`).join('\n')
}
