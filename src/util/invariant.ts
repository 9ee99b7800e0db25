/** Our own bug, never a client's or an author's fault: those have `fail` and the build faults. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Ashlar broke its own rule: ${message}`)
}
