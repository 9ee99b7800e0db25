/** Characters that need no encoding in a path, so that links and routes have the same spelling. */
const unreserved = /^[A-Za-z0-9._~-]+$/

/** Returns whether a text can be one segment of a path without encoding. */
export function isPathSegment(text: string): boolean {
  return unreserved.test(text) && text !== '.' && text !== '..'
}
