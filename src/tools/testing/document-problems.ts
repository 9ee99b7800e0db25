import type { DocumentProblem } from '../format/inspection/document-inspection.js'
import { type DocumentExpectation, inspectDocument } from '../format/inspection/inspect-document.js'

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
  return inspectDocument(document, expected).problems.map(({ pointer, problem }) => ({ pointer, problem }))
}

/** Formats problems as lines of an error message. */
export function formatProblems(problems: readonly DocumentProblem[]): string {
  return problems.map(({ pointer, problem }) => `  - ${pointer === '' ? '(document)' : pointer}: ${problem}`).join('\n')
}
