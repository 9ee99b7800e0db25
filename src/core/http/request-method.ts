/** The method of a read whose parameters are in the body: https://www.rfc-editor.org/rfc/rfc10008 */
export const QUERY = 'QUERY'

/** Returns whether a method only reads. */
export function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === QUERY
}
