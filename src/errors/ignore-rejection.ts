/**
 * For callbacks that must answer at once. An author may hand over an `async` one all the same; its rejection would
 * reach nobody and end the process.
 */
export function ignoreRejection(returned: unknown): void {
  if (returned instanceof Promise) returned.catch(() => undefined)
}

/** What a callback answered, unless it answers later: then it throws, since no promise tells yes from no. */
export function answeredAtOnce<Answer>(callback: string, answer: Answer): Answer {
  if (!(answer instanceof Promise)) return answer
  ignoreRejection(answer)
  throw new TypeError(`${callback} answered with a promise, but is needed at once.`)
}
