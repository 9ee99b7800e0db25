/** Returns whether a flag of a row is set. Some databases have no booleans. */
export function isSet(flag: unknown): boolean {
  return flag === true || flag === 1
}
