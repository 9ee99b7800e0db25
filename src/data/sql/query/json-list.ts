/** Serializes values to JSON, including bigints, which `JSON.stringify` does not support. */
export function jsonList(values: readonly unknown[]): string {
  return `[${values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))).join(',')}]`
}
