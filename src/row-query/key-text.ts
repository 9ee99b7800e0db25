/** The text by which keys are one: the number 1 and the text '1' are. `null` for what is no key. */
export function keyText(key: unknown): string | null {
  try {
    if (key instanceof Date) return key.toISOString()
    const text = String(key)
    return key === null || key === undefined ? null : text
  } catch {
    // An object that has no text, or a date that is none.
    return null
  }
}
