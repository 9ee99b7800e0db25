/**
 * For callbacks that must answer at once. An author may hand over an `async` one all the same; its rejection would
 * reach nobody and end the process.
 */
export function ignoreRejection(returned: unknown): void {
  if (returned instanceof Promise) returned.catch(() => undefined)
}
