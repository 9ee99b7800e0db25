import { pointer } from '../../../core/document/json-pointer.js'
import type { StatementId } from '../statements/statements.js'

/** A problem of a document, with its pointer. */
export interface DocumentProblem {
  /** A JSON pointer into the document; empty for the document as a whole. */
  readonly pointer: string
  /** A sentence. */
  readonly problem: string
}

/** A problem, with the statement of the format that it violates. */
export interface InspectedProblem extends DocumentProblem {
  /** `null` if the format does not forbid it. */
  readonly statement: StatementId | null
  /** The version that forbids it first, if it is later than that of the statement. */
  readonly since?: '1.1'
}

/** The state of a validation. Every check adds its problems; no check stops the validation. */
export interface DocumentInspection {
  readonly problems: InspectedProblem[]
  /** The statements that apply to the document, whether it violates them or not. */
  readonly seen: Set<StatementId>
  /** Whether an extension is applied. Members of its namespace are then allowed everywhere. */
  readonly extended: boolean
}

/** The path to a value, as the tokens of a JSON pointer. */
export type Path = readonly (string | number)[]

export type JsonObject = Readonly<Record<string, unknown>>

export function reportProblem(
  inspection: DocumentInspection,
  statement: StatementId | null,
  at: Path,
  problem: string,
): void {
  inspection.problems.push({ pointer: pointer(...at), problem, statement })
}

/** Records that these statements apply to the document. */
export function observe({ seen }: DocumentInspection, ...statements: readonly StatementId[]): void {
  for (const statement of statements) seen.add(statement)
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a value that must be an object; `null` if it is not. */
export function objectAt(
  value: unknown,
  at: Path,
  statement: StatementId | null,
  inspection: DocumentInspection,
): JsonObject | null {
  if (statement !== null) observe(inspection, statement)
  if (isJsonObject(value)) return value
  reportProblem(inspection, statement, at, 'This must be an object.')
  return null
}

/** Returns a value that must be an array; `null` if it is not. */
export function listAt(
  value: unknown,
  at: Path,
  statement: StatementId | null,
  inspection: DocumentInspection,
): readonly unknown[] | null {
  if (statement !== null) observe(inspection, statement)
  if (Array.isArray(value)) return value
  reportProblem(inspection, statement, at, 'This must be an array.')
  return null
}

export function checkString(
  value: unknown,
  at: Path,
  statement: StatementId,
  inspection: DocumentInspection,
): value is string {
  observe(inspection, statement)
  if (typeof value === 'string') return true
  reportProblem(inspection, statement, at, 'This must be a string.')
  return false
}

/** https://jsonapi.org/format/1.1/#document-meta */
export function checkMeta(owner: JsonObject, at: Path, inspection: DocumentInspection): void {
  if (Object.hasOwn(owner, 'meta')) objectAt(owner['meta'], [...at, 'meta'], 'meta-objects', inspection)
}
