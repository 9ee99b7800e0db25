/**
 * Returns whether databases can store a text: a lone surrogate has no encoding in UTF-8, and PostgreSQL does not accept U+0000.
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
