import { ATOMIC_EXTENSION } from '../../../core/document/media-type.js'
import type { StatementId } from '../statements/statements.js'
import { checkCompound } from './compound.js'
import type { DocumentInspection, InspectedProblem, JsonObject } from './document-inspection.js'
import { isJsonObject, observe, reportProblem } from './document-inspection.js'
import { checkErrors } from './error-objects.js'
import { checkAtomicDocument } from './results.js'
import { checkIncluded, checkPrimaryData, checkTopLevelMembers } from './top-level.js'

/** Expectations of a document that do not follow from its content. */
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
   * The types with a sparse fieldset in the request. It may omit the relationships that link to included
   * resources. `true` if the types are unknown.
   */
  readonly fieldsets?: boolean | readonly string[]
}

/** The problems of a document, and the statements that it has instances of. */
export interface InspectedDocument {
  readonly problems: readonly InspectedProblem[]
  readonly seen: ReadonlySet<StatementId>
}

/** Inspects a response document of JSON:API 1.1. */
export function inspectDocument(document: unknown, expected: DocumentExpectation = {}): InspectedDocument {
  const { extensions = [] } = expected
  const inspection: DocumentInspection = { problems: [], seen: new Set(), extended: extensions.length > 0 }
  observe(inspection, 'json-object')
  if (isJsonObject(document)) inspect(document, expected, inspection)
  else reportProblem(inspection, 'json-object', [], 'A document must be a JSON object.')
  return inspection
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
    reportProblem(inspection, null, [], `The document of a response ${status} must have the member 'errors'.`)
  if (status !== undefined && !failed && has('errors')) {
    reportProblem(inspection, null, ['errors'], `A response ${status} is a success and must not have errors.`)
  }
  if (kind === undefined) return
  const required = memberByKind[kind]
  if (!has(required))
    reportProblem(inspection, null, [], `A document of the kind '${kind}' must have the member '${required}'.`)
  if (kind === 'meta' && has('data')) {
    reportProblem(inspection, null, ['data'], "A document of the kind 'meta' must not have the member 'data'.")
  }
}
