/**
 * Returns the text by which keys are compared: the number 1 equals the string '1'. `null` for a value that is no key.
 */
export function keyText(key: unknown): string | null {
  try {
    if (key instanceof Date) return key.toISOString()
    const text = String(key)
    return key === null || key === undefined ? null : text
  } catch {
    // An object without a string form, or an invalid date.
    return null
  }
}
