import type { ErrorObject, ErrorSource } from '../document/error-object.js'
import type { ErrorAnswer } from './checked-answer.js'
import { JsonApiError } from './json-api-error.js'

/** From a pointer into a part of the document, empty for the part itself, to the one into the whole. */
export type Placing = (pointer: string) => string

/** Something that was thrown while a part of a request was served, with the place of that part; `cause` is what it was. */
export class PlacedError extends Error {
  // oxlint-disable-next-line no-unused-private-class-members -- `is` looks for it
  readonly #brand = true
  override readonly name: string = 'PlacedError'
  readonly placing: Placing

  constructor(cause: unknown, placing: Placing) {
    super('A part of the request failed.', { cause })
    this.placing = placing
  }

  /** Like `instanceof`, but a thrown proxy can neither throw from it nor keep it busy. */
  static is(thrown: unknown): thrown is PlacedError {
    return typeof thrown === 'object' && thrown !== null && #brand in thrown
  }
}

/** What was thrown at a part of a request, told at its place. A client's mistakes stay what they are. */
export function placedError(thrown: unknown, placing: Placing): JsonApiError | PlacedError {
  if (!JsonApiError.is(thrown)) return new PlacedError(thrown, placing)
  const problems = thrown.problems.map((each) => ({ ...each, source: placedSource(each.source, placing) }))
  return new JsonApiError(problems, { headers: thrown.headers, cause: thrown.cause })
}

/** The same for an answer. */
export function placedAnswer(answer: ErrorAnswer, placing: Placing): ErrorAnswer {
  const place = (error: ErrorObject): ErrorObject => ({ ...error, source: placedSource(error.source, placing) })
  return { ...answer, errors: answer.errors.map(place) }
}

/** What is not about the document, such as a header, is where it was. */
function placedSource(source: ErrorSource | undefined, placing: Placing): ErrorSource {
  if (source === undefined) return { pointer: placing('') }
  return 'pointer' in source ? { pointer: placing(source.pointer) } : source
}
