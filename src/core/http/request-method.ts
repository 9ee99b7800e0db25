/** The method of a read whose parameters are in the body: https://www.rfc-editor.org/rfc/rfc10008 */
export const QUERY = 'QUERY'

/** The methods that only read. */
export const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', QUERY])
