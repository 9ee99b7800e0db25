/** Characters that stand in a path as they are, so that links and routes are spelled alike. */
const unreserved = /^[A-Za-z0-9._~-]+$/

/** Whether a text can be one segment of a path as it is. */
export function isPathSegment(text: string): boolean {
  return unreserved.test(text) && text !== '.' && text !== '..'
}
