import { pointer } from '../../document/json-pointer.js'

/** A problem of a document, with its pointer. */
export interface DocumentProblem {
  /** A JSON pointer into the document; empty for the document as a whole. */
  readonly pointer: string
  /** A sentence. */
  readonly problem: string
}

/** The state of a validation. Every check adds its problems; no check stops the validation. */
export interface DocumentInspection {
  readonly problems: DocumentProblem[]
  /** Whether an extension is applied. Members of its namespace are then allowed everywhere. */
  readonly extended: boolean
}

/** The path to a value, as the tokens of a JSON pointer. */
export type Path = readonly (string | number)[]

export type JsonObject = Readonly<Record<string, unknown>>

export function reportProblem({ problems }: DocumentInspection, at: Path, problem: string): void {
  problems.push({ pointer: pointer(...at), problem })
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a value that must be an object; `null` if it is not. */
export function objectAt(value: unknown, at: Path, inspection: DocumentInspection): JsonObject | null {
  if (isJsonObject(value)) return value
  reportProblem(inspection, at, 'This must be an object.')
  return null
}

/** Returns a value that must be an array; `null` if it is not. */
export function listAt(value: unknown, at: Path, inspection: DocumentInspection): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  reportProblem(inspection, at, 'This must be an array.')
  return null
}

export function checkString(value: unknown, at: Path, inspection: DocumentInspection): value is string {
  if (typeof value === 'string') return true
  reportProblem(inspection, at, 'This must be a string.')
  return false
}

/** https://jsonapi.org/format/1.1/#document-meta */
export function checkMeta(owner: JsonObject, at: Path, inspection: DocumentInspection): void {
  if (Object.hasOwn(owner, 'meta')) objectAt(owner['meta'], [...at, 'meta'], inspection)
}
