/**
 * Returns the text by which keys are compared: the number 1 equals the string '1'. A list is a composite key. `null` for
 * a value that is no key.
 */
export function keyText(key: unknown): string | null {
  if (typeof key === 'string') return key
  try {
    if (Array.isArray(key)) return listText(key)
    if (key instanceof Date) return key.toISOString()
    const text = String(key)
    return key === null || key === undefined ? null : text
  } catch {
    // An object without a string form, or an invalid date.
    return null
  }
}

function listText(key: readonly unknown[]): string | null {
  const texts = key.map(keyText)
  return texts.includes(null) ? null : JSON.stringify(texts)
}
