/** Returns the secrets of the setting `secret`, not checked: one, or several. Returns `null` for an empty list. */
export function secretList(given: unknown): readonly unknown[] | null {
  if (!Array.isArray(given)) return [given]
  return given.length === 0 ? null : given
}
