/** Throws if the condition is false, which is a bug of the framework. Use `fail` or a build fault for any other error. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`This is a bug in Ashlar: ${message}`)
}
