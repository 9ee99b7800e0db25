/** The maximum number of names in an error message. */
const maxNames = 30

/** Returns the names that a client may use instead of an unknown one, for an error message: `id, title and 3 more`. */
export function offered(names: readonly string[]): string {
  if (names.length === 0) return 'nothing'
  const rest = names.length - maxNames
  return rest > 0 ? `${names.slice(0, maxNames).join(', ')} and ${rest} more` : names.join(', ')
}
