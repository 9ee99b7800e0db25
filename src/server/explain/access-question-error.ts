/** Thrown for an invalid question: there is no such type, ability, field or key. */
export class AccessQuestionError extends Error {
  override readonly name = 'AccessQuestionError'
}
